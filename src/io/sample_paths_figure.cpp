#include "ridgelet/io/sample_paths_figure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet {

namespace {

constexpr Index maps_shown = 3;

struct Panel {
  std::string title;
  std::string_view colour;
  const Matrix& draws;
};

std::string network_title(const SamplePaths& paths) {
  return fmt::format("network, {} with {} units", paths.operator_name, paths.units);
}

std::string curves(const SamplePaths& paths, const std::array<Panel, 2>& panels) {
  const double low = std::min(paths.networks.minCoeff(), paths.process.minCoeff());
  const double high = std::max(paths.networks.maxCoeff(), paths.process.maxCoeff());
  const double pad = 0.05 * std::max(high - low, 1e-12);
  std::string script;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    Matrix table(paths.X.rows(), 1 + panels[p].draws.cols());
    table << paths.X, panels[p].draws;
    script += data_block(fmt::format("panel{}", p), table);
  }
  script += fmt::format(
      "set multiplot layout 1,2\nset xlabel 'x'\nset ylabel 'f(x)'\nset grid lc rgb '#dddddd'\nunset key\n"
      "set xrange [{}:{}]\nset yrange [{}:{}]\n",
      paths.X.minCoeff(), paths.X.maxCoeff(), low - pad, high + pad);
  for (std::size_t p = 0; p < panels.size(); ++p)
    script +=
        fmt::format("set title '{}'\nplot for [i=2:{}] $panel{} using 1:i with lines lw 1.5 lc rgb '{}'\n",
                    panels[p].title, 1 + panels[p].draws.cols(), p, panels[p].colour);
  return script + "unset multiplot\n";
}

std::string maps(const SamplePaths& paths, const std::array<Panel, 2>& panels) {
  const Index shown = std::min(maps_shown, paths.networks.cols());
  const Index side = std::lround(std::sqrt(static_cast<double>(paths.X.rows())));
  const double reach = std::max(paths.networks.leftCols(shown).cwiseAbs().maxCoeff(),
                                paths.process.leftCols(shown).cwiseAbs().maxCoeff());
  std::string script;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    // A blank line after each value of the first input, as gnuplot's pm3d-free image plot of scattered rows
    // needs none, so the table stays plain: x1, x2, then the draws.
    Matrix table(paths.X.rows(), 2 + shown);
    table << paths.X, panels[p].draws.leftCols(shown);
    script += data_block(fmt::format("panel{}", p), table);
  }
  script += fmt::format(
      "set multiplot layout 2,{}\nset xlabel 'x_1'\nset ylabel 'x_2'\nunset key\nset size square\n"
      "set palette defined (-1 '#0072B2', 0 '#ffffff', 1 '#D55E00')\nset cbrange [{}:{}]\nset cblabel "
      "'f(x)'\n"
      "set xrange [{}:{}]\nset yrange [{}:{}]\n",
      shown, -reach, reach, paths.X.col(0).minCoeff(), paths.X.col(0).maxCoeff(), paths.X.col(1).minCoeff(),
      paths.X.col(1).maxCoeff());
  const Vector spread = paths.X.colwise().maxCoeff() - paths.X.colwise().minCoeff();
  script += fmt::format("set offsets 0,0,0,0\n# {} x {} cells of {} x {}\n", side, side,
                        spread(0) / static_cast<double>(side - 1), spread(1) / static_cast<double>(side - 1));
  for (std::size_t p = 0; p < panels.size(); ++p)
    for (Index i = 0; i < shown; ++i)
      script +=
          fmt::format("set title '{}'\nplot $panel{} using 1:2:{} with image\n", panels[p].title, p, 3 + i);
  return script + "unset multiplot\n";
}

}  // namespace

void plot_sample_paths(const SamplePaths& paths, const std::filesystem::path& path) {
  const std::array<Panel, 2> panels = {
      Panel{network_title(paths), colour_of_operator(paths.operator_name), paths.networks},
      Panel{"Gaussian process", colour::gaussian_process, paths.process}};
  switch (paths.X.cols()) {
    case 1:
      return render_figure(curves(paths, panels), path, 1000, 420);
    case 2:
      return render_figure(maps(paths, panels), path, 1100, 760);
    default:
      throw InvalidArgument("plot",
                            fmt::format("needs a model of one or two inputs, got {}", paths.X.cols()));
  }
}

}  // namespace ridgelet
