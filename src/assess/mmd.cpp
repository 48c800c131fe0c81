#include "ridgelet/assess/mmd.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/square_root.hpp"
#include "ridgelet/linalg/svd.hpp"

namespace ridgelet {

namespace {

/// A negative eigenvalue within this part of the largest is rounding.
constexpr double definiteness_tolerance = 1e-8;

void validate_covariance(const MatrixView& S, const std::string& argument) {
  require_nonempty(S, argument);
  require_finite(S, argument);
  if (S.rows() != S.cols())
    throw InvalidArgument(argument, fmt::format("must be square, got {} x {}", S.rows(), S.cols()));
  if ((S - S.transpose()).cwiseAbs().maxCoeff() > 1e-8 * S.cwiseAbs().maxCoeff())
    throw InvalidArgument(argument, "must be symmetric");
}

/// e(S) = det(I + 2 S / alpha^2)^{-1/2} by the eigenvalues of S.
double expected_kernel(const Matrix& S, double inverse_alpha_squared, const std::string& argument) {
  const Vector eigenvalues = symmetric_eigenvalues(S);
  if (eigenvalues.minCoeff() < -definiteness_tolerance * eigenvalues.cwiseAbs().maxCoeff())
    throw InvalidArgument(argument, "must be positive semi-definite");
  return std::exp(-0.5 * (2 * inverse_alpha_squared * eigenvalues.array().max(0)).log1p().sum());
}

/// E exp(-|delta + Y|^2 / alpha^2) for Y = F z: with C = I + 2 F F^T / alpha^2,
///   det(C)^{-1/2} exp( -delta^T C^{-1} delta / alpha^2 ),
/// by a QR decomposition of [ I; (2 / alpha^2)^{1/2} F^T ], whose triangular factor T has T^T T = C.
double expected_kernel(const Matrix& F, const Vector& delta, double inverse_alpha_squared) {
  StackedFactor factor;
  factor.start(Vector::Ones(F.rows()));
  Matrix rows = std::sqrt(2 * inverse_alpha_squared) * F.transpose();
  factor.append(rows);
  Vector whitened = delta;
  factor.solve_transposed_in_place(whitened);
  return std::exp(-factor.log_determinant(F.rows()) - inverse_alpha_squared * whitened.squaredNorm());
}

Matrix side_by_side(const Matrix& F1, const Matrix& F2) {
  Matrix both(F1.rows(), F1.cols() + F2.cols());
  both << F1, F2;
  return both;
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
  const double c = inverse_alpha_squared;
  return expected_kernel(2 * S1, c, "S1") - 2 * expected_kernel(S1 + S2, c, "S1") +
         expected_kernel(2 * S2, c, "S2");
}

double gaussian_mmd2(const Gaussian& one, const Gaussian& other, double inverse_alpha_squared) {
  require_positive(inverse_alpha_squared, "inverse_alpha_squared");
  require_nonempty(one.mean, "one");
  require_rows(one.factor, one.mean.size(), "one");
  require_rows(other.mean, one.mean.size(), "other");
  require_rows(other.factor, one.mean.size(), "other");
  const Vector delta = one.mean - other.mean, none = Vector::Zero(delta.size());
  const double c = inverse_alpha_squared;
  // Twice a covariance has sqrt(2) times the factor; the covariances of a sum, their factors side by side.
  return expected_kernel(std::sqrt(2.0) * one.factor, none, c) -
         2 * expected_kernel(side_by_side(one.factor, other.factor), delta, c) +
         expected_kernel(std::sqrt(2.0) * other.factor, none, c);
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
