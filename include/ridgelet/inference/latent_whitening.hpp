/// Coordinates v in which the normal distribution about the mode of z is nearly standard, by factors of R x R.
///
/// z has K functions of R coordinates, and the curvature A of latent_mode.hpp is R K x R K. The root of A itself would
/// be best, but each multiplication by it reads (R K)^2 / 2 numbers from memory. It is used for one function; for
/// several the map is
///   C_k C_k^T = A_kk              the curvature of each function by itself
///   T T^T     = sum_k A_kk
///   q         = T^{-1} sum_k C_k v_k
///   z_k       = zhat_k + C_k^{-T} v_k - T^{-T} q + q / sqrt(K).
/// Without its last two terms this would be z_k = zhat_k + C_k^{-T} v_k, which is wrong where all functions move alike:
/// the likelihood of classes does not change then, so that the mean of the functions keeps its prior, while C_k assumes
/// that the data say something of it. Such moves are along the directions v_k = C_k^T c, with the same c for all k;
/// q = T^{-1} sum_k C_k v_k are the coordinates of v along them, and the last two terms put the prior there. On digits
/// (10 classes, R = 300) the covariance of v has a condition number of 8, where one factor for all functions leaves
/// 150.
///
/// The map is linear, so that chains on v are exact however good it is. Cost: 2 K R^2 multiplications.
#pragma once

#include <vector>

#include "ridgelet/linalg/cholesky.hpp"

namespace ridgelet {

class LatentWhitening {
 public:
  /// From the lower triangle of A, R K x R K.
  LatentWhitening(const Matrix& A, Index functions);

  /// z - zhat, R x K, for v of R K numbers.
  Matrix at(const VectorView& v) const;

  /// The slope in v, R K numbers, of a function with this slope in z.
  Vector pull_back(const Matrix& slope) const;

  /// log |det dz/dv|.
  double log_determinant() const { return log_determinant_; }

 private:
  Index R_, K_;
  std::vector<Cholesky> own_;  ///< C_k
  Cholesky common_;            ///< T
  double log_determinant_ = 0;
};

}  // namespace ridgelet
