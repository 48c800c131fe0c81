#include "ridgelet/io/sample_paths_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet {

namespace {

constexpr Index maps_shown = 3;
/// gnuplot refuses an axis without length.
constexpr double smallest_span = 1e-12;

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
  const double pad = 0.05 * std::max(high - low, smallest_span);
  std::string script;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    Matrix table(paths.X.rows(), 1 + panels[p].draws.cols());
    table << paths.X, panels[p].draws;
    script += data_block(fmt::format("panel{}", p), table);
  }
  script += fmt::format(
      "set multiplot layout 1,2\nset xlabel 'x'\nset ylabel 'f(x)'\nset grid back lt 1 lw 0.5 lc rgb "
      "'#cccccc'\nunset key\n"
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
  const double reach = std::max({paths.networks.leftCols(shown).cwiseAbs().maxCoeff(),
                                 paths.process.leftCols(shown).cwiseAbs().maxCoeff(), smallest_span});
  std::string script;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    Matrix table(paths.X.rows(), 2 + shown);
    table << paths.X, panels[p].draws.leftCols(shown);
    script += data_block(fmt::format("panel{}", p), table);
  }
  script += fmt::format(
      "set multiplot layout 2,{} title 'above: {}; below: {}'\nset xlabel 'x_1'\nset ylabel 'x_2'\nunset "
      "key\n"
      "set size square\nset palette defined (-1 '{}', 0 '#ffffff', 1 '{}')\nset cbrange [{}:{}]\n"
      "set cblabel 'f(x)'\nset xrange [{}:{}]\nset yrange [{}:{}]\n",
      shown, panels[0].title, panels[1].title, colour::least_squares, colour::ridgelet, -reach, reach,
      paths.X.col(0).minCoeff(), paths.X.col(0).maxCoeff(), paths.X.col(1).minCoeff(),
      paths.X.col(1).maxCoeff());
  for (std::size_t p = 0; p < panels.size(); ++p)
    for (Index i = 0; i < shown; ++i)
      script += fmt::format("set title 'draw {}'\nplot $panel{} using 1:2:{} with image\n", i + 1, p, 3 + i);
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
