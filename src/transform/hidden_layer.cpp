#include "ridgelet/transform/hidden_layer.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/sobol.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

double density_at_zero(Density density) {
  return density == Density::gaussian ? 1 / std::sqrt(2 * std::numbers::pi) : 0.25;
}

/// rows x cols of the density at scale 1, filled row by row.
Matrix standard_draws(Density density, const RandomStream& stream, Index rows, Index cols) {
  if (density == Density::gaussian) return stream.normals(rows, cols);
  Matrix values(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index k = 0; k < cols; ++k) values(i, k) = stream.logistic(static_cast<std::uint64_t>(i * cols + k));
  return values;
}

/// Where the density's distribution function is u.
double quantile(Density density, double u) {
  if (density == Density::logistic) return std::log(u / (1 - u));
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * u);
}

/// units x dimension standard draws that cover the density together.
Matrix sobol_draws(Density density, const RandomStream& scrambling, Index units, Index dimension) {
  return sobol_points(units, dimension, scrambling).unaryExpr([density](double u) {
    return quantile(density, u);
  });
}

}  // namespace

void validate(const HiddenLayer& layer) {
  require_nonempty(layer.W, "W");
  require_finite(layer.W, "W");
  require_rows(layer.b, layer.units(), "b");
  require_finite(layer.b, "b");
}

Index HiddenLayers::parameters() const {
  Index count = 0;
  for (const HiddenLayer& layer : layers_) count += layer.W.size() + layer.b.size();
  return count;
}

void HiddenLayers::set_zero() {
  for (HiddenLayer& layer : layers_) {
    layer.W.setZero();
    layer.b.setZero();
  }
}

Vector HiddenLayers::packed() const {
  Vector numbers(parameters());
  Index at = 0;
  for (const HiddenLayer& layer : layers_) {
    numbers.segment(at, layer.W.size()) = layer.W.reshaped();
    numbers.segment(at + layer.W.size(), layer.b.size()) = layer.b;
    at += layer.W.size() + layer.b.size();
  }
  return numbers;
}

void HiddenLayers::unpack(const VectorView& numbers) {
  Index at = 0;
  for (HiddenLayer& layer : layers_) {
    layer.W.reshaped() = numbers.segment(at, layer.W.size());
    layer.b = numbers.segment(at + layer.W.size(), layer.b.size());
    at += layer.W.size() + layer.b.size();
  }
}

std::vector<std::string> density_names() {
  return {"gaussian", "logistic"};
}

std::string density_name(Density density) {
  return density == Density::gaussian ? "gaussian" : "logistic";
}

Density parse_density(const std::string& name) {
  if (name == "gaussian") return Density::gaussian;
  if (name == "logistic") return Density::logistic;
  throw InvalidArgument("density", unknown_name_complaint(name, density_names()));
}

std::vector<std::string> units_from_names() {
  return {"sobol", "independent"};
}

std::string units_from_name(UnitsFrom units_from) {
  return units_from == UnitsFrom::sobol ? "sobol" : "independent";
}

UnitsFrom parse_units_from(const std::string& name) {
  if (name == "sobol") return UnitsFrom::sobol;
  if (name == "independent") return UnitsFrom::independent;
  throw InvalidArgument("units_from", unknown_name_complaint(name, units_from_names()));
}

HiddenLayer HiddenDistribution::draw(Index units, Index dimension, std::uint64_t seed,
                                     std::uint32_t replicate, std::uint32_t place) const {
  if (units_from == UnitsFrom::sobol) {
    const RandomStream scrambling{
        .seed = seed, .purpose = Purpose::hidden_points, .replicate = replicate, .iteration = place};
    const Matrix standard = sobol_draws(density, scrambling, units, dimension + 1);
    return {.W = sigma_w.scale(standard.leftCols(dimension)), .b = sigma_b * standard.col(dimension)};
  }
  const RandomStream weights{
      .seed = seed, .purpose = Purpose::hidden_weights, .replicate = replicate, .iteration = place};
  const RandomStream biases{
      .seed = seed, .purpose = Purpose::hidden_biases, .replicate = replicate, .iteration = place};
  return {.W = sigma_w.scale(standard_draws(density, weights, units, dimension)),
          .b = sigma_b * standard_draws(density, biases, units, 1)};
}

void HiddenDistribution::at(const VectorView& xi, HiddenLayer& layer) const {
  const auto standard = [this](double z) {
    if (density == Density::gaussian) return z;
    // log(u / (1 - u)) with u the normal distribution function, from both tails so that neither rounds to 1.
    return std::log(std::erfc(-z / std::numbers::sqrt2) / std::erfc(z / std::numbers::sqrt2));
  };
  const Index N = layer.units(), d = layer.dimension();
  for (Index k = 0; k < d; ++k) layer.W.col(k) = sigma_w[k] * xi.segment(k * N, N).unaryExpr(standard);
  layer.b = sigma_b * xi.tail(N).unaryExpr(standard);
}

void HiddenDistribution::pull_back(const VectorView& xi, const HiddenLayer& layer_bar,
                                   Eigen::Ref<Vector> xi_bar) const {
  const Index N = layer_bar.units(), d = layer_bar.dimension();
  for (Index k = 0; k < d; ++k) xi_bar.segment(k * N, N) = sigma_w[k] * layer_bar.W.col(k);
  xi_bar.tail(N) = sigma_b * layer_bar.b;
  if (density == Density::gaussian) return;
  // d/dz log(u / (1 - u)) with u the normal distribution function: its density over u (1 - u).
  const auto slope = [](double z) {
    const double both_tails = std::erfc(-z / std::numbers::sqrt2) * std::erfc(z / std::numbers::sqrt2);
    return 4 * std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2 / both_tails;
  };
  xi_bar.array() *= xi.unaryExpr(slope).array();
}

double HiddenDistribution::total_measure(Index dimension) const {
  const double d = static_cast<double>(dimension);
  return sigma_w.product(dimension) * sigma_b /
         (std::pow(2 * std::numbers::pi, d / 2) * std::pow(density_at_zero(density), d + 1));
}

void validate(const HiddenDistribution& distribution, Index dimension) {
  distribution.sigma_w.validate(dimension);
  require_positive(distribution.sigma_b, "sigma_b");
}

}  // namespace ridgelet
