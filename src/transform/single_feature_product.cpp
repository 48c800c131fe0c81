#include "ridgelet/transform/single_feature_product.hpp"

#include <algorithm>

#include "ridgelet/core/parallel.hpp"

namespace ridgelet {

namespace {

/// Twice as many units as a block of doubles has, in as many bytes: the same part of the cache.
Index units_of_block(const BlockSizes& blocks) {
  return 2 * blocks.units;
}

}  // namespace

void SingleFeatureProduct::accumulate(const Activation& activation, const Preactivations& at_sites,
                                      const MatrixView& weights, MatrixSpan values, Index first) {
  weights_ = weights.cast<float>();
  rooms_.resize(std::max(rooms_.size(), static_cast<std::size_t>(team_threads())));
  parallel_for_members((values.rows() + blocks_.sites - 1) / blocks_.sites, [&](int member, Index piece) {
    const Index site = piece * blocks_.sites, rows = std::min(blocks_.sites, values.rows() - site);
    Room& room = rooms_[static_cast<std::size_t>(member)];
    const auto add_block = [&](Index i, Index count) {
      room.features.resize(rows, count);
      room.product.resize(rows, weights.cols());
      at_sites.fill_single(first + i, site, room.features, room.inputs);
      activation.phi({room.features.data(), static_cast<std::size_t>(room.features.size())});
      set_single_product(room.product, room.features, weights_.middleRows(i, count));
      values.middleRows(site, rows) += room.product.cast<double>();
    };
    for_each_unit_block(weights.rows(), add_block, units_of_block(blocks_));
  });
}

double SingleFeatureProduct::bytes(Index units, Index inputs, Index columns, const BlockSizes& blocks) {
  const Index block = std::min(units, units_of_block(blocks));
  const Index room = blocks.sites * (block + columns + inputs) + block * inputs;
  const Index weights = std::min(units * columns, std::max(blocks.kept_weights, blocks.lap * columns));
  return 4 * static_cast<double>(weights + team_threads() * room);
}

}  // namespace ridgelet
