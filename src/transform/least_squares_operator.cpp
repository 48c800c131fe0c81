#include "ridgelet/transform/least_squares_operator.hpp"

#include <algorithm>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

/// E = A B^T + B A^T; threads take panels of `panel` columns.
void set_symmetric_product(MatrixSpan E, const MatrixView& A, const MatrixView& B, Index panel) {
  parallel_for((E.cols() + panel - 1) / panel, [&](Index p) {
    const Index j = p * panel, count = std::min(panel, E.cols() - j);
    set_product_transposed(E.middleCols(j, count), A, B.middleRows(j, count));
    add_product_transposed(E.middleCols(j, count), B, A.middleRows(j, count));
  });
}

}  // namespace

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

template <class Visit>
void LeastSquaresOperator::for_each_feature_block(const Preactivations& at_nodes, Visit&& visit) {
  const auto phi = [&](std::span<double> z) { activation_.phi(z, z); };
  const auto evaluate_and_visit = [&](Index first, Index count) {
    auto features = features_.leftCols(count);
    at_nodes.evaluate(first, features, phi, blocks_);
    visit(first, MatrixView(features));
  };
  for_each_unit_block(at_nodes.units(), evaluate_and_visit, features_.cols());
}

void LeastSquaresOperator::accumulate_gram_matrix(const Preactivations& at_nodes) {
  const Index D = at_nodes.sites();
  S_.setZero(D, D);
  keeps_features_ = D * at_nodes.units() <= blocks_.kept_features;
  features_.resize(D, keeps_features_ ? at_nodes.units() : std::min(blocks_.units, at_nodes.units()));
  for_each_feature_block(at_nodes,
                         [&](Index, const MatrixView& Phi) { accumulate_gram(S_, Phi, blocks_.tile); });
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

void LeastSquaresOperator::start_pull_back(const Preactivations& at_nodes, const MatrixView& mixed,
                                           const MatrixView& weights_bar, Index most_units) {
  const Index D = mixed.rows(), r = mixed.cols();
  solved_.setZero(D, r);
  const auto add_block = [&](Index first, const MatrixView& Phi) {
    accumulate_product(solved_, Phi, weights_bar.middleRows(first, Phi.cols()), blocks_.tile);
  };
  if (keeps_features_)
    add_block(0, features_);
  else
    for_each_feature_block(at_nodes, add_block);
  for (Index j : dropped_) solved_.row(j).setZero();
  regularised_.solve_in_place(solved_);
  solved_ = -solved_;
  double tau_bar = 0;
  for (Index j = 0; j < D; ++j) tau_bar += ridge_ * penalty_(j) * solved_.row(j).dot(mixed.row(j));
  trace_slope_ = 2 * tau_bar / static_cast<double>(D - static_cast<Index>(dropped_.size()));
  mixes_nodes_ = 3 * r > D;
  mixing_.resize(D, mixes_nodes_ ? D : 2 * r);
  if (mixes_nodes_)
    set_symmetric_product(mixing_, solved_, mixed, blocks_.tile.cols);
  else
    mixing_ << mixed, solved_;
  slopes_.make_room(D * most_units);
  phi_.make_room(keeps_features_ ? 0 : D * most_units);
  projections_.make_room(mixes_nodes_ ? 0 : 2 * r * most_units);
}

void LeastSquaresOperator::pull_back(int member, Index first, const MatrixView& mixed,
                                     const MatrixView& weights_bar, MatrixSpan z) {
  const Index D = z.rows(), count = z.cols(), r = mixed.cols();
  const std::span<double> numbers(z.data(), static_cast<std::size_t>(z.size()));
  const auto own_phi = [&]() -> MatrixView {
    auto phi = phi_.of(member, D, count);
    activation_.phi(numbers, {phi.data(), numbers.size()});
    return phi;
  };
  const MatrixView Phi = keeps_features_ ? MatrixView(features_.middleCols(first, count)) : own_phi();
  auto slopes = slopes_.of(member, D, count);
  set_product_transposed(slopes, mixed, weights_bar);
  if (mixes_nodes_) {
    add_product(slopes, mixing_, Phi);
  } else {
    auto seen_by = projections_.of(member, 2 * r, count);  // [Y, -X]^T Phi
    set_transposed_product(seen_by, mixing_, Phi);
    add_product(slopes, solved_, seen_by.topRows(r));
    add_product(slopes, mixed, seen_by.bottomRows(r));
  }
  slopes += trace_slope_ * Phi;
  for (Index j : dropped_) slopes.row(j).setZero();
  activation_.derivative(numbers, numbers);
  z.array() *= slopes.array();
}

}  // namespace ridgelet
