#include "ridgelet/target/gaussian_process.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/target/process_at_points.hpp"

namespace ridgelet {

namespace {

Cholesky noisy_covariance(const GaussianProcess& process, const Matrix& X, double noise) {
  require_positive(noise, "noise");
  require_finite(X, "X");
  require_nonempty(X, "X");
  process.validate_dimension(X.cols());
  Matrix C = process.kernel.matrix(X, X);
  C.diagonal().array() += noise * noise;
  auto factor = Cholesky::of(std::move(C));
  if (!factor)
    throw InvalidArgument("noise",
                          "must be larger: with " + shortest(noise) +
                              " the covariance of the data is not positive definite in double precision");
  return std::move(*factor);
}

}  // namespace

Gaussian GaussianProcess::prior(const MatrixView& X) const {
  require_nonempty(X, "X");
  require_finite(X, "X");
  const ProcessAtPoints at_X(*this, X);
  return {.mean = at_X.mean(), .factor = at_X.factor().L};
}

Vector GaussianProcess::finite_mean(const MatrixView& X) const {
  Vector m = mean(X);
  if (!m.allFinite())
    throw InvalidArgument("mean", "must be finite at every point, and '" + mean.text() + "' is not");
  return m;
}

void GaussianProcess::validate_dimension(Index d) const {
  kernel.validate_dimension(d);
  mean.validate_dimension(d, "mean");
}

GaussianProcessPosterior::GaussianProcessPosterior(GaussianProcess process, Matrix X, const VectorView& y,
                                                   double noise)
    : process_(std::move(process)), X_(std::move(X)), C_(noisy_covariance(process_, X_, noise)) {
  require_rows(y, X_.rows(), "y");
  require_finite(y, "y");
  const Vector residual = y - process_.finite_mean(X_);
  weights_ = C_.solve(residual);
  const double M = static_cast<double>(y.size());
  log_marginal_likelihood_ =
      -0.5 * (residual.dot(weights_) + C_.log_determinant() + M * std::log(2 * std::numbers::pi));
}

Vector GaussianProcessPosterior::mean(const MatrixView& Xs) const {
  require_nonempty(Xs, "Xs");
  require_finite(Xs, "Xs");
  require_columns(Xs, X_.cols(), "Xs");
  return process_.mean(Xs) + process_.kernel.matrix(Xs, X_) * weights_;
}

Vector GaussianProcessPosterior::variance(const MatrixView& Xs) const {
  require_nonempty(Xs, "Xs");
  require_finite(Xs, "Xs");
  require_columns(Xs, X_.cols(), "Xs");
  const Matrix explained = C_.whiten(process_.kernel.matrix(X_, Xs));
  return process_.kernel.diagonal(Xs) - explained.colwise().squaredNorm().transpose();
}

Matrix GaussianProcessPosterior::covariance(const MatrixView& X1, const MatrixView& X2) const {
  require_nonempty(X1, "X1");
  require_nonempty(X2, "X2");
  require_finite(X1, "X1");
  require_finite(X2, "X2");
  require_columns(X1, X_.cols(), "X1");
  require_columns(X2, X_.cols(), "X2");
  const Matrix left = C_.whiten(process_.kernel.matrix(X_, X1));
  const Matrix right = C_.whiten(process_.kernel.matrix(X_, X2));
  return process_.kernel.matrix(X1, X2) - left.transpose() * right;
}

}  // namespace ridgelet
