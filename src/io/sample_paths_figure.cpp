#include "ridgelet/io/sample_paths_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axis_tics.hpp"
#include "figure_parts.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet {

namespace {

constexpr Index maps_shown = 3;

/// Between double quotes, in which gnuplot reads \n as a line break.
std::string title(const SamplePaths& sample, std::string_view separator) {
  return fmt::format("\"{} with {} units{}error {:.2g} of the process’s sd\"", sample.operator_name,
                     sample.units, separator, sample.paths.error());
}

/// "set xrange [..]" with a little room above and below.
std::string padded_range(const std::string& axis, double low, double high) {
  const double pad = 0.05 * std::max(high - low, smallest_span);
  return fmt::format("set {}range [{}:{}]\n", axis, low - pad, high + pad);
}

std::string beside(std::string_view name, const Matrix& X, const Matrix& draws) {
  Matrix table(X.rows(), X.cols() + draws.cols());
  table << X, draws;
  return data_block(name, table);
}

/// A panel between these heights on the page, as shares of its height.
std::string panel(double bottom, double top) {
  return fmt::format("set bmargin at screen {}\nset tmargin at screen {}\n", bottom, top);
}

/// The largest number of one digit, 1 to 9 times a power of ten, that is at most this.
double one_digit(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  return std::floor(value / power) * power;
}

std::string curves(const SamplePaths& sample) {
  const CoupledPaths& paths = sample.paths;
  const Matrix difference = paths.networks - paths.process;
  const double reach = std::max(difference.cwiseAbs().maxCoeff(), smallest_span);
  const Index last = 1 + paths.networks.cols();
  const std::string_view colour = colour_of_operator(sample.operator_name);
  std::string script = beside("process", sample.X, paths.process) +
                       beside("network", sample.X, paths.networks) +
                       beside("difference", sample.X, difference);
  script += fmt::format(
      "set multiplot title {}\nset grid back lt 1 lw 0.5 lc rgb '#dddddd'\nset lmargin at screen 0.14\n"
      "set rmargin at screen 0.98\nset xrange [{}:{}]\nset format y '%.2g'\n",
      title(sample, ": "), sample.X.minCoeff(), sample.X.maxCoeff());
  script +=
      panel(0.35, 0.87) + padded_range("y", std::min(paths.networks.minCoeff(), paths.process.minCoeff()),
                                       std::max(paths.networks.maxCoeff(), paths.process.maxCoeff()));
  script += fmt::format(
      "set ylabel '{2}'\nset format x ''\nset key at screen 0.56,0.905 center horizontal maxrows 1"
      " samplen 2.5\n"
      "plot $process using 1:2 with lines lw 4.5 lc rgb '#BBBBBB' title 'Gaussian process',\\\n"
      "  $network using 1:2 with lines lw 1.4 lc rgb '{0}' title 'network made of it',\\\n"
      "  for [i=3:{1}] $process using 1:i with lines lw 4.5 lc rgb '#BBBBBB' notitle,\\\n"
      "  for [i=2:{1}] $network using 1:i with lines lw 1.4 lc rgb '{0}' notitle\n",
      colour, last, sample.standardised ? "f(x), standardised" : "f(x)");
  script += panel(0.12, 0.31) + padded_range("y", -reach, reach);
  script += fmt::format(
      "unset key\nset format x '%g'\nset xlabel 'x'\nset ylabel 'difference'\nset ytics {:.2g}\n"
      "plot for [i=2:{}] $difference using 1:i with lines lw 1.2 lc rgb '{}'\n",
      one_digit(reach), last, colour);
  return script + "unset multiplot\n";
}

/// The largest factor of 1, 2, 5, 10, 20, ... that keeps numbers up to `size` within `reach`; at least 1.
double enlargement(double size, double reach) {
  if (!(size > 0 && size < reach)) return 1;
  const double power = std::pow(10, std::floor(std::log10(reach / size)));
  for (const double step : {5.0, 2.0})
    if (step * power * size <= reach) return step * power;
  return power;
}

/// One kind of map; each column of `draws` is a map.
struct MapRow {
  std::string_view name;
  std::string label;
  Matrix draws;
};

/// The maps of a sample and the colours they share: from `middle` - `reach` to `middle` + `reach`.
struct Maps {
  std::array<MapRow, 3> rows;
  double middle, reach;
};

Maps maps_of(const CoupledPaths& paths, Index shown) {
  const Matrix process = paths.process.leftCols(shown), networks = paths.networks.leftCols(shown);
  const Matrix difference = networks - process;
  const double low = std::min(process.minCoeff(), networks.minCoeff()),
               high = std::max(process.maxCoeff(), networks.maxCoeff());
  const double middle = low < 0 && high > 0 ? 0 : (low + high) / 2;
  const double reach = std::max({middle - low, high - middle, smallest_span});
  const double factor = enlargement(difference.cwiseAbs().maxCoeff(), reach);
  const std::string enlarged = factor == 1 ? "difference" : fmt::format("{:g} × difference", factor);
  return {.rows = {MapRow{"process", "Gaussian process", process}, MapRow{"network", "network", networks},
                   MapRow{"difference", middle == 0 ? enlarged : fmt::format("{:.3g} + {}", middle, enlarged),
                          (factor * difference).array() + middle}},
          .middle = middle,
          .reach = reach};
}

/// Sizes of a page of maps, in pixels: `map` is the side of a map with its gap.
struct MapPage {
  Index columns;
  double right;  ///< room for the colours
  static constexpr double left = 140, top = 75, bottom = 85, map = 265, gap = 22;

