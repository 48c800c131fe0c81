#include "ridgelet/inference/linear_gaussian.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

Cholesky definite(Matrix matrix) {
  auto factor = Cholesky::of(std::move(matrix));
  if (!factor)
    throw InvalidArgument("noise",
                          "must not be so small that the data's covariance is singular in double precision");
  return std::move(*factor);
}

}  // namespace

LinearGaussianPosterior::LinearGaussianPosterior(Gaussian output, const VectorView& y, double noise)
    : G_(std::move(output.factor)), noise_(noise) {
  require_positive(noise, "noise");
  require_rows(y, G_.rows(), "y");
  require_finite(y, "y");
  const Vector r = y - output.mean;
  if (G_.rows() <= G_.cols())
    condition_on_data_space(r);
  else
    condition_on_coordinates(r);
}

void LinearGaussianPosterior::condition_on_data_space(const Vector& r) {
  Matrix C = G_ * G_.transpose();
  C.diagonal().array() += noise_ * noise_;
  factor_ = definite(std::move(C));
  const Vector weights = factor_->solve(r);
  z_mean_ = G_.transpose() * weights;
  const double M = static_cast<double>(r.size());
  log_marginal_likelihood_ =
      -0.5 * (r.dot(weights) + factor_->log_determinant() + M * std::log(2 * std::numbers::pi));
}

void LinearGaussianPosterior::condition_on_coordinates(const Vector& r) {
  const double s2 = noise_ * noise_;
  Matrix P = G_.transpose() * G_ / s2;
  P.diagonal().array() += 1;
  factor_ = definite(std::move(P));
  const Vector Gr = G_.transpose() * r;
  z_mean_ = factor_->solve(Gr) / s2;
  const double M = static_cast<double>(r.size());
  const double misfit = (r.squaredNorm() - Gr.dot(z_mean_)) / s2;
  log_marginal_likelihood_ =
      -0.5 * (factor_->log_determinant() + M * std::log(2 * std::numbers::pi * s2) + misfit);
}

Prediction LinearGaussianPosterior::predict(const Gaussian& output) const {
  const Matrix& G = output.factor;
  Prediction prediction{.mean = output.at(z_mean_), .variance = Vector()};
  if (G_.rows() <= G_.cols()) {
    const Matrix explained = factor_->whiten(G_ * G.transpose());
    prediction.variance = output.variance() - explained.colwise().squaredNorm().transpose();
  } else {
    prediction.variance = factor_->whiten(G.transpose()).colwise().squaredNorm();
  }
  return prediction;
}

}  // namespace ridgelet
