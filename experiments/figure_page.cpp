#include "experiments/figure_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet::experiments {

namespace {

/// The width of a line in a legend, and of a letter there.
constexpr double sample_pixels = 36, letter_pixels = 8;

constexpr const char* legend_axes =
    "unset border\nunset tics\nunset grid\nset xrange [0:1]\nset yrange [0:1]\n";

/// What every panel starts from: settings of the panel before it are forgotten.
std::string plain() {
  return "reset\n" + panel_style() + "set tics font ',11'\n";
}

std::string entry_style(const LegendEntry& entry) {
  if (!entry.band) return "using 1:2 " + entry.style;
  return fmt::format("using 1:3:4 with filledcurves fs solid 1 noborder lc rgb '{}'", entry.style);
}

}  // namespace

void FigurePage::add(const Panel& panel) {
  std::string plots;
  for (const Curve& curve : panel.curves) {
    const std::string block = fmt::format("block{}", blocks_++);
    data_ += data_block(block, curve.rows);
    plots += fmt::format("{}${} {}", plots.empty() ? "" : ", \\\n     ", block, curve.style);
  }
  panels_ += plain() + panel.place.script();
  panels_ +=
      fmt::format("set title '{}' offset 0,-0.6 font ',12'\n{}\nplot {}\n", panel.title, panel.axes, plots);
}

void FigurePage::add_legend(const Place& place, const std::vector<LegendEntry>& entries, int columns) {
  const auto count = static_cast<int>(entries.size());
  const int rows = (count + columns - 1) / columns;
  const double pixel = 1 / ((place.right - place.left) * width_);
  Panel panel{.place = place, .axes = legend_axes};
  double x = 2 * pixel;
  for (int column = 0; column < columns; ++column) {
    std::size_t longest = 0;
    for (int i = column; i < count; i += columns) {
      const LegendEntry& entry = entries[static_cast<std::size_t>(i)];
      const double y = 1 - (i / columns + 0.5) / rows;
      const double end = x + sample_pixels * pixel, half = 0.13 / rows;
      Matrix line(2, 4);
      line << x, y, y - half, y + half, end, y, y - half, y + half;
      panel.curves.push_back({.rows = line, .style = entry_style(entry)});
      panel.axes += fmt::format("set label '{}' at {:.4f},{:.4f} left font ',12'\n", entry.text,
                                x + (sample_pixels + 8) * pixel, y);
      longest = std::max(longest, entry.text.size());
    }
    x += (sample_pixels + 8 + letter_pixels * static_cast<double>(longest) + 22) * pixel;
  }
  add(panel);
}

FigureScript FigurePage::script() const {
  return {.script = data_ + "set multiplot\n" + panels_ + "unset multiplot\n",
          .width = width_,
          .height = height_};
}

}  // namespace ridgelet::experiments
