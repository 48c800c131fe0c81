#include "ridgelet/transform/feature_product.hpp"

#include <algorithm>

namespace ridgelet {

void FeatureProduct::accumulate_block(const ActivationPair& pair, const Preactivations& at_sites, Index first,
                                      const MatrixView& weights, MatrixSpan values) {
  features_.resize(at_sites.sites(), std::min(unit_block, at_sites.units()));
  const auto block = features_.leftCols(weights.rows());
  at_sites.evaluate(first, block, [&](std::span<double> z) { pair.phi(z, z); });
  accumulate_product(values, block, weights);
}

void FeatureProduct::accumulate(const ActivationPair& pair, const Preactivations& at_sites,
                                const MatrixView& weights, MatrixSpan values) {
  for_each_unit_block(at_sites.units(), [&](Index first, Index count) {
    accumulate_block(pair, at_sites, first, weights.middleRows(first, count), values);
  });
}

}  // namespace ridgelet
