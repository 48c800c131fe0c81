#include "ridgelet/transform/least_squares_operator.hpp"

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/linalg/blocked.hpp"

namespace ridgelet {

namespace {

std::vector<Index> positive_entries(const Vector& weights) {
  std::vector<Index> kept;
  for (Index j = 0; j < weights.size(); ++j)
    if (weights(j) > 0) kept.push_back(j);
  return kept;
}

/// The lower triangle of S = Phi_q Phi_q^T over all nodes, summed over blocks of units.
Matrix gram(const ActivationPair& pair, const Preactivations& at_nodes) {
  const Index D = at_nodes.sites();
  Matrix S = Matrix::Zero(D, D);
  Matrix features(D, std::min(unit_block, at_nodes.units()));
  for_each_unit_block(at_nodes.units(), [&](Index first, Index count) {
    at_nodes.evaluate(first, features.leftCols(count), [&](std::span<double> z) { pair.phi(z, z); });
    accumulate_gram(S, features.leftCols(count));
  });
  return S;
}

Cholesky regularised(const ActivationPair& pair, const Nodes& nodes, const std::vector<Index>& kept,
                     double ridge, const Preactivations& at_nodes) {
  const Matrix all = gram(pair, at_nodes);
  Matrix S = all(kept, kept);
  const Vector u = nodes.weights(kept);
  const double tau = S.trace() / static_cast<double>(kept.size());
  S.diagonal().array() += ridge * tau * u.mean() / u.array();
  auto factor = Cholesky::of(std::move(S));
  if (!factor)
    throw InvalidArgument("ridge",
                          "must be large enough for S + ridge to be positive definite in double "
                          "precision (1e-12 usually is), got " +
                              shortest(ridge));
  return std::move(*factor);
}

}  // namespace

LeastSquaresOperator::LeastSquaresOperator(const ActivationPair& pair, const Nodes& nodes, double ridge,
                                           const Preactivations& at_nodes)
    : pair_(pair),
      kept_(positive_entries(nodes.weights)),
      regularised_(regularised(pair, nodes, kept_, ridge, at_nodes)) {}

Matrix LeastSquaresOperator::mix(const MatrixView& F) const {
  Matrix mixed = Matrix::Zero(F.rows(), F.cols());
  mixed(kept_, Eigen::all) = regularised_.solve(F(kept_, Eigen::all));
  return mixed;
}

}  // namespace ridgelet
