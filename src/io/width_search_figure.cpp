#include "ridgelet/io/width_search_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ridgelet/core/text.hpp"
#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet {

namespace {

/// The axis reaches down to the floor only if that is less than this factor below the least error.
constexpr double axis_below = 10;

Matrix by_width(std::vector<TriedWidth> path) {
  std::ranges::sort(path, {}, &TriedWidth::units);
  Matrix table(static_cast<Index>(path.size()), 2);
  for (Index i = 0; i < table.rows(); ++i) {
    const TriedWidth& width = path[static_cast<std::size_t>(i)];
    table.row(i) << static_cast<double>(width.units), width.error;
  }
  return table;
}

std::string level(double height, std::string_view colour, std::string_view dash, const std::string& title) {
  return fmt::format(", {} with lines lw 1.5 dt {} lc rgb '{}' title '{}'", height, dash, colour, title);
}

/// 1, 2 and 5 times the powers of ten between two numbers.
std::string tics(double bottom, double top) {
  std::vector<std::string> places;
  for (int power = static_cast<int>(std::floor(std::log10(bottom))); power <= std::log10(top); ++power)
    for (const int digit : {1, 2, 5}) places.push_back(fmt::format("{}e{}", digit, power));
  return join(places);
}

/// The axis of units, from this factor below the least width to as far above the greatest.
constexpr double beside_widths = 1.25;

std::string whole(double width) {
  return fmt::format("{:.0f}", width);
}

/// Widths that were tried, the chosen one among them, as many as the axis has room for.
std::string tics_at_widths(const Vector& units, Index chosen) {
  constexpr double axis = 620, letter = 10, between = 14;  // pixels
  const double octave = axis / std::log2(beside_widths * beside_widths * units.maxCoeff() / units.minCoeff());
  const auto half = [&](double width) { return letter * static_cast<double>(whole(width).size()) / 2; };
  std::vector<double> shown{static_cast<double>(chosen)};
  for (const double width : units)
    if (std::ranges::all_of(shown, [&](double other) {
          return octave * std::abs(std::log2(width / other)) > half(width) + half(other) + between;
        }))
      shown.push_back(width);
  std::vector<std::string> places;
  for (const double width : shown) places.push_back(whole(width));
  return join(places);
}

}  // namespace

void plot_width_search(const SmallestNetwork& found, double error, const std::string& operator_name,
                       const std::filesystem::path& path) {
  const Matrix table = by_width(found.path);
  const double least = std::min(table.col(1).minCoeff(), error);
  const bool floor_is_seen = found.floor > least / axis_below;
  const double bottom = floor_is_seen ? 0.7 * found.floor : least / 2;
  const double top = 1.5 * std::max(table.col(1).maxCoeff(), error);
  std::string script = data_block("path", table);
  script += fmt::format(
      "set logscale x 2\nset logscale y\nset xtics ({})\nset ytics ({})\nset xlabel 'units'\n"
      "set ylabel 'MRMSE / sd of the process'\n"
      "set grid back lt 1 lw 0.5 lc rgb '#cccccc'\nset key inside top right\n"
      "set xrange [{}:{}]\nset yrange [{}:{}]\n"
      "set title '{} unit{}: error {:.3g}'\n",
      tics_at_widths(table.col(0), found.chosen.units), tics(bottom, top),
      table.col(0).minCoeff() / beside_widths, beside_widths * table.col(0).maxCoeff(), bottom, top,
      found.chosen.units, found.chosen.units == 1 ? "" : "s", found.chosen.error);
  const std::string_view colour = colour_of_operator(operator_name);
  script += fmt::format("plot $path using 1:2 with linespoints pt 7 ps 0.7 lw 1.5 lc rgb '{0}' title '{1}'",
                        colour, operator_name);
  script +=
      fmt::format(", '+' using ({}):({}) every ::0::0 with points pt 6 ps 2 lw 2 lc rgb '{}' title 'chosen'",
                  found.chosen.units, found.chosen.error, colour::ridgelet);
  script += level(error, colour::iid, "2", "wanted: " + shortest(error));
  script +=
      level(floor_is_seen ? found.floor : bottom / 10, colour::gaussian_process, "3",
            fmt::format("kriging floor: {:.2g}{}", found.floor, floor_is_seen ? "" : " (below the axis)"));
  render_figure(script + "\n", path, 760, 520);
}

}  // namespace ridgelet
