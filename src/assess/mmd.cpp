#include "ridgelet/assess/mmd.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/cholesky.hpp"

namespace ridgelet {

namespace {

void validate_covariance(const MatrixView& S, const std::string& argument) {
  require_nonempty(S, argument);
  require_finite(S, argument);
  if (S.rows() != S.cols())
    throw InvalidArgument(argument, fmt::format("must be square, got {} x {}", S.rows(), S.cols()));
  if ((S - S.transpose()).cwiseAbs().maxCoeff() > 1e-8 * S.cwiseAbs().maxCoeff())
    throw InvalidArgument(argument, "must be symmetric");
}

/// E exp(-|delta + Y|^2 / alpha^2) for Y ~ N(0, S): with I + 2 S / alpha^2 = C,
///   det(C)^{-1/2} exp( -delta^T C^{-1} delta / alpha^2 ).
double expected_kernel(const Matrix& S, const Vector& delta, double inverse_alpha_squared,
                       const std::string& argument) {
  Matrix scaled = 2 * inverse_alpha_squared * S;
  scaled.diagonal().array() += 1;
  const auto factor = Cholesky::of(std::move(scaled));
  if (!factor) throw InvalidArgument(argument, "must be positive semi-definite");
  const double distance = factor->whiten(delta).squaredNorm();
  return std::exp(-0.5 * factor->log_determinant() - inverse_alpha_squared * distance);
}

double mmd2_of_gaussians(const Matrix& S1, const Matrix& S2, const Vector& delta,
                         double inverse_alpha_squared) {
  const Vector none = Vector::Zero(delta.size());
  return expected_kernel(2 * S1, none, inverse_alpha_squared, "S1") -
         2 * expected_kernel(S1 + S2, delta, inverse_alpha_squared, "S1") +
         expected_kernel(2 * S2, none, inverse_alpha_squared, "S2");
}

/// The mean of exp(-|y_i - z_j|^2 / alpha^2) over all pairs.
double mean_kernel(const Matrix& Y, const Matrix& Z, double inverse_alpha_squared) {
  Vector sums(Y.cols());
  parallel_for(Y.cols(), [&](Index i) {
    sums(i) = (-inverse_alpha_squared * (Z.colwise() - Y.col(i)).colwise().squaredNorm().array()).exp().sum();
  });
  return sums.sum() / (static_cast<double>(Y.cols()) * static_cast<double>(Z.cols()));
}

}  // namespace

double gaussian_mmd2(const MatrixView& S1, const MatrixView& S2, double inverse_alpha_squared) {
  require_positive(inverse_alpha_squared, "inverse_alpha_squared");
  validate_covariance(S1, "S1");
  validate_covariance(S2, "S2");
  require_rows(S2, S1.rows(), "S2");
  return mmd2_of_gaussians(S1, S2, Vector::Zero(S1.rows()), inverse_alpha_squared);
}

double gaussian_mmd2(const Gaussian& one, const Gaussian& other, double inverse_alpha_squared) {
  require_positive(inverse_alpha_squared, "inverse_alpha_squared");
  require_rows(other.mean, one.mean.size(), "other");
  return mmd2_of_gaussians(one.factor * one.factor.transpose(), other.factor * other.factor.transpose(),
                           one.mean - other.mean, inverse_alpha_squared);
}

double sample_mmd2(const MatrixView& Y, const MatrixView& Z, double inverse_alpha_squared) {
  require_positive(inverse_alpha_squared, "inverse_alpha_squared");
  require_at_least(Y.rows(), 1, "Y");
  require_at_least(Z.rows(), 1, "Z");
  require_columns(Z, Y.cols(), "Z");
  require_finite(Y, "Y");
  require_finite(Z, "Z");
  // One draw a column, so that a draw is contiguous.
  const Matrix y = Y.transpose(), z = Z.transpose();
  return mean_kernel(y, y, inverse_alpha_squared) - 2 * mean_kernel(y, z, inverse_alpha_squared) +
         mean_kernel(z, z, inverse_alpha_squared);
}

}  // namespace ridgelet
