#include "ridgelet/transform/least_squares_operator.hpp"

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/linalg/blocked.hpp"

namespace ridgelet {

LeastSquaresOperator::LeastSquaresOperator(const Activation& activation, const Nodes& nodes, double ridge,
                                           const BlockSizes& blocks)
    : activation_(activation), ridge_(ridge), blocks_(blocks), penalty_(Vector::Zero(nodes.size())) {
  for (Index j = 0; j < nodes.size(); ++j)
    if (nodes.weights(j) == 0) dropped_.push_back(j);
  const auto kept = static_cast<double>(nodes.size()) - static_cast<double>(dropped_.size());
  const double mean_weight = nodes.weights.sum() / kept;
  for (Index j = 0; j < nodes.size(); ++j)
    if (nodes.weights(j) > 0) penalty_(j) = mean_weight / nodes.weights(j);
}

void LeastSquaresOperator::accumulate_gram_matrix(const Preactivations& at_nodes) {
  const Index D = at_nodes.sites();
  S_.setZero(D, D);
  keeps_features_ = D * at_nodes.units() <= blocks_.kept_features;
  const Index block = keeps_features_ ? at_nodes.units() : std::min(blocks_.units, at_nodes.units());
  features_.resize(D, block);
  const auto phi = [&](std::span<double> z) { activation_.phi(z, z); };
  const auto add_block = [&](Index first, Index count) {
    at_nodes.evaluate(first, features_.leftCols(count), phi, blocks_);
    accumulate_gram(S_, features_.leftCols(count), blocks_.tile);
  };
  for_each_unit_block(at_nodes.units(), add_block, block);
}

std::optional<MatrixView> LeastSquaresOperator::analysed(Index first, Index count) const {
  if (!keeps_features_) return std::nullopt;
  return features_.middleCols(first, count);
}

bool LeastSquaresOperator::condition(const Preactivations& at_nodes) {
  accumulate_gram_matrix(at_nodes);
  // A node left out becomes a row and column of the identity: the others are solved as if it were not there.
  for (Index j : dropped_) {
    S_.row(j).setZero();
    S_.col(j).setZero();
  }
  tau_ = S_.trace() / static_cast<double>(S_.rows() - static_cast<Index>(dropped_.size()));
  S_.diagonal() += ridge_ * tau_ * penalty_;
  for (Index j : dropped_) S_(j, j) = 1;
  return regularised_.compute(S_);
}

InvalidArgument LeastSquaresOperator::impossibility() const {
  if (tau_ == 0)
    return {"units", "every unit is zero at every node, so no weights can be found; draw again or use more"};
  return {"ridge",
          "must be large enough for S + ridge to be positive definite in double precision (1e-12 usually "
          "is), got " +
              shortest(ridge_)};
}

void LeastSquaresOperator::mix_into(const MatrixView& F, MatrixSpan mixed) const {
  mixed = F;
  for (Index j : dropped_) mixed.row(j).setZero();
  regularised_.solve_in_place(mixed);
}

}  // namespace ridgelet
