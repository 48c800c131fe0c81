#include "ridgelet/transform/feature_product.hpp"

#include <algorithm>

namespace ridgelet {

void FeatureProduct::accumulate_block(const ActivationPair& pair, const Preactivations& at_sites, Index first,
                                      const MatrixView& weights, MatrixSpan values) {
  // Grows only, so that a shorter block of sites after a longer one allocates nothing.
  if (features_.rows() < at_sites.sites() || features_.cols() < weights.rows())
    features_.resize(std::max(features_.rows(), at_sites.sites()),
                     std::max(features_.cols(), weights.rows()));
  const auto block = features_.topLeftCorner(at_sites.sites(), weights.rows());
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
