#include "ridgelet/prior/given_hidden.hpp"

#include <fmt/format.h>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/transform/feature_product.hpp"

namespace ridgelet {

namespace {

void validate(const RidgeletPrior& prior, const HiddenLayers& layers) {
  if (static_cast<Index>(layers.depth()) != prior.options().layers)
    throw InvalidArgument(
        "layers", fmt::format("must be {} hidden layers, got {}", prior.options().layers, layers.depth()));
  for (std::size_t l = 0; l < layers.depth(); ++l) {
    ridgelet::validate(layers[l]);
    require_columns(layers[l].W, l == 0 ? prior.dimension() : prior.rank(), "W");
  }
}

std::shared_ptr<const HiddenPath> condition(const RidgeletPrior& prior, const HiddenLayers& layers) {
  validate(prior, layers);
  const auto path = std::make_shared<HiddenPath>(prior);
  if (!path->condition(layers)) throw path->impossibility();
  return path;
}

}  // namespace

Vector rmse_of(const Gaussian& network, const RidgeletPrior::Kriging& kriging, const VectorView& mean) {
  const Vector bias = mean - network.mean;
  const Vector spread = (kriging.coordinates.transpose() - network.factor).rowwise().squaredNorm();
  return (kriging.floor.array().square() + spread.array() + bias.array().square()).sqrt();
}

GivenHidden::GivenHidden(const RidgeletPrior& prior, const HiddenLayers& layers)
    : prior_(&prior), path_(condition(prior, layers)) {}

template <class Visit>
void GivenHidden::for_each_block(Visit&& visit) const {
  for_each_weight_block(path_->op(), path_->at_nodes(), path_->mixed(), visit);
}

Gaussian GivenHidden::output(const MatrixView& X, const std::string& argument) const {
  require_nonempty(X, argument);
  require_columns(X, prior_->dimension(), argument);
  require_finite(X, argument);
  HiddenWalk walk(path_->layers().depth());
  const Preactivations& at_sites = path_->at(X, walk);
  FeatureProduct product;
  Matrix mean_and_factor = Matrix::Zero(X.rows(), 1 + prior_->rank());
  for_each_block([&](Index first, const MatrixView& weights) {
    product.accumulate_block(prior_->activation(), at_sites, first, weights, mean_and_factor);
  });
  return {.mean = mean_and_factor.col(0), .factor = mean_and_factor.rightCols(prior_->rank())};
}

Matrix GivenHidden::covariance(const MatrixView& X1, const MatrixView& X2) const {
  return output(X1, "X1").factor * output(X2, "X2").factor.transpose();
}

Vector GivenHidden::rmse(const MatrixView& X) const {
  return rmse_of(output(X), prior_->kriging(X), prior_->options().target.mean(X));
}

Gaussian GivenHidden::weights() const {
  const Index units = path_->at_nodes().units();
  Gaussian w{.mean = Vector(units), .factor = Matrix(units, prior_->rank())};
  for_each_block([&](Index first, const MatrixView& rows) {
    w.mean.segment(first, rows.rows()) = rows.col(0);
    w.factor.middleRows(first, rows.rows()) = rows.rightCols(rows.cols() - 1);
  });
  return w;
}

Vector GivenHidden::weights_at(const VectorView& z) const {
  require_rows(z, prior_->rank(), "z");
  const Vector mixed = path_->mixed().col(0) + path_->mixed().rightCols(z.size()) * z;
  Vector w(path_->at_nodes().units());
  for_each_weight_block(path_->op(), path_->at_nodes(), mixed,
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
  const Index D = prior_->options().nodes.size();
  Matrix B(path_->at_nodes().units(), D);
  const Matrix T = path_->op().mix(Matrix::Identity(D, D));
  for_each_weight_block(path_->op(), path_->at_nodes(), T, [&](Index first, const MatrixView& rows) {
    B.middleRows(first, rows.rows()) = rows;
  });
  return B;
}

}  // namespace ridgelet
