/// The operator that makes few units enough: of all linear maps from node values to output weights, the
/// regularised least-squares one for this hidden layer,
///   B = Phi_q^T ( S + ridge tau diag(u_mean / u_j) )^{-1},   S = Phi_q Phi_q^T,   tau = trace(S) / D,
/// with Phi_q the features at the nodes (D x N). Nodes with u_j = 0 are left out: their columns of B are
/// zero, and D and u_mean are over the others. tau makes the ridge free of scale. It needs no psi.
///
/// Special case: as the ridge vanishes and N >= D, the network passes through the node values exactly.
/// Cost N D^2 for S (a sum over units), D^3 / 3 for its factor; memory D^2 and a block of features, or all N D of them
/// if they are not many, for they are V, too.
/// Reference: Sonoda, Ishikawa, Ikeda, "Ridge regression with over-parametrized two-layer networks converge
/// to ridgelet spectrum" (AISTATS 2021): as N grows it tends to a ridgelet transform.
#pragma once

#include <vector>

#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/transform/operator.hpp"

namespace ridgelet {

class LeastSquaresOperator final : public Operator {
 public:
  LeastSquaresOperator(const Activation& activation, const Nodes& nodes, double ridge,
                       const BlockSizes& blocks = {});

  /// False where S + ... is not positive definite in double precision: the ridge is too small, or every unit
  /// is zero at every node, as a few ReLU units may be.
  bool condition(const Preactivations& at_nodes) override;
  InvalidArgument impossibility() const override;
  void analyse(std::span<double> preactivations) const override {
    activation_.phi(preactivations, preactivations);
  }
  std::optional<MatrixView> analysed(Index first, Index count) const override;
  void mix_into(const MatrixView& F, MatrixSpan mixed) const override;

 private:
  /// The lower triangle of S over all nodes, summed over blocks of units, into S_.
  void accumulate_gram_matrix(const Preactivations& at_nodes);

  Activation activation_;
  double ridge_;
  BlockSizes blocks_;
  double tau_ = 0;
  Vector penalty_;              ///< u_mean / u_j at the nodes kept, 0 at those left out
  std::vector<Index> dropped_;  ///< nodes with u_j = 0
  Matrix features_;             ///< Phi_q, or a block of it
  bool keeps_features_ = false;
  Matrix S_;
  Cholesky regularised_;  ///< of S + ridge tau diag(u_mean / u_j); the identity at the nodes left out
};

}  // namespace ridgelet
