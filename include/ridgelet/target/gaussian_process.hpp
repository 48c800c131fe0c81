/// The exact Gaussian process: what the user believes, and the answer a network is measured against.
///
///   prior      f(X) ~ N(m(X), k(X, X))
///   data       y = f(X) + e,  e ~ N(0, noise^2 I),   C = k(X, X) + noise^2 I
///   posterior  mean  m(X*) + k(X*, X) C^{-1} (y - m(X)),   covariance  k(X*, X*) - k(X*, X) C^{-1} k(X, X*)
///   evidence   log p(y) = -1/2 [ (y - m)^T C^{-1} (y - m) + log det C + M log 2 pi ]
/// Cost M^3 / 3 for M data, then M^2 for each new point.
///
/// Where k / noise^2 exceeds 1e8, C would keep little of the noise and variances would be small differences of
/// large numbers. There the process at the data is written with a factor of rank R, f(X) = m + L z
/// (process_at_points.hpp), and z is conditioned by a QR decomposition (linalg/square_root.hpp): a variance is then a
/// sum of squares, at a cost of 2 (M + R) R^2 and R^2 for each new point.
///
/// The limit is the kernel itself, whose values are rounded to 1e-16 of the largest. For se() at 30 points over six
/// lengthscales, rounding these values, with exact arithmetic afterwards, moves the posterior by 6e-4 of the noise at
/// amplitude / noise = 1e5, by 0.3 at 1e6 and by more than a hundred times the noise at 1e7. The errors here are below
/// 1e-2 at 1e6, below 0.3 at 1e7 and without a bound at 1e8 (tests/target/gaussian_process_precision_test.cpp, in
/// quadruple precision). Kernels that are not smooth, such as matern12, have no such limit. Variances are never
/// negative. Data that a smooth kernel could follow only with digits that doubles do not have, such as a wave within a
/// few hundredths of a lengthscale with a noise of 1e-6, are refused: the mean would be noise.
/// Reference: Rasmussen and Williams (2006), Algorithm 2.1.
#pragma once

#include <memory>
#include <string>

#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/linalg/gaussian.hpp"
#include "ridgelet/linalg/square_root.hpp"
#include "ridgelet/target/covariance/kernel.hpp"
#include "ridgelet/target/mean/mean_function.hpp"

namespace ridgelet {

struct GaussianProcess {
  Kernel kernel;
  MeanFunction mean = MeanFunction("0");

  /// f(X) in factored form, for draws: prior(X).at(z) with z standard normal of length prior(X).rank().
  Gaussian prior(const MatrixView& X) const;

  /// m(X). Throws InvalidArgument unless it is finite at every row.
  Vector finite_mean(const MatrixView& X) const;

  /// Throws InvalidArgument unless mean and kernel are defined on d inputs.
  void validate_dimension(Index d) const;
};

class ProcessAtPoints;

class GaussianProcessPosterior {
 public:
  /// `noise` is a standard deviation. Throws InvalidArgument about it where fewer than three digits of the mean are
  /// left.
  GaussianProcessPosterior(GaussianProcess process, Matrix X, const VectorView& y, double noise);

  Vector mean(const MatrixView& Xs) const;

  /// Never negative.
  Vector variance(const MatrixView& Xs) const;
  Matrix covariance(const MatrixView& X1, const MatrixView& X2) const;
  double log_marginal_likelihood() const { return log_marginal_likelihood_; }

 private:
  void condition_by_covariance(const Vector& residual, double noise);
  void condition_by_factor(const Vector& residual, double noise);
  void validate_inputs(const MatrixView& Xs, const std::string& argument) const;

  GaussianProcess process_;
  Matrix X_;
  Cholesky C_;
  Vector weights_;                            ///< C^{-1} (y - m(X))
  std::shared_ptr<const ProcessAtPoints> z_;  ///< null unless the noise is lost in C
  SquareRootPosterior root_;                  ///< of z given the data
  double log_marginal_likelihood_ = 0;
};

}  // namespace ridgelet
