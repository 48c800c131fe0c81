#include "ridgelet/inference/mixed_cost.hpp"

#include <cmath>

#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

double larger(double one, double other) {
  return one >= other || std::isnan(one) ? one : other;
}

/// F and e of some rows (mixed_cost.hpp).
struct SeenRows {
  Matrix F;
  Vector e;
};

SeenRows seen(const Matrix& values, double amplitude, const VectorView& y, const VectorView& mean,
              const Matrix& root) {
  const auto G = values.rightCols(root.rows());
  return {.F = amplitude * product(G, root), .e = y - values.col(0) - amplitude * (G * mean)};
}

/// What the difference between two ways of seeing the same rows costs, with each sum multiplied by `weight`.
MixedCost cost_of(const SeenRows& exact, const SeenRows& rounded, double weight) {
  const Vector u = weight * (rounded.F.transpose() * rounded.e - exact.F.transpose() * exact.e);
  const Matrix E = weight * (transposed_product(rounded.F, rounded.F) - transposed_product(exact.F, exact.F));
  const Matrix FE = product(exact.F, E);
  const Vector mean_changes = exact.F * u;
  MixedCost cost;
  for (Index i = 0; i < exact.F.rows(); ++i) {
    const double variance = exact.F.row(i).squaredNorm();
    if (variance == 0) continue;  // The function is known there.
    cost = larger(cost, {.mean = std::abs(mean_changes(i)) / std::sqrt(variance),
                         .sd = 0.5 * std::abs(FE.row(i).dot(exact.F.row(i))) / variance});
  }
  return cost;
}

}  // namespace

MixedCost larger(const MixedCost& one, const MixedCost& other) {
  return {.mean = larger(one.mean, other.mean), .sd = larger(one.sd, other.sd)};
}

MixedCost mixed_cost(ConditionalOutput& given, const ClosedFormNetwork& network, double amplitude,
                     const Data& some, const VectorView& noise, Index M) {
  Matrix exact(some.rows(), 1 + given.rank()), rounded = exact;
  given.evaluate(some.X, exact);
  given.evaluate_mixed(some.X, rounded);
  const double share = static_cast<double>(M) / static_cast<double>(some.rows());
  MixedCost cost;
  for (Index k = 0; k < some.outputs(); ++k) {
    const auto of = [&](const Matrix& values) {
      return seen(values, amplitude, some.Y.col(k), network.means.col(k),
                  network.roots[static_cast<std::size_t>(k)]);
    };
    cost = larger(cost, cost_of(of(exact), of(rounded), share / (noise(k) * noise(k))));
  }
  return cost;
}

}  // namespace ridgelet
