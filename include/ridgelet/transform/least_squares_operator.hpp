/// The operator that makes few units enough: of all linear maps from node values to output weights, the
/// regularised least-squares one for this hidden layer,
///   B = Phi_q^T ( S + ridge tau diag(u_mean / u_j) )^{-1},   S = Phi_q Phi_q^T,   tau = trace(S) / D,
/// with Phi_q the features at the nodes (D x N). Nodes with u_j = 0 are left out: their columns of B are
/// zero, and D and u_mean are over the others. tau makes the ridge free of scale. It needs no psi.
///
/// Special case: as the ridge vanishes and N >= D, the network passes through the node values exactly.
/// Cost N D^2 for S (a sum over units), D^3 / 3 for its factor; memory D^2 and a block of features. If all N D features
/// are not too many (BlockSizes::kept_features) they are kept, since they are also V (operator.hpp).
///
/// Backwards, with C = S + ridge tau diag(p), p_j = u_mean / u_j, Y = C^{-1} F and Ybar = Phi_q weightsbar:
///   X = C^{-1} Ybar,   taubar = -ridge sum_j p_j (X Y^T)_jj,
///   Phi_qbar = Y weightsbar^T - (X Y^T + Y X^T) Phi_q + 2 (taubar / D) Phi_q
/// at the nodes kept, zero at the others. For r columns of F, the matrix X Y^T + Y X^T (D x D) of the middle term is
/// formed if that is cheaper than products with X and Y, 6 r > 2 D. Cost N D (2 D + 4 r) or 10 N D r.
///
/// Reference: Sonoda, Ishikawa, Ikeda, "Ridge regression with over-parametrized two-layer networks converge
/// to ridgelet spectrum" (AISTATS 2021): as N grows it tends to a ridgelet transform.
#pragma once

#include <vector>

#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/transform/member_buffers.hpp"
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
  void start_pull_back(const Preactivations& at_nodes, const MatrixView& mixed, const MatrixView& weights_bar,
                       Index most_units) override;
  void pull_back(int member, Index first, const MatrixView& mixed, const MatrixView& weights_bar,
                 MatrixSpan z) override;

 private:
  /// The lower triangle of S over all nodes, summed over blocks of units, into S_.
  void accumulate_gram_matrix(const Preactivations& at_nodes);

  /// Calls visit(first, features at the nodes of units from first on) for blocks of all units.
  template <class Visit>
  void for_each_feature_block(const Preactivations& at_nodes, Visit&& visit);

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

  // For the adjoint.
  Matrix solved_;             ///< -X
  Matrix mixing_;             ///< -(X Y^T + Y X^T), or [Y, -X] where that is cheaper
  bool mixes_nodes_ = false;  ///< which of the two
  double trace_slope_ = 0;    ///< 2 taubar / D
  MemberBuffers slopes_, phi_, projections_;
};

}  // namespace ridgelet
