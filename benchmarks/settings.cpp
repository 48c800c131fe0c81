#include "settings.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::benchmarks {

namespace {

constexpr double half_width = 5;
constexpr std::uint64_t seed = 1;

RidgeletPrior make_prior(const std::string& kernel, Nodes nodes, Index units, double sigma_w) {
  return RidgeletPrior({.target = {.kernel = parse_kernel(kernel)},
                        .nodes = std::move(nodes),
                        .units = units,
                        .hidden = {.sigma_w = sigma_w, .sigma_b = 12},
                        .op = {.name = "ridgelet"}});
}

/// The setting with the least-squares operator on these nodes.
Setting with_least_squares(Setting setting, std::optional<Nodes> nodes, double ridge) {
  PriorOptions options = setting.prior.options();
  if (nodes) options.nodes = std::move(*nodes);
  options.op = {.name = "least-squares", .ridge = ridge};
  setting.prior = RidgeletPrior(std::move(options));
  return setting;
}

/// Evenly spaced points of [-5, 5]^d, both edges included, with weights 1.
Nodes even_nodes(Index dimension, Index count) {
  return {.points = evaluation_points(Box::cube(half_width, dimension), count, seed),
          .weights = Vector::Ones(count)};
}

/// Observes the truth at the rows of X with noise of this standard deviation.
template <class Truth>
Data observe(const Matrix& X, double noise, Truth&& truth) {
  Vector y = noise * RandomStream{.seed = seed, .purpose = Purpose::target_process}.normals(X.rows());
  for (Index i = 0; i < X.rows(); ++i) y(i) += truth(X.row(i));
  return {.X = X, .Y = y, .noise = Vector::Constant(1, noise)};
}

Matrix known_pixels() {
  const Matrix all = evaluation_points(Box::cube(half_width, 2), 50 * 50, seed);
  std::vector<Index> known;
  for (Index i = 0; i < all.rows(); ++i)
    if (all.row(i).cwiseAbs().maxCoeff() > half_width / 2) known.push_back(i);
  return all(known, Eigen::all);
}

}  // namespace

Setting co2(Index units) {
  const Vector months = Vector::LinSpaced(66, -half_width, half_width).head(43);
  return {.prior = make_prior("periodic(amplitude=1, lengthscale=0.75, period=1.8)",
                              grid(half_width, 200, 1, half_width), units, 3),
          .data = observe(months, 0.065, [](const auto& x) {
            return 0.06 * x(0) + std::sin(2 * std::numbers::pi * x(0) / 1.8);
          })};
}

Setting inpainting() {
  const auto wave = [](double x) { return std::cos(std::numbers::pi * x / 2) + 1; };
  return {.prior = make_prior("se(amplitude=0.1, lengthscale=0.1) + outer((cos(pi*x1/2)+1)*(cos(pi*x2/2)+1))",
                              grid(half_width, 30, 2, half_width), 2000, 2),
          .data = observe(known_pixels(), 0.1, [&](const auto& x) { return wave(x(0)) * wave(x(1)); })};
}

NodeChoice co2_nodes(Index units) {
  return {.on_grid = with_least_squares(co2(units), std::nullopt, 1e-6),
          .on_chosen = with_least_squares(co2(units), even_nodes(1, 72), 1e-8)};
}

NodeChoice inpainting_nodes() {
  return {.on_grid = with_least_squares(inpainting(), std::nullopt, 1e-6),
          .on_chosen = with_least_squares(inpainting(), even_nodes(2, 20 * 20), 1e-6)};
}

std::vector<HiddenLayers> hidden_layers(const Setting& setting, std::uint32_t count) {
  std::vector<HiddenLayers> layers;
  for (std::uint32_t i = 0; i < count; ++i) layers.push_back(setting.prior.draw_hidden(seed, i));
  return layers;
}

}  // namespace ridgelet::benchmarks
