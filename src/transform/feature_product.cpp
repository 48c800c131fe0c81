#include "ridgelet/transform/feature_product.hpp"

#include <algorithm>

#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

/// Only grows, so that a smaller block after a larger one allocates nothing.
void make_room(Matrix& matrix, Index rows, Index cols) {
  if (matrix.rows() < rows || matrix.cols() < cols)
    matrix.resize(std::max(matrix.rows(), rows), std::max(matrix.cols(), cols));
}

void make_room(std::vector<Matrix>& matrices, std::size_t count, Index rows, Index cols) {
  if (matrices.size() < count) matrices.resize(count);
  for (Matrix& each : matrices) make_room(each, rows, cols);
}

Matrix& own(std::vector<Matrix>& matrices, int member) {
  return matrices[static_cast<std::size_t>(member)];
}

}  // namespace

void FeatureProduct::accumulate(const Activation& activation, const Preactivations& at_sites,
                                const MatrixView& weights, MatrixSpan values, Index first) {
  const bool many_sites = values.rows() > blocks_.sites;
  make_room(pieces_, static_cast<std::size_t>(team_threads()), std::min(blocks_.sites, values.rows()),
            many_sites ? blocks_.units : blocks_.share_of(weights.rows()));
  if (many_sites)
    accumulate_over_sites(activation, at_sites, weights, values, first);
  else
    accumulate_over_units(activation, at_sites, weights, values, first);
}

void FeatureProduct::accumulate_over_sites(const Activation& activation, const Preactivations& at_sites,
                                           const MatrixView& weights, MatrixSpan values, Index first) {
  parallel_for_members((values.rows() + blocks_.sites - 1) / blocks_.sites, [&](int member, Index piece) {
    const Index site = piece * blocks_.sites, rows = std::min(blocks_.sites, values.rows() - site);
    const auto add_block = [&](Index i, Index count) {
      auto features = own(pieces_, member).topLeftCorner(rows, count);
      at_sites.evaluate_piece(first + i, site, features, [&](std::span<double> z) { activation.phi(z, z); });
      add_product(values.middleRows(site, rows), features, weights.middleRows(i, count));
    };
    for_each_unit_block(weights.rows(), add_block, blocks_.units);
  });
}

void FeatureProduct::accumulate_over_units(const Activation& activation, const Preactivations& at_sites,
                                           const MatrixView& weights, MatrixSpan values, Index first) {
  const Index units = weights.rows(), share = blocks_.share_of(units), lap = blocks_.lap;
  make_room(sums_, static_cast<std::size_t>((std::min(lap, units) + share - 1) / share), values.rows(),
            values.cols());
  for (Index start = 0; start < units; start += lap) {
    const Index stop = std::min(units, start + lap);
    const Index shares = (stop - start + share - 1) / share;
    const auto sum = [&](Index p) {
      return sums_[static_cast<std::size_t>(p)].topLeftCorner(values.rows(), values.cols());
    };
    parallel_for_members(shares, [&](int member, Index p) {
      const Index i = start + p * share, count = std::min(share, stop - i);
      auto features = own(pieces_, member).topLeftCorner(values.rows(), count);
      at_sites.evaluate_piece(first + i, 0, features, [&](std::span<double> z) { activation.phi(z, z); });
      set_product(sum(p), features, weights.middleRows(i, count));
    });
    for (Index p = 0; p < shares; ++p) values += sum(p);
  }
}

}  // namespace ridgelet
