/// The operator that makes few units enough: of all linear maps from node values to output weights, the
/// regularised least-squares one for this hidden layer,
///   B = Phi_q^T ( S + ridge tau diag(u_mean / u_j) )^{-1},   S = Phi_q Phi_q^T,   tau = trace(S) / D,
/// with Phi_q the features at the nodes (D x N). Nodes with u_j = 0 are left out: their columns of B are
/// zero, and D and u_mean are over the others. tau makes the ridge free of scale. It needs no psi.
///
/// Special case: as the ridge vanishes and N >= D, the network passes through the node values exactly.
/// Cost N D^2 for S (a sum over units), D^3 / 3 for its factor; memory D^2 and a block of features.
/// Reference: Sonoda, Ishikawa, Ikeda, "Ridge regression with over-parametrized two-layer networks converge
/// to ridgelet spectrum" (AISTATS 2021): as N grows it tends to a ridgelet transform.
#pragma once

#include <vector>

#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/transform/operator.hpp"

namespace ridgelet {

class LeastSquaresOperator final : public Operator {
 public:
  /// Throws InvalidArgument about "ridge" if it is too small for S + ... to be positive definite.
  LeastSquaresOperator(const ActivationPair& pair, const Nodes& nodes, double ridge,
                       const Preactivations& at_nodes);

  void analyse(std::span<double> preactivations) const override { pair_.phi(preactivations, preactivations); }
  Matrix mix(const MatrixView& F) const override;

 private:
  const ActivationPair& pair_;
  std::vector<Index> kept_;  ///< nodes with u_j > 0
  Cholesky regularised_;     ///< S + ridge tau diag(u_mean / u_j) over the nodes kept
};

}  // namespace ridgelet
