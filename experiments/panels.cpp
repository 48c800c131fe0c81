#include "experiments/panels.hpp"

#include <fmt/format.h>

#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet::experiments {

std::string Place::script() const {
  return fmt::format(
      "set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\n"
      "set bmargin at screen {:.4f}\nset tmargin at screen {:.4f}\n",
      left, right, bottom, top);
}

Place PanelGrid::cell(int row, int column, int span) const {
  const double width = (page.right - page.left - (columns - 1) * gap_x) / columns;
  const double height = (page.top - page.bottom - (rows - 1) * gap_y) / rows;
  const double left = page.left + column * (width + gap_x), top = page.top - row * (height + gap_y);
  return {
      .left = left, .right = left + span * width + (span - 1) * gap_x, .bottom = top - height, .top = top};
}

std::string panel_style() {
  return R"(
unset key
set tics nomirror out scale 0.6
set border 3 lw 1 lc rgb '#333333'
set grid back lt 1 lw 0.5 lc rgb '#dddddd'
)";
}

std::string panel_title(std::size_t number, const std::string& words) {
  return fmt::format("set title \"({}) {}\" offset 0,-0.6\n", static_cast<char>('a' + number), words);
}

std::string path_block(std::string_view name, const Matrix& X, const Matrix& paths) {
  Matrix table(X.rows(), 1 + paths.cols());
  table << X, paths;
  return data_block(name, table);
}

std::string path_plot(std::string_view block, Index paths, std::string_view colour) {
  const std::string_view digits = colour.substr(1);
  return fmt::format(
      "plot for [i=3:{0}] ${1} using 1:i with lines lw 1.2 lc rgb '#88{2}', \\\n"
      "     ${1} using 1:2 with lines lw 2 lc rgb '#{2}'\n",
      1 + paths, block, digits);
}

}  // namespace ridgelet::experiments
