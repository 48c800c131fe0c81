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

#include "ridgelet/core/random.hpp"
#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/linalg/gaussian.hpp"

namespace ridgelet {

/// Pointwise mean and variance of the noise-free function.
struct Prediction {
  Vector mean;
  Vector variance;
};

/// An object of this type is a workspace too: conditioning again uses its memory again.
class LinearGaussianPosterior {
 public:
  LinearGaussianPosterior() = default;

  /// `output` is the function at the data inputs, such as GivenHidden::output(X). Throws InvalidArgument
  /// about "y" or "noise" (a standard deviation).
  LinearGaussianPosterior(const Gaussian& output, const VectorView& y, double noise);

  /// The first form, given G and the lower triangle of G G^T. False if C is singular in double precision.
  bool condition_on_data(const MatrixView& G, const MatrixView& GGt, const VectorView& r, double noise);

  /// The second form, given sums over rows: the lower triangle of G^T G, G^T r and r^T r of M rows.
  bool condition_on_coordinates(const MatrixView& GtG, const VectorView& Gtr, double rtr, Index M,
                                double noise);

  /// log p(y), with the constant -M/2 log 2 pi.
  double log_marginal_likelihood() const { return log_marginal_likelihood_; }

  /// E[z | y].
  const Vector& coordinates_mean() const { return z_mean_; }

  /// A draw of z | y from the numbers of `stream`. The second form draws mean + P^{-1/2} n; the first
  /// corrects a draw z0 of the prior and e0 of the noise (Matheron's rule): z0 + G^T C^{-1} (r - G z0 - e0).
  Vector draw_coordinates(const RandomStream& stream) const;

  /// The function at new inputs given y; `output` is it before the data, in the same z.
  Prediction predict(const Gaussian& output) const;

 private:
  bool in_data_space_ = false;
  double noise_ = 1;
  Matrix G_;         ///< first form only
  Cholesky factor_;  ///< of C or of P
  Vector weights_;   ///< C^{-1} r, first form only
  Vector z_mean_;
  double log_marginal_likelihood_ = 0;
};

}  // namespace ridgelet