  double width() const { return left + map * static_cast<double>(columns) + right; }
  double height() const { return top + 3 * map + bottom; }

  /// Margins of the map in this row and column, from above.
  std::string place(std::size_t row, Index column) const {
    const double x = left + map * static_cast<double>(column),
                 y = bottom + map * static_cast<double>(2 - row);
    return fmt::format(
        "set lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen {}\nset tmargin at screen "
        "{}\n",
        x / width(), (x + map - gap) / width(), y / height(), (y + map - gap) / height());
  }

  std::string colour_bar() const {
    return fmt::format("set colorbox user origin {},{} size {},{}\n", (width() - right + 5) / width(),
                       bottom / height(), 18 / width(), (3 * map - gap) / height());
  }
};

/// What a row of maps shows, and the name of their upright axis, beside its numbers.
std::string upright_axis(const std::string& label, const Range& y) {
  constexpr double letter = 9.8, beside_axis = 47, width = MapPage::map - MapPage::gap;  // pixels
  const double left = (beside_axis + letter * number_letters(y.low, y.high, room_beside)) / width;
  return number_tics("y", y.low, y.high, room_beside) +
         fmt::format("set format y '%g'\nset label 2 \"{}\\n{}\" at graph {},0.5 center rotate by 90\n",
                     label, number_name("x_2", y.low, y.high, room_beside, letters_beside_panel), -left);
}

std::string axis_below(const Range& x) {
  constexpr int room = 22;  // letters
  return number_tics("x", x.low, x.high, room) +
         fmt::format("set format x '%g'\nset xlabel '{}'\n",
                     number_name("x_1", x.low, x.high, room, letters_beside_panel));
}

/// Room for the colours and the numbers beside them.
double room_of_colours(const Maps& maps) {
  constexpr double letter = 11.5, bar = 53;
  constexpr int usual_letters = 5;
  const int letters = number_letters(maps.middle - maps.reach, maps.middle + maps.reach, room_beside);
  return bar + letter * std::max(usual_letters, letters);
}

std::string maps(const SamplePaths& sample, const Maps& all, const MapPage& page) {
  const Range x = range_of(sample.X.col(0)), y = range_of(sample.X.col(1));
  std::string script;
  for (const MapRow& row : all.rows) script += beside(row.name, sample.X, row.draws);
  script += fmt::format(
      "set multiplot title {}\nunset key\nset palette defined (-1 '{}', 0 '#ffffff', 1 '{}')\n"
      "set cbrange [{}:{}]\nset xrange [{}:{}] noextend\nset yrange [{}:{}] noextend\nset tics out "
      "nomirror\n",
      title(sample, "\\n"), colour::least_squares, colour::ridgelet, all.middle - all.reach,
      all.middle + all.reach, x.low, x.high, y.low, y.high);
  for (std::size_t r = 0; r < all.rows.size(); ++r)
    for (Index i = 0; i < page.columns; ++i) {
      const bool highest = r == 0, lowest = r + 1 == all.rows.size(), first = i == 0;
      script += page.place(r, i);
      script += highest ? fmt::format("set title 'draw {}: error {:.2g}' offset 0,-0.7\n", i + 1,
                                      sample.paths.error(i))
                        : "unset title\n";
      script +=
          first ? upright_axis(all.rows[r].label, y) : "unset label 2\nset ytics autofreq\nset format y ''\n";
      script += lowest ? axis_below(x) : "unset xlabel\nset xtics autofreq\nset format x ''\n";
      script += highest && first ? page.colour_bar() : "unset colorbox\n";
      script += fmt::format("plot ${} using 1:2:{} with image\n", all.rows[r].name, 3 + i);
    }
  return script + "unset multiplot\n";
}

}  // namespace

void plot_sample_paths(const SamplePaths& sample, const std::filesystem::path& path) {
  switch (sample.X.cols()) {
    case 1:
      return render_figure(curves(sample), path, 900, 620);
    case 2: {
      const Index columns = std::min(maps_shown, sample.paths.networks.cols());
      const Maps all = maps_of(sample.paths, columns);
      const MapPage page{.columns = columns, .right = room_of_colours(all)};
      return render_figure(maps(sample, all, page), path, static_cast<int>(page.width()),
                           static_cast<int>(page.height()));
    }
    default:
      throw InvalidArgument("plot",
                            fmt::format("needs a model of one or two inputs, got {}", sample.X.cols()));
  }
}

}  // namespace ridgelet
