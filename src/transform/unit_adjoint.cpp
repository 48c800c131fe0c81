#include "ridgelet/transform/unit_adjoint.hpp"

#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

std::span<double> numbers(MatrixSpan contiguous) {
  return {contiguous.data(), static_cast<std::size_t>(contiguous.size())};
}

}  // namespace

void UnitAdjoint::make_room_for_sums(Index shares, Index rows, Index cols) {
  if (sums_.size() < static_cast<std::size_t>(shares)) sums_.resize(static_cast<std::size_t>(shares));
  for (Vector& each : sums_)
    if (each.size() < rows * cols) each.resize(rows * cols);
}

Eigen::Map<Matrix> UnitAdjoint::sum(Index share, Index rows, Index cols) {
  return {sums_[static_cast<std::size_t>(share)].data(), rows, cols};
}

void UnitAdjoint::add_to_layer(const Preactivations& seen, UnitRange units, Index site,
                               const MatrixView& zbar, HiddenLayer& layer_bar) {
  add_transposed_product(layer_bar.W.middleRows(units.first, units.count), zbar,
                         seen.inputs().middleRows(site, zbar.rows()));
  layer_bar.b.segment(units.first, units.count) += zbar.colwise().sum().transpose();
}

void UnitAdjoint::set_sum(Index share, const HiddenLayer& layer, UnitRange units, const MatrixView& zbar) {
  auto all = sum(share, zbar.rows(), 1 + layer.dimension());
  all.col(0) = zbar.rowwise().sum();
  set_product(all.rightCols(layer.dimension()), zbar, layer.W.middleRows(units.first, units.count));
}

void FeatureAdjoint::accumulate(const Activation& activation, const Preactivations& seen, Index first,
                                const MatrixView& weights, const MatrixView& values_bar,
                                MatrixSpan weights_bar, HiddenLayer& layer_bar,
                                std::optional<MatrixSpan> sites_bar) {
  features_.make_room(blocks_.share_of(weights.rows()) * std::min(blocks_.sites, seen.sites()));
  const UnitRange range{.first = first, .count = weights.rows()};
  units_.accumulate(seen, range, layer_bar, sites_bar, blocks_.sites,
                    [&](int member, Index unit, Index site, MatrixSpan z) {
                      auto features = features_.of(member, z.rows(), z.cols());
                      const auto at_sites = values_bar.middleRows(site, z.rows());
                      activation.phi(numbers(z), numbers(features));
                      add_transposed_product(weights_bar.middleRows(unit - first, z.cols()), features,
                                             at_sites);
                      activation.derivative(numbers(z), numbers(z));
                      // The room of the features serves for featuresbar = valuesbar w^T.
                      set_product_transposed(features, at_sites, weights.middleRows(unit - first, z.cols()));
                      z.array() *= features.array();
                    });
}

}  // namespace ridgelet
