#include "experiments/figure_page.hpp"

#include <fmt/format.h>

#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet::experiments {

namespace {

std::string margins(const Frame& frame) {
  return fmt::format(
      "set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\nset bmargin at screen {:.4f}\nset tmargin "
      "at screen {:.4f}\n",
      frame.left, frame.left + frame.width, frame.bottom, frame.bottom + frame.height);
}

/// What every panel starts from: what the one before it set is forgotten.
constexpr const char* plain = R"(
reset
unset key
set tics nomirror out scale 0.6
set border 3 lw 1 lc rgb '#333333'
set grid back lt 1 lw 0.5 lc rgb '#dddddd'
)";

}  // namespace

Frame FrameGrid::at(int number) const {
  const double width = (area.width - (columns - 1) * gap_x) / columns;
  const double height = (area.height - (rows - 1) * gap_y) / rows;
  const int row = number / columns, column = number % columns;
  return {.left = area.left + column * (width + gap_x),
          .bottom = area.bottom + (rows - 1 - row) * (height + gap_y),
          .width = width,
          .height = height};
}

void FigurePage::add(const Panel& panel) {
  std::string plots;
  for (const Curve& curve : panel.curves) {
    const std::string block = fmt::format("block{}", blocks_++);
    data_ += data_block(block, curve.rows);
    plots += fmt::format("{}${} {}", plots.empty() ? "" : ", \\\n     ", block, curve.style);
  }
  panels_ += plain + margins(panel.frame);
  panels_ += fmt::format("set title '{}' offset 0,-0.6\n{}\nplot {}\n", panel.title, panel.axes, plots);
}

void FigurePage::add_legend(const Frame& frame, const std::vector<LegendEntry>& entries, int rows) {
  std::string plots;
  for (const LegendEntry& entry : entries)
    plots += fmt::format("{}NaN {} title '{}'", plots.empty() ? "" : ", \\\n     ", entry.style, entry.text);
  panels_ += plain + margins(frame);
  panels_ += fmt::format(
      "unset border\nunset tics\nunset grid\nset xrange [0:1]\nset yrange [0:1]\n"
      "set key center center horizontal maxrows {} samplen 3 spacing 1.2 width 1\nplot {}\n",
      rows, plots);
}

FigureScript FigurePage::script() const {
  return {.script = data_ + "set multiplot\n" + panels_ + "unset multiplot\n",
          .width = width_,
          .height = height_};
}

}  // namespace ridgelet::experiments
