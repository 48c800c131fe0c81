/// Data meet a Gaussian in z: y = mean + G z + e, e ~ N(0, noise^2 I), z ~ N(0, I_R).
///
/// With r = y - mean and s2 = noise^2, whichever of the two forms is smaller:
///   M <= R:  C = G G^T + s2 I (M x M);   log p(y) = -1/2 [ r^T C^{-1} r + log det C + M log 2 pi ]
///   M >  R:  P = I + G^T G / s2 (R x R); log p(y) = -1/2 [ log det P + M log(2 pi s2)
///                                                         + (r^T r - r^T G P^{-1} G^T r / s2) / s2 ]
/// and z | y ~ N(P^{-1} G^T r / s2, P^{-1}). Both matrices have eigenvalues of at least s2 or 1: no jitter,
/// no pseudo-inverse. Cost M R min(M, R) + min(M, R)^3 / 3. Reference: Rasmussen and Williams (2006),
/// Section 2.1 and the matrix inversion lemma, eq. A.9.
#pragma once

#include <optional>

#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/linalg/gaussian.hpp"

namespace ridgelet {

/// Pointwise mean and variance of the noise-free function.
struct Prediction {
  Vector mean;
  Vector variance;
};

class LinearGaussianPosterior {
 public:
  /// `output` is the function at the data inputs, such as GivenHidden::output(X). Throws InvalidArgument
  /// about "y" or "noise" (a standard deviation).
  LinearGaussianPosterior(Gaussian output, const VectorView& y, double noise);

  /// log p(y), with the constant -M/2 log 2 pi.
  double log_marginal_likelihood() const { return log_marginal_likelihood_; }

  /// The function at new inputs given y; `output` is it before the data, in the same z.
  Prediction predict(const Gaussian& output) const;

 private:
  void condition_on_data_space(const Vector& r);
  void condition_on_coordinates(const Vector& r);

  Matrix G_;
  double noise_;
  std::optional<Cholesky> factor_;  ///< of C if M <= R, else of P
  Vector z_mean_;                   ///< E[z | y]
  double log_marginal_likelihood_ = 0;
};

}  // namespace ridgelet
