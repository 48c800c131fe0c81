#include "ridgelet/target/gaussian_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/target/process_at_points.hpp"

namespace ridgelet {

namespace {

/// The largest k(x, x) / noise^2 at which C = k + noise^2 I keeps enough digits of the noise.
constexpr double largest_ratio = 1e8;

/// Beyond that ratio a factor is used: variances below this part of their mean are rounding errors of the kernel.
constexpr double factor_tolerance = 1e-15;

/// How far rounding may move the mean at the data, as a part of the largest residual. Between the data, and a little
/// beyond them, it moves the mean by up to a hundred times as much, so that three digits are left.
constexpr double largest_shift = 1e-5;

/// Beyond these, squares of standard deviations lose digits or overflow.
constexpr double least_square = 1e-290, largest_noise = 1e150;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Whether rounding changes the values of a kernel by one factor in each row and column, or not at all: then the factor
/// of the kernel has the error of a double. That is taken to hold for kernels that have no parameter but an amplitude:
/// constant, linear, white and outer.
bool keeps_its_rank(const Kernel& term) {
  return std::ranges::all_of(term.parameters(),
                             [](const KernelParameter& each) { return each.kind == "amplitude"; });
}

/// The largest k(x, x) of the terms whose rounding is not known to be harmless.
double rounded_variance(const Kernel& kernel, const MatrixView& X) {
  Vector sum = Vector::Zero(X.rows());
  for (const Kernel& term : kernel.terms())
    if (!keeps_its_rank(term)) sum += term.diagonal(X);
  return sum.maxCoeff();
}

/// k(x, x) at every row. Throws InvalidArgument unless it is finite.
Vector finite_variance(const Kernel& kernel, const MatrixView& X) {
  Vector variance = kernel.diagonal(X);
  if (!variance.allFinite())
    throw InvalidArgument("kernel", "must be finite at every point, and '" + kernel.text() + "' is not");
  return variance;
}

void require_squares(double variance, double noise) {
  constexpr auto other_units = "; give y, noise and kernel in other units";
  if (noise > largest_noise)
    throw InvalidArgument("noise", "must be at most " + shortest(largest_noise) + ", got " + shortest(noise) +
                                       ", whose square overflows" + other_units);
  if (variance > 0 && variance < least_square)
    throw InvalidArgument("kernel", "must be larger: doubles lose digits of variances below " +
                                        shortest(least_square) + other_units);
  if (noise * noise < least_square)
    throw InvalidArgument(
        "noise", "must be larger: doubles lose digits of the square of " + shortest(noise) + other_units);
}

/// C1^T C2, which threads share.
Matrix shared_products(const Matrix& C1, const Matrix& C2) {
  Matrix products = Matrix::Zero(C1.cols(), C2.cols());
  accumulate_transposed_product(products, C1, C2);
  return products;
}

/// Rounding errors of k move the mean at the data by at most epsilon k |C^{-1} r|_1. There C^{-1} r = misfit / noise^2,
/// where the misfit is what the mean leaves of r. The misfit is rounded itself, so that k / noise^2 beyond 1e26 is
/// refused in any case.
void require_digits(const Vector& residual, const Vector& misfit, double variance, double noise) {
  const double largest = residual.cwiseAbs().maxCoeff();
  const double shift = epsilon * variance * (misfit.lpNorm<1>() / noise / noise);
  if (!(shift <= largest_shift * largest))
    throw InvalidArgument("noise",
                          "must be larger: with " + shortest(noise) +
                              " the kernel can follow the data only by digits that doubles do not have");
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
    : process_(std::move(process)), X_(std::move(X)) {
  require_positive(noise, "noise");
  require_finite(X_, "X");
  require_nonempty(X_, "X");
  process_.validate_dimension(X_.cols());
  require_rows(y, X_.rows(), "y");
  require_finite(y, "y");
  const Vector residual = y - process_.finite_mean(X_);
  const double largest = finite_variance(process_.kernel, X_).maxCoeff();
  require_squares(largest, noise);
  if (largest <= largest_ratio * noise * noise)
    condition_by_covariance(residual, noise);
  else
    condition_by_factor(residual, noise);
}

void GaussianProcessPosterior::condition_by_covariance(const Vector& residual, double noise) {
  if (!C_.compute(process_.kernel.matrix(X_, X_), 1, noise * noise))
    throw InvalidArgument("noise",
                          "must be larger: with " + shortest(noise) +
                              " the covariance of the data is not positive definite in double precision");
  weights_ = C_.solve(residual);
  const double M = static_cast<double>(residual.size());
  log_marginal_likelihood_ =
      -0.5 * (residual.dot(weights_) + C_.log_determinant() + M * std::log(2 * std::numbers::pi));
  if (!std::isfinite(log_marginal_likelihood_))
    throw InvalidArgument("y",
                          "must be smaller beside kernel and noise: its evidence overflows at values up to " +
                              shortest(residual.cwiseAbs().maxCoeff()));
}

void GaussianProcessPosterior::condition_by_factor(const Vector& residual, double noise) {
  z_ = std::make_shared<const ProcessAtPoints>(process_, X_, factor_tolerance);
  const Index M = X_.rows(), R = z_->rank();
  Matrix rows(M, R + 1);
  rows << z_->factor().L, residual;
  if (!root_.condition(rows, noise))
    throw InvalidArgument("noise", "must be larger: with " + shortest(noise) + " the evidence overflows");
  require_digits(residual, residual - z_->factor().L * root_.mean(), rounded_variance(process_.kernel, X_),
                 noise);
  const double constant = static_cast<double>(M) * (std::log(2 * std::numbers::pi) + 2 * std::log(noise));
  log_marginal_likelihood_ = -0.5 * (root_.misfit() + root_.log_determinant() + constant);
}

void GaussianProcessPosterior::validate_inputs(const MatrixView& Xs, const std::string& argument) const {
  require_nonempty(Xs, argument);
  require_finite(Xs, argument);
  require_columns(Xs, X_.cols(), argument);
}

Vector GaussianProcessPosterior::mean(const MatrixView& Xs) const {
  validate_inputs(Xs, "Xs");
  finite_variance(process_.kernel, Xs);
  Vector m = process_.finite_mean(Xs);
  m += z_ ? Vector(z_->kriging(Xs).coordinates.transpose() * root_.mean())
          : Vector(process_.kernel.matrix(Xs, X_) * weights_);
  if (!m.allFinite()) throw InvalidArgument("Xs", "must be nearer to the data: the mean there overflows");
  return m;
}

Vector GaussianProcessPosterior::variance(const MatrixView& Xs) const {
  validate_inputs(Xs, "Xs");
  const Vector before = finite_variance(process_.kernel, Xs);
  if (z_) {
    auto [c, floor] = z_->kriging(Xs);
    root_.whiten_in_place(c);
    return floor.cwiseAbs2() + c.colwise().squaredNorm().transpose();
  }
  const Matrix explained = C_.whiten(process_.kernel.matrix(X_, Xs));
  return (before - explained.colwise().squaredNorm().transpose()).cwiseMax(0);
}

Matrix GaussianProcessPosterior::covariance(const MatrixView& X1, const MatrixView& X2) const {
  validate_inputs(X1, "X1");
  validate_inputs(X2, "X2");
  finite_variance(process_.kernel, X1);
  finite_variance(process_.kernel, X2);
  const Matrix before = process_.kernel.matrix(X1, X2);
  if (z_) {
    Matrix c1 = z_->kriging(X1).coordinates, c2 = z_->kriging(X2).coordinates;
    const Matrix remainders = before - shared_products(c1, c2);
    root_.whiten_in_place(c1);
    root_.whiten_in_place(c2);
    return remainders + shared_products(c1, c2);
  }
  return before - shared_products(C_.whiten(process_.kernel.matrix(X_, X1)),
                                  C_.whiten(process_.kernel.matrix(X_, X2)));
}

}  // namespace ridgelet
