/// The paper's operator: the discretised ridgelet transform,
///   B_ij = v u_j psi(W_i . x_j + b_i),   v = Z / N,
/// a Monte Carlo rule over (W, b) and a cubature rule over x. Its error falls as N^{-1/2}.
/// T does not depend on the hidden layer, so backwards zbar = psi'(z) o (Y weightsbar^T).
/// Cost N D evaluations of psi. Reference: Definition 1 and Assumptions 2 and 3 of the paper.
#pragma once

#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/transform/member_buffers.hpp"
#include "ridgelet/transform/operator.hpp"

namespace ridgelet {

class RidgeletOperator final : public Operator {
 public:
  RidgeletOperator(ActivationPair pair, const Nodes& nodes, double total_measure, Index units);

  /// The scale depends on the number of units only, and any hidden layer will do.
  bool condition(const Preactivations&) override { return true; }
  std::optional<double> cutoff() const override { return pair_.cutoff(); }
  void analyse(std::span<double> preactivations) const override { pair_.psi(preactivations, preactivations); }
  void mix_into(const MatrixView& F, MatrixSpan mixed) const override { mixed = scale_.asDiagonal() * F; }
  void start_pull_back(const Preactivations& at_nodes, const MatrixView& mixed, const MatrixView& weights_bar,
                       Index most_units) override;
  void pull_back(int member, Index first, const MatrixView& mixed, const MatrixView& weights_bar,
                 MatrixSpan z) override;

 private:
  ActivationPair pair_;
  Vector scale_;  ///< Z u_j / N
  MemberBuffers slopes_;
};

}  // namespace ridgelet
