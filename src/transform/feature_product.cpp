#include "ridgelet/transform/feature_product.hpp"

#include <algorithm>

#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

/// Sites from which on threads share them; below, threads share units.
constexpr Index many_sites = 256;
constexpr Index site_piece = 256;
constexpr Index units_at_a_time = 2048;

/// Grows only, so that a smaller block after a larger one allocates nothing.
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

void FeatureProduct::accumulate_block(const Activation& activation, const Preactivations& at_sites,
                                      Index first, const MatrixView& weights, MatrixSpan values) {
  make_room(features_, at_sites.sites(), weights.rows());
  const auto block = features_.topLeftCorner(at_sites.sites(), weights.rows());
  at_sites.evaluate(first, block, [&](std::span<double> z) { activation.phi(z, z); });
  accumulate_product(values, block, weights);
}

void FeatureProduct::accumulate(const Activation& activation, const Preactivations& at_sites,
                                const MatrixView& weights, MatrixSpan values) {
  make_room(pieces_, static_cast<std::size_t>(team_threads()), std::min(many_sites, values.rows()),
            values.rows() > many_sites ? unit_block : unit_share(at_sites.units()));
  if (values.rows() > many_sites)
    accumulate_over_sites(activation, at_sites, weights, values);
  else
    accumulate_over_units(activation, at_sites, weights, values);
}

void FeatureProduct::accumulate_over_sites(const Activation& activation, const Preactivations& at_sites,
                                           const MatrixView& weights, MatrixSpan values) {
  parallel_for_members((values.rows() + site_piece - 1) / site_piece, [&](int member, Index piece) {
    const Index site = piece * site_piece;
    const Index rows = std::min(site_piece, values.rows() - site);
    for_each_unit_block(at_sites.units(), [&](Index first, Index count) {
      auto features = own(pieces_, member).topLeftCorner(rows, count);
      at_sites.evaluate_piece(first, site, features, [&](std::span<double> z) { activation.phi(z, z); });
      add_product(values.middleRows(site, rows), features, weights.middleRows(first, count));
    });
  });
}

void FeatureProduct::accumulate_over_units(const Activation& activation, const Preactivations& at_sites,
                                           const MatrixView& weights, MatrixSpan values) {
  const Index units = at_sites.units(), piece = unit_share(units);
  make_room(sums_, static_cast<std::size_t>((std::min(units_at_a_time, units) + piece - 1) / piece),
            values.rows(), values.cols());
  for (Index start = 0; start < units; start += units_at_a_time) {
    const Index stop = std::min(units, start + units_at_a_time);
    const Index pieces = (stop - start + piece - 1) / piece;
    const auto sum = [&](Index p) {
      return sums_[static_cast<std::size_t>(p)].topLeftCorner(values.rows(), values.cols());
    };
    parallel_for_members(pieces, [&](int member, Index p) {
      const Index first = start + p * piece, count = std::min(piece, stop - first);
      auto features = own(pieces_, member).topLeftCorner(values.rows(), count);
      at_sites.evaluate_piece(first, 0, features, [&](std::span<double> z) { activation.phi(z, z); });
      set_product(sum(p), features, weights.middleRows(first, count));
    });
    for (Index p = 0; p < pieces; ++p) values += sum(p);
  }
}

}  // namespace ridgelet
