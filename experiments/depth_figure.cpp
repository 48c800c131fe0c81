// Paths of the largest ridgelet networks at the top, of least squares in the middle; the process and MMD^2 below.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/depth.hpp"
#include "experiments/panels.hpp"
#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet::experiments {

namespace {

constexpr double reach = 4;  ///< of the axis: four standard deviations of the process

const PanelGrid cells = {.page = {.left = 0.06, .right = 0.985, .bottom = 0.085, .top = 0.955},
                         .rows = 3,
                         .columns = 5,
                         .gap_x = 0.012,
                         .gap_y = 0.075};

/// The series whose paths are shown for an operator: the one with the most units.
const DepthSeries& largest(const DepthStudy& study, const std::string& op) {
  const DepthSeries* best = nullptr;
  for (const DepthSeries& series : study.series)
    if (series.op == op && (!best || series.units > best->units)) best = &series;
  return *best;
}

/// The leftmost panel of a row has a label and numbers, and so has the lowest of a column.
std::string path_axes(const std::string& label, bool lowest) {
  return fmt::format(R"(
set xrange [-5:5]
set yrange [{}:{}]
set xtics 2.5 format '{}'
set ytics 2 format '{}'
set ylabel '{}' offset 1.2,0
set xlabel '{}' offset 0,0.6
)",
                     -reach, reach, lowest ? "%g" : "", label.empty() ? "" : "%g", label, lowest ? "x" : "");
}

std::string row_of_paths(const DepthSeries& series, const Matrix& x, int row) {
  std::string script;
  for (std::size_t l = 0; l < series.paths.size(); ++l) {
    const std::string block = fmt::format("paths{}_{}", row, l);
    const auto column = static_cast<int>(l);
    script += path_block(block, x, series.paths[l]) + cells.cell(row, column).script() +
              path_axes(l == 0 ? fmt::format("{}, N = {}", series.op, series.units) : "", false) +
              panel_title(l + 5 * static_cast<std::size_t>(row),
                          fmt::format("L = {}: sd {:.2f}", l + 1, series.sd(column))) +
              path_plot(block, series.paths[l].cols(), colour_of_operator(series.op));
  }
  return script;
}

/// Layers, mean and standard error.
std::string mmd_block(const std::string& name, const DepthSeries& series) {
  Matrix table(series.mmd2.cols(), 3);
  for (Index l = 0; l < table.rows(); ++l) {
    const Estimate mmd2 = Estimate::of(series.mmd2.col(l));
    table.row(l) << static_cast<double>(l + 1), mmd2.mean, mmd2.standard_error();
  }
  return data_block(name, table);
}

/// Filled points and a full line for the most units, open points and dashes for fewer.
std::string mmd_style(const DepthStudy& study, const DepthSeries& series) {
  const bool filled = &series == &largest(study, series.op);
  const int point = series.op == "ridgelet" ? (filled ? 7 : 6) : (filled ? 5 : 4);
  return fmt::format("lw 1.8 dt {} pt {} ps 1.1 lc rgb '{}'", filled ? 1 : 2, point,
                     colour_of_operator(series.op));
}

std::string mmd_panel(const DepthStudy& study) {
  const Estimate null = Estimate::of(study.null);
  Place place = cells.cell(2, 1, 4);
  place.left += 0.075;
  place.right = 0.69;
  std::string blocks, plots;
  for (std::size_t i = 0; i < study.series.size(); ++i) {
    const DepthSeries& series = study.series[i];
    const std::string block = fmt::format("mmd{}", i), style = mmd_style(study, series);
    blocks += mmd_block(block, series);
    plots += fmt::format(
        "${0} using 1:2 with linespoints {1} title '{2}, N = {3}', "
        "${0} using 1:2:3 with yerrorbars {1} notitle, \\\n     ",
        block, style, series.op, series.units);
  }
  const std::string axes =
      fmt::format(R"(
set logscale y
set yrange [{:.1g}:0.7]
set ytics auto format '10^{{%T}}'
set xrange [0.8:{}]
set xtics 1 format '%g'
set ylabel 'MMD^2' offset 0.5,0
set xlabel 'hidden layers L' offset 0,0.6
set key at screen 0.985,{} right center samplen 3 spacing 1.3
)",
                  null.mean / 2, 0.2 + static_cast<double>(study.depths()), (place.bottom + place.top) / 2);
  return blocks + place.script() + axes +
         panel_title(11, fmt::format("MMD^2 to the process: mean and s.e. of {} repeats", study.repeats)) +
         fmt::format("plot {}{} with lines lw 1.8 dt 3 lc rgb '{}' title 'process against itself'\n", plots,
                     null.mean, colour::gaussian_process);
}

}  // namespace

FigureScript depth_figure(const DepthStudy& study) {
  std::string script = "set multiplot\n" + panel_style() + "set title font ',12'\n";
  script += row_of_paths(largest(study, "ridgelet"), study.x, 0);
  script += row_of_paths(largest(study, "least-squares"), study.x, 1);
  script += path_block("process", study.x, study.process) + cells.cell(2, 0).script() +
            path_axes("Gaussian process", true) + panel_title(10, "sd 1") +
            path_plot("process", study.process.cols(), colour::gaussian_process);
  script += mmd_panel(study) + "unset multiplot\n";
  return {.script = script, .width = 1000, .height = 760};
}

}  // namespace ridgelet::experiments
