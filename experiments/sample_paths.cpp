// Section 3: paths of networks with one and three hidden layers, as the number of units grows.
#include <fmt/format.h>

#include "experiments/draws.hpp"
#include "experiments/experiment.hpp"
#include "experiments/panels.hpp"
#include "experiments/paragraph.hpp"
#include "experiments/prior_paths.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/io/gnuplot.hpp"

namespace ridgelet::experiments {

namespace {

using Json = nlohmann::ordered_json;

constexpr double reach = 4;  ///< of the axis: four standard deviations of the process
constexpr int columns = 5;

/// In the order of the panels: a row for one hidden layer, with D = 200 nodes, a row for three, with D = 50.
std::vector<PriorSetting> settings(bool fast) {
  const Index fewer = fast ? 10 : 1;
  std::vector<PriorSetting> all = {
      {.model = "ridgelet", .units = 100},      {.model = "ridgelet", .units = 1000},
      {.model = "ridgelet", .units = 3000},     {.model = "least-squares", .units = 100},
      {.model = "least-squares", .units = 300},
  };
  for (const Index units : {5000, 10000, 50000})
    all.push_back({.model = "ridgelet", .units = units / fewer, .layers = 3, .nodes = 50});
  all.push_back({.model = "least-squares", .units = 300, .layers = 3, .nodes = 50});
  return all;
}

struct Collection {
  Matrix x;
  std::vector<PriorPaths> networks;
  Matrix process;
};

Collection collect(const ExperimentOptions& options) {
  const Index draws = 10;
  Collection result{
      .x = evaluation_points(Box::cube(5, 1), options.fast ? 101 : 201, 0), .networks = {}, .process = {}};
  const std::vector<PriorSetting> all = settings(options.fast);
  for (const PriorSetting& setting : all) {
    result.networks.push_back(draw_paths(setting, result.x, draws, options.seed));
    if (options.progress)
      options.progress("priors", static_cast<Index>(result.networks.size()), static_cast<Index>(all.size()));
  }
  result.process = process_draws(make_prior({}).options().target, result.x, draws, options.seed);
  return result;
}

void append(LongTable& table, const std::string& model, const Cell& layers, const Cell& units,
            const Matrix& x, const Matrix& paths) {
  for (Index i = 0; i < paths.cols(); ++i)
    for (Index j = 0; j < x.rows(); ++j)
      table.rows.push_back({model, layers, units, static_cast<double>(i + 1), x(j), paths(j, i)});
}

LongTable table(const Collection& collection) {
  LongTable table{.header = {"model", "layers", "units", "draw", "x", "f"}, .rows = {}};
  for (const PriorPaths& each : collection.networks)
    append(table, each.setting.model, static_cast<double>(each.setting.layers),
           static_cast<double>(each.setting.units), collection.x, each.paths);
  append(table, "gp", "", "", collection.x, collection.process);
  return table;
}

Json json(const Collection& collection, const ExperimentOptions& options) {
  Json list = Json::array();
  for (const PriorPaths& each : collection.networks)
    list.push_back({{"operator", each.setting.model},
                    {"layers", each.setting.layers},
                    {"units", each.setting.units},
                    {"nodes", each.setting.nodes},
                    {"sd", each.sd},
                    {"rmse", each.rmse},
                    {"draws", each.paths.cols()},
                    {"seconds", each.seconds}});
  return {{"results", list},
          {"process_sd", 1},
          {"kernel", "se(amplitude=1, lengthscale=1.5)"},
          {"fast", options.fast},
          {"seed", options.seed}};
}

std::string axes(int row, int column) {
  return fmt::format(
      "set xtics -4,2,4 format '{}'\nset ytics 2 format '{}'\nset ylabel '{}' offset 1.2,0\n"
      "set xlabel '{}' offset 0,0.6\n",
      row == 1 ? "%g" : "", column == 0 ? "%g" : "",
      column > 0 ? "" : (row == 0 ? "f(x), one hidden layer" : "f(x), three hidden layers"),
      row == 1 ? "x" : "");
}

std::string panel(const PanelGrid& cells, std::size_t number, const std::string& words,
                  const std::string& note, const Matrix& x, const Matrix& paths, std::string_view colour) {
  const int row = static_cast<int>(number) / columns, column = static_cast<int>(number) % columns;
  const std::string block = fmt::format("paths{}", number);
  return path_block(block, x, paths) + cells.cell(row, column).script() + axes(row, column) +
         panel_title(number, words + "\\n" + note) + path_plot(block, paths.cols(), colour);
}

FigureScript figure(const Collection& collection) {
  const PanelGrid cells = {.page = {.left = 0.055, .right = 0.99, .bottom = 0.115, .top = 0.905},
                           .rows = 2,
                           .columns = columns,
                           .gap_x = 0.012,
                           .gap_y = 0.13};
  std::string script = "set multiplot\n" + panel_style() + "set title font ',11'\n" +
                       fmt::format("set xrange [-5:5]\nset yrange [{}:{}]\n", -reach, reach);
  std::size_t number = 0;
  for (const PriorPaths& each : collection.networks)
    script += panel(cells, number++, each.setting.model,
                    fmt::format("N = {}, sd {:.2f}", each.setting.units, each.sd), collection.x, each.paths,
                    colour_of_operator(each.setting.model));
  script += panel(cells, number, "Gaussian process", "sd 1", collection.x, collection.process,
                  colour::gaussian_process);
  return {.script = script + "unset multiplot\n", .width = 1000, .height = 540};
}

std::string report(const Collection& collection) {
  std::string text = paragraph(
      "Paths of networks that imitate a squared exponential of lengthscale 1.5 and amplitude 1. sd is that "
      "of the network's outputs (1 for the process), rmse their distance from the process's own values.");
  text += fmt::format("  {:<16}{:>7}{:>8}{:>8}{:>9}{:>9}\n", "operator", "layers", "units", "sd", "rmse",
                      "seconds");
  for (const PriorPaths& each : collection.networks)
    text += fmt::format("  {:<16}{:>7}{:>8}{:>8.3f}{:>9.3g}{:>9.2f}\n", each.setting.model,
                        each.setting.layers, each.setting.units, each.sd, each.rmse, each.seconds);
  return text;
}

}  // namespace

Experiment sample_paths() {
  return {.name = "sample-paths",
          .description = "Section 3: paths of networks with one and three hidden layers as N grows",
          .run = [](const ExperimentOptions& options) -> ExperimentResult {
            const Collection collection = collect(options);
            return {.table = table(collection),
                    .json = json(collection, options),
                    .figure = figure(collection),
                    .report = report(collection)};
          }};
}

}  // namespace ridgelet::experiments
