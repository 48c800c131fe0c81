/// The exact Gaussian process: what the user believes, and the answer a network is measured against.
///
///   prior      f(X) ~ N(m(X), k(X, X))
///   data       y = f(X) + e,  e ~ N(0, noise^2 I),   C = k(X, X) + noise^2 I
///   posterior  mean  m(X*) + k(X*, X) C^{-1} (y - m(X)),   covariance  k(X*, X*) - k(X*, X) C^{-1} k(X, X*)
///   evidence   log p(y) = -1/2 [ (y - m)^T C^{-1} (y - m) + log det C + M log 2 pi ]
/// Cost M^3 / 3 for M data, then M^2 for each new point.
/// Reference: Rasmussen and Williams (2006), Algorithm 2.1.
#pragma once

#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/linalg/gaussian.hpp"
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

class GaussianProcessPosterior {
 public:
  /// `noise` is a standard deviation.
  GaussianProcessPosterior(GaussianProcess process, Matrix X, const VectorView& y, double noise);

  Vector mean(const MatrixView& Xs) const;
  Vector variance(const MatrixView& Xs) const;
  Matrix covariance(const MatrixView& X1, const MatrixView& X2) const;
  double log_marginal_likelihood() const { return log_marginal_likelihood_; }

 private:
  GaussianProcess process_;
  Matrix X_;
  Cholesky C_;
  Vector weights_;  ///< C^{-1} (y - m(X))
  double log_marginal_likelihood_ = 0;
};

}  // namespace ridgelet
