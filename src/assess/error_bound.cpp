#include "ridgelet/assess/error_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/transform/reconstruction.hpp"

namespace ridgelet {

namespace {

constexpr Index most_finer_nodes = 5000;

/// E[g(x) g(x)] at each row, for g = mean + factor z.
Vector mean_square(const Vector& mean, const Matrix& factor) {
  return mean.array().square() + factor.rowwise().squaredNorm().array();
}

/// The process at points, finer nodes and nodes, all in the same coordinates z.
struct JointProcess {
  Gaussian points, finer, nodes;
};

JointProcess join(const GaussianProcess& process, const Matrix& points, const Matrix& finer,
                  const Matrix& nodes) {
  const Index M = points.rows(), F = finer.rows(), D = nodes.rows();
  const auto all = static_cast<double>(M + F + D);
  require_memory(8 * 2 * all * all, "points", fmt::format("the covariance of {} nodes", all));
  Matrix sites(M + F + D, points.cols());
  sites << points, finer, nodes;
  const auto [mean, L] = process.prior(sites);
  return {.points = {.mean = mean.head(M), .factor = L.topRows(M)},
          .finer = {.mean = mean.segment(M, F), .factor = L.middleRows(M, F)},
          .nodes = {.mean = mean.tail(D), .factor = L.bottomRows(D)}};
}

Gaussian apply(const Matrix& weights, const Gaussian& values) {
  return {.mean = weights * values.mean, .factor = product(weights, values.factor)};
}

double largest_distance(const Gaussian& one, const Gaussian& other) {
  return std::sqrt(mean_square(one.mean - other.mean, one.factor - other.factor).maxCoeff());
}

void require_theorem(const RidgeletPrior& prior) {
  if (!operator_traits(prior.options().op.name).has_theorem)
    throw InvalidArgument("split", fmt::format("Theorem 1 is about the ridgelet operator; for {} compare the "
                                               "error with the kriging floor: near it add nodes, far above "
                                               "it add units",
                                               prior.name()));
  if (prior.options().layers != 1)
    throw InvalidArgument("split", fmt::format("needs one hidden layer, got {}: Theorem 1 knows no more",
                                               prior.options().layers));
}

}  // namespace

std::string ErrorParts::largest() const {
  const std::array<std::pair<double, const char*>, 4> parts = {
      {{sigma_w, "sigma_w"}, {sigma_b, "sigma_b"}, {nodes, "nodes"}, {units, "units"}}};
  return std::ranges::max_element(parts, {}, &std::pair<double, const char*>::first)->second;
}

ErrorParts error_bound(const BoundSettings& settings) {
  require_positive(settings.sigma_b, "sigma_b");
  require_at_least(settings.nodes, 1, "nodes");
  require_at_least(settings.units, 1, "units");
  require_at_least(settings.dimension, 1, "dimension");
  settings.sigma_w.validate(settings.dimension);
  if (!(settings.delta > 0 && settings.delta < 1))
    throw InvalidArgument("delta", fmt::format("must be between 0 and 1, got {}", settings.delta));
  const double w = settings.sigma_w.largest(), b = settings.sigma_b,
               d = static_cast<double>(settings.dimension);
  const double least = settings.sigma_w.smallest(), volume = settings.sigma_w.product(settings.dimension);
  const double spacing = std::pow(static_cast<double>(settings.nodes), -1 / d);
  const double root = std::sqrt(static_cast<double>(settings.units));
  if (settings.bounded)
    return {.sigma_w = 1 / least,
            .sigma_b = volume * (w + 1) / b,
            .nodes = b * volume * (w + 1) * spacing,
            .units = b * volume * (w + std::sqrt(-std::log(settings.delta))) / root};
  return {.sigma_w = 1 / least,
          .sigma_b = volume * (w + 1) * (w + 1) / b,
          .nodes = b * (b + 1) * volume * (w + 1) * (w + 1) * spacing,
          .units = b * volume * w / (settings.delta * root)};
}

ActivationPair pair_of(const RidgeletPrior& prior) {
  const PriorOptions& options = prior.options();
  return ActivationPair(options.activation, static_cast<int>(prior.dimension()), options.op.order);
}

ErrorParts error_bound(const RidgeletPrior& prior, double delta) {
  const PriorOptions& options = prior.options();
  return error_bound({.sigma_w = options.hidden.sigma_w,
                      .sigma_b = options.hidden.sigma_b,
                      .nodes = options.nodes.size(),
                      .units = options.units,
                      .dimension = prior.dimension(),
                      .bounded = pair_of(prior).bounded(),
                      .delta = delta});
}

std::string ErrorSplit::advice() const {
  const std::string part = parts.largest();
  if (part == "units") return "add units: four times as many halve this part; or use least-squares";
  if (part == "nodes") return "add nodes: they are too far apart for sigma_w and the kernel";
  if (part == "sigma_b") return "raise sigma_b; the part of units grows with it";
  return "raise sigma_w, or the margin if the domain's edges suffer; the other parts grow with sigma_w";
}

Index split_refinement(const RidgeletPrior& prior) {
  const Matrix& points = prior.options().nodes.points;
  const double d = static_cast<double>(points.cols()), D = static_cast<double>(points.rows());
  const auto along_axes = [&](double nodes) { return std::pow(nodes, 1 / d); };
  // In units of 1 / sigma_w, on the axis where it is widest.
  const Matrix scaled = prior.options().hidden.sigma_w.scale(points);
  const double width = (scaled.colwise().maxCoeff() - scaled.colwise().minCoeff()).maxCoeff();
  const double spacing = width / std::max(1.0, along_axes(D) - 1);
  const auto most = static_cast<Index>(along_axes(static_cast<double>(most_finer_nodes) / D) + 1e-9);
  if (most < 2)
    throw InvalidArgument(
        "points", fmt::format("the split takes twice as many nodes on each axis, at most {} in all, so "
                              "it needs at most {:.0f} per axis",
                              most_finer_nodes, std::floor(along_axes(most_finer_nodes) / 2)));
  return std::clamp<Index>(static_cast<Index>(std::ceil(8 * spacing)), 2, most);
}

ErrorSplit split_error(const RidgeletPrior& prior, const Nodes& finer, const Matrix& points,
                       const ReplicateOptions& options) {
  require_theorem(prior);
  require_at_least(options.replicates, 1, "replicates");
  validate(finer);
  require_columns(finer.points, prior.dimension(), "finer");
  require_nonempty(points, "X");
  require_columns(points, prior.dimension(), "X");
  require_finite(points, "X");
  const Nodes& nodes = prior.options().nodes;
  HiddenDistribution no_bias_bandwidth = prior.options().hidden;
  no_bias_bandwidth.sigma_b = std::numeric_limits<double>::infinity();
  const ReconstructionKernel at_sigma_w(pair_of(prior), no_bias_bandwidth),
      at_both(pair_of(prior), prior.options().hidden);
  const Matrix to_nodes = at_both(points, nodes.points) * nodes.weights.asDiagonal();

  const JointProcess process = join(prior.options().target, points, finer.points, nodes.points);
  const Gaussian wide = apply(at_sigma_w(points, finer.points) * finer.weights.asDiagonal(), process.finer);
  const Gaussian both = apply(at_both(points, finer.points) * finer.weights.asDiagonal(), process.finer);
  ErrorSplit split{.parts = {.sigma_w = largest_distance(process.points, wide),
                             .sigma_b = largest_distance(wide, both),
                             .nodes = largest_distance(both, apply(to_nodes, process.nodes))}};

  // The networks live in the prior's own coordinates, those of the nodes alone.
  const Gaussian infinitely_wide =
      apply(to_nodes, {.mean = prior.node_mean(), .factor = prior.node_factor().L});
  Matrix of_units(points.rows(), options.replicates);
  const ErrorOverReplicates whole = error_over_replicates(
      prior, points, options, [&](Index i, const GivenHidden&, const Gaussian& network) {
        of_units.col(i) =
            mean_square(network.mean - infinitely_wide.mean, network.factor - infinitely_wide.factor);
      });
  split.total = whole.root_mean_square().maxCoeff();
  split.parts.units = std::sqrt(of_units.rowwise().mean().maxCoeff());
  return split;
}

}  // namespace ridgelet
