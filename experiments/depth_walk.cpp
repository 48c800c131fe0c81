#include "experiments/depth_walk.hpp"

#include <span>
#include <utility>

#include "ridgelet/core/random.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/transform/preactivations.hpp"

namespace ridgelet::experiments {

namespace {

std::span<double> entries(Eigen::Block<Matrix, Eigen::Dynamic, Eigen::Dynamic, true> columns) {
  return {columns.data(), static_cast<std::size_t>(columns.size())};
}

/// c at all sites, the nodes first: the sum over blocks of units of phi (V (T L)). `mixed` is T L.
Matrix coordinates(const Operator& op, const Activation& activation, const Preactivations& at_sites,
                   const Matrix& mixed) {
  const Index D = mixed.rows(), widest = std::min(unit_block, at_sites.units());
  Matrix features(at_sites.sites(), widest), analysis(D, widest), weights(widest, mixed.cols());
  Matrix values = Matrix::Zero(at_sites.sites(), mixed.cols());
  for_each_unit_block(at_sites.units(), [&](Index first, Index count) {
    at_sites.evaluate(first, features.leftCols(count), [](std::span<double>) {});
    analysis.leftCols(count) = features.topLeftCorner(D, count);
    op.analyse(entries(analysis.leftCols(count)));
    activation.phi(entries(features.leftCols(count)), entries(features.leftCols(count)));
    weights.topRows(count).setZero();
    accumulate_transposed_product(weights.topRows(count), analysis.leftCols(count), mixed);
    accumulate_product(values, features.leftCols(count), weights.topRows(count));
  });
  return values;
}

}  // namespace

Matrix outputs_by_depth(const RidgeletPrior& prior, const Matrix& X, std::uint64_t seed,
                        std::uint32_t replicate) {
  const PriorOptions& options = prior.options();
  const HiddenLayers layers = prior.draw_hidden(seed, replicate);
  const RandomStream stream{.seed = seed, .purpose = Purpose::output_weights, .replicate = replicate};
  const Vector z = stream.normals(prior.rank());
  const Index D = options.nodes.size();
  Matrix sites(D + X.rows(), X.cols());
  sites << options.nodes.points, X;
  Matrix outputs(X.rows(), options.layers);
  for (std::size_t l = 0; l < layers.depth(); ++l) {
    const Preactivations at_sites(layers[l], sites), at_nodes(layers[l], sites.topRows(D));
    const auto op = make_operator(options.op, prior.activation(), options.nodes, options.hidden, at_nodes);
    Matrix values = coordinates(*op, prior.activation(), at_sites, op->mix(prior.node_factor().L));
    outputs.col(static_cast<Index>(l)) = values.bottomRows(X.rows()) * z;
    sites = std::move(values);
  }
  return outputs;
}

}  // namespace ridgelet::experiments
