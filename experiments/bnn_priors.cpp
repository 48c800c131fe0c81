// Figure 1: what a prior on weights means for functions. Independent weights, their covariance functions, and
// networks whose weights have the ridgelet prior for a squared exponential.
#include <fmt/format.h>

#include <cmath>

#include "experiments/experiment.hpp"
#include "experiments/panels.hpp"
#include "experiments/paragraph.hpp"
#include "experiments/prior_paths.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/network/network.hpp"
#include "ridgelet/prior/infinite_width.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::experiments {

namespace {

using Json = nlohmann::ordered_json;

constexpr double lengthscale = 1.75;
constexpr double fixed_input = 1;  ///< x' of the covariance functions
constexpr Index draws = 10;

/// Independent standard normal weights and biases; output weights of variance 1 / N.
Network independent_network(Index units, std::uint64_t seed, Index replicate) {
  const auto r = static_cast<std::uint32_t>(replicate);
  const RandomStream stream{.seed = seed, .purpose = Purpose::output_weights, .replicate = r};
  return {.hidden = HiddenDistribution{.sigma_w = 1, .sigma_b = 1}.draw(units, 1, seed, r),
          .activation = "relu",
          .output_weights = stream.normals(units) / std::sqrt(static_cast<double>(units))};
}

/// k(x, x') / k(x', x') of networks of one activation.
struct CovarianceCurve {
  std::string activation;
  std::string label;
  std::string style;  ///< width, colour and dashes
  Vector values;
};

struct Lifted {
  Matrix x;
  Index units = 0;  ///< of the network with independent weights
  Matrix independent;
  std::vector<CovarianceCurve> covariances;
  Vector process_covariance;
  std::vector<PriorPaths> networks;  ///< ridgelet, then least-squares
};

Vector covariance_curve(const std::string& activation, const Matrix& x) {
  const InfiniteWidthCovariance k{.activation = activation};
  const Matrix at = Matrix::Constant(1, 1, fixed_input);
  return k(x, at) / k(at, at)(0, 0);
}

Lifted lift(const ExperimentOptions& options) {
  Lifted result;
  result.x = evaluation_points(Box::cube(5, 1), options.fast ? 101 : 201, 0);
  result.units = options.fast ? 300 : 1000;
  result.independent.resize(result.x.rows(), draws);
  for (Index i = 0; i < draws; ++i)
    result.independent.col(i) = independent_network(result.units, options.seed, i)(result.x);
  result.covariances = {{"relu", "ReLU", fmt::format("lw 2 lc rgb '{}' dt 1", colour::iid), {}},
                        {"linear", "linear", "lw 2 lc rgb 'black' dt 2", {}},
                        {"sigmoid", "sigmoid", "lw 2 lc rgb '#009E73' dt 4", {}},
                        {"tanh", "tanh", "lw 2 lc rgb '#E69F00' dt 5", {}},
                        {"gaussian", "Gaussian", "lw 4 lc rgb '#56B4E9' dt 1", {}}};
  for (CovarianceCurve& curve : result.covariances)
    curve.values = covariance_curve(curve.activation, result.x);
  const std::string kernel = fmt::format("se(amplitude=1, lengthscale={})", lengthscale);
  for (const auto& [op, units] : {std::pair<const char*, Index>{"ridgelet", options.fast ? 1000 : 3000},
                                  std::pair<const char*, Index>{"least-squares", 300}})
    result.networks.push_back(
        draw_paths({.model = op, .units = units, .kernel = kernel}, result.x, draws, options.seed));
  result.process_covariance = parse_kernel(kernel).matrix(result.x, Matrix::Constant(1, 1, fixed_input));
  return result;
}

LongTable table(const Lifted& lifted) {
  LongTable table{.header = {"part", "model", "draw", "x", "value"}, .rows = {}};
  const auto append_paths = [&](const std::string& model, const Matrix& paths) {
    for (Index i = 0; i < paths.cols(); ++i)
      for (Index j = 0; j < paths.rows(); ++j)
        table.rows.push_back({"path", model, static_cast<double>(i + 1), lifted.x(j), paths(j, i)});
  };
  const auto append_covariance = [&](const std::string& model, const Vector& values) {
    for (Index j = 0; j < values.size(); ++j)
      table.rows.push_back({"covariance", model, "", lifted.x(j), values(j)});
  };
  append_paths("iid", lifted.independent);
  for (const CovarianceCurve& curve : lifted.covariances) append_covariance(curve.activation, curve.values);
  append_covariance("gp", lifted.process_covariance);
  for (const PriorPaths& each : lifted.networks) append_paths(each.setting.model, each.paths);
  return table;
}

/// The standard deviation of f at -5, 0 and 5 for ReLU networks of unbounded width, by the closed form.
std::vector<double> independent_sd() {
  const Matrix at = (Vector(3) << -5, 0, 5).finished();
  const Vector variance = InfiniteWidthCovariance{.activation = "relu"}(at, at).diagonal();
  return {std::sqrt(variance(0)), std::sqrt(variance(1)), std::sqrt(variance(2))};
}

Json json(const Lifted& lifted, const ExperimentOptions& options) {
  Json json = {
      {"iid", {{"activation", "relu"}, {"units", lifted.units}, {"sd_at_-5_0_5", independent_sd()}}}};
  for (const PriorPaths& each : lifted.networks)
    json[each.setting.model] = {
        {"units", each.setting.units}, {"sd", each.sd}, {"rmse", each.rmse}, {"seconds", each.seconds}};
  Json covariances;
  for (const CovarianceCurve& curve : lifted.covariances)
    covariances[curve.activation] = {{"at_-5", curve.values(0)},
                                     {"at_5", curve.values(curve.values.size() - 1)}};
  json["covariance"] = {{"fixed_input", fixed_input}, {"normalised", covariances}};
  json["lengthscale"] = lengthscale;
  json["fast"] = options.fast;
  json["seed"] = options.seed;
  return json;
}

std::string covariance_panel(const Lifted& lifted) {
  Matrix columns(lifted.x.rows(), 2 + static_cast<Index>(lifted.covariances.size()));
  columns.col(0) = lifted.x;
  std::string plots;
  for (std::size_t i = 0; i < lifted.covariances.size(); ++i) {
    const CovarianceCurve& curve = lifted.covariances[i];
    const auto column = static_cast<Index>(i + 1);
    columns.col(column) = curve.values;
    plots += fmt::format("$covariances using 1:{} with lines {} title '{}', ", column + 1, curve.style,
                         curve.label);
  }
  columns.rightCols(1) = lifted.process_covariance;
  return data_block("covariances", columns) +
         fmt::format(
             "set yrange [-2.2:6.8]\nset ytics 1\nset key left top Left reverse samplen 3 spacing 1.15\n"
             "set ylabel 'k(x, {0}) / k({0}, {0})' offset 1,0\n"
             "plot {1}$covariances using 1:{2} with lines lw 2 dt 3 lc rgb '{3}' title 'process of (c), "
             "(d)'\n"
             "unset key\n",
             fixed_input, plots, columns.cols(), colour::gaussian_process);
}

std::string paths_panel(const Lifted& lifted, const std::string& block, const Matrix& paths, double reach,
                        int tics, std::string_view colour) {
  return path_block(block, lifted.x, paths) +
         fmt::format("set yrange [{}:{}]\nset ytics {}\nset ylabel 'f(x)' offset 1,0\n", -reach, reach,
                     tics) +
         path_plot(block, paths.cols(), colour);
}

FigureScript figure(const Lifted& lifted) {
  const PanelGrid cells = {.page = {.left = 0.06, .right = 0.985, .bottom = 0.085, .top = 0.95},
                           .rows = 2,
                           .columns = 2,
                           .gap_x = 0.07,
                           .gap_y = 0.15};
  std::string script =
      "set multiplot\n" + panel_style() + "set xrange [-5:5]\nset xtics 2.5\nset xlabel 'x' offset 0,0.6\n";
  const double reach = 1.05 * lifted.independent.cwiseAbs().maxCoeff();
  script += cells.cell(0, 0).script() +
            panel_title(0, fmt::format("independent weights, ReLU, N = {}", lifted.units)) +
            paths_panel(lifted, "iid", lifted.independent, reach, 2, colour::iid);
  script += cells.cell(0, 1).script() + panel_title(1, "covariance with independent weights") +
            covariance_panel(lifted);
  for (int i = 0; i < 2; ++i) {
    const PriorPaths& each = lifted.networks[static_cast<std::size_t>(i)];
    script += cells.cell(1, i).script() +
              panel_title(static_cast<std::size_t>(2 + i),
                          fmt::format("{}, tanh, N = {}: sd {:.2f}", each.setting.model, each.setting.units,
                                      each.sd)) +
              paths_panel(lifted, fmt::format("network{}", i), each.paths, 4, 2,
                          colour_of_operator(each.setting.model));
  }
  return {.script = script + "unset multiplot\n", .width = 1000, .height = 700};
}

std::string report(const Lifted& lifted) {
  const std::vector<double> sd = independent_sd();
  std::string text = paragraph(fmt::format(
      "Independent weights (ReLU): functions are nearly straight lines on each side, with standard deviation "
      "{:.2f} at x = -5, {:.2f} at 0 and {:.2f} at 5, whatever one believes. Weights with the prior for a "
      "squared exponential of amplitude 1 and lengthscale {}:",
      sd[0], sd[1], sd[2], lengthscale));
  text += fmt::format("  {:<16}{:>7}{:>9}{:>9}{:>9}\n", "operator", "units", "sd", "rmse", "seconds");
  for (const PriorPaths& each : lifted.networks)
    text += fmt::format("  {:<16}{:>7}{:>9.3f}{:>9.3g}{:>9.2f}\n", each.setting.model, each.setting.units,
                        each.sd, each.rmse, each.seconds);
  return text;
}

}  // namespace

Experiment bnn_priors() {
  return {.name = "bnn-priors",
          .description = "Figure 1: what independent weights, and weights with the prior, say of functions",
          .run = [](const ExperimentOptions& options) -> ExperimentResult {
            const Lifted lifted = lift(options);
            return {.table = table(lifted),
                    .json = json(lifted, options),
                    .figure = figure(lifted),
                    .report = report(lifted)};
          }};
}

}  // namespace ridgelet::experiments
