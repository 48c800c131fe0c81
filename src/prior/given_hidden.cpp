#include "ridgelet/prior/given_hidden.hpp"

#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/transform/feature_product.hpp"

namespace ridgelet {

namespace {

HiddenLayer validated(const RidgeletPrior& prior, HiddenLayer layer) {
  validate(layer);
  require_columns(layer.W, prior.dimension(), "W");
  return layer;
}

Matrix side_by_side(const Vector& m, const Matrix& L) {
  Matrix both(m.size(), 1 + L.cols());
  both << m, L;
  return both;
}

}  // namespace

GivenHidden::GivenHidden(const RidgeletPrior& prior, HiddenLayer layer)
    : prior_(&prior), layer_(std::make_shared<HiddenLayer>(validated(prior, std::move(layer)))) {
  const PriorOptions& options = prior.options();
  const Preactivations at_nodes(*layer_, options.nodes.points);
  op_ = make_operator(options.op, prior.pair(), options.nodes, options.hidden, at_nodes);
  mixed_ = op_->mix(side_by_side(prior.node_mean(), prior.node_factor().L));
}

template <class Visit>
void GivenHidden::for_each_block(Visit&& visit) const {
  const Preactivations at_nodes(*layer_, prior_->options().nodes.points);
  for_each_weight_block(*op_, at_nodes, mixed_, visit);
}

Gaussian GivenHidden::output(const MatrixView& X, const std::string& argument) const {
  require_nonempty(X, argument);
  require_columns(X, prior_->dimension(), argument);
  require_finite(X, argument);
  const Matrix sites = X;
  const Preactivations at_sites(*layer_, sites);
  FeatureProduct product;
  Matrix mean_and_factor = Matrix::Zero(sites.rows(), mixed_.cols());
  for_each_block([&](Index first, const MatrixView& weights) {
    product.accumulate_block(prior_->pair(), at_sites, first, weights, mean_and_factor);
  });
  return {.mean = mean_and_factor.col(0), .factor = mean_and_factor.rightCols(mixed_.cols() - 1)};
}

Matrix GivenHidden::covariance(const MatrixView& X1, const MatrixView& X2) const {
  return output(X1, "X1").factor * output(X2, "X2").factor.transpose();
}

Vector GivenHidden::rmse(const MatrixView& X) const {
  const Gaussian network = output(X);
  const auto [c, floor] = prior_->kriging(X);
  const Vector bias = prior_->options().target.mean(X) - network.mean;
  const Vector spread = (c.transpose() - network.factor).rowwise().squaredNorm();
  return (floor.array().square() + spread.array() + bias.array().square()).sqrt();
}

Gaussian GivenHidden::weights() const {
  Gaussian w{.mean = Vector(layer_->units()), .factor = Matrix(layer_->units(), mixed_.cols() - 1)};
  for_each_block([&](Index first, const MatrixView& rows) {
    w.mean.segment(first, rows.rows()) = rows.col(0);
    w.factor.middleRows(first, rows.rows()) = rows.rightCols(rows.cols() - 1);
  });
  return w;
}

Vector GivenHidden::weights_at(const VectorView& z) const {
  require_rows(z, prior_->rank(), "z");
  const Vector mixed = mixed_.col(0) + mixed_.rightCols(z.size()) * z;
  Vector w(layer_->units());
  const Preactivations at_nodes(*layer_, prior_->options().nodes.points);
  for_each_weight_block(*op_, at_nodes, mixed,
                        [&](Index first, const MatrixView& rows) { w.segment(first, rows.rows()) = rows; });
  return w;
}

double GivenHidden::weight_norm() const {
  double squared = 0;
  for_each_block([&](Index, const MatrixView& rows) { squared += rows.squaredNorm(); });
  return std::sqrt(squared);
}

double GivenHidden::log_density(const VectorView& w) const {
  return log_density_on_support(weights(), w, "w");
}

Matrix GivenHidden::operator_matrix() const {
  const Nodes& nodes = prior_->options().nodes;
  Matrix B(layer_->units(), nodes.size());
  const Preactivations at_nodes(*layer_, nodes.points);
  const Matrix T = op_->mix(Matrix::Identity(nodes.size(), nodes.size()));
  for_each_weight_block(*op_, at_nodes, T, [&](Index first, const MatrixView& rows) {
    B.middleRows(first, rows.rows()) = rows;
  });
  return B;
}

}  // namespace ridgelet
