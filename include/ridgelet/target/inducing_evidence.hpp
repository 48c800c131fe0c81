/// A lower bound of the evidence that many rows can afford: what the data say through D inducing points.
///
/// With Q = K_XZ K_ZZ^{-1} K_ZX, the part of the covariance that is known from the process at the points Z, the bound is
///   F = log N(y; m, Q + s^2 I) - trace(K - Q) / (2 s^2)  <=  log N(y; m, K + s^2 I),
/// with equality where Z tells all of the process at X. For y drawn from the process it is lower than the evidence by
/// trace(K - Q) / (2 s^2) to trace(K - Q) / s^2 on average (Burt, Rasmussen and van der Wilk, 2019).
///
/// Let K_ZZ = L L^T, V = L^{-1} K_ZX (D x n), S = V V^T, B = I + S / s^2, r = y - m, c = B^{-1} V r / s^2 and
/// alpha = (r - V^T c) / s^2 = (Q + s^2 I)^{-1} r. In this form nothing cancels where the data are followed closely:
///   F = -1/2 [ |r - V^T c|^2 / s^2 + |c|^2 + log det B + n log(2 pi s^2) + trace(K - Q) / s^2 ]
///   dF / dQ = 1/2 [ alpha alpha^T + V^T B^{-1} V / s^4 ],  V dF/dQ = 1/2 [ (V alpha) alpha^T + (I - B^{-1}) V / s^2 ]
/// and with dQ = dK_XZ U + U^T dK_ZX - U^T dK_ZZ U, U = L^{-T} V, the slope in any number of the kernel follows from the
/// derivatives of K_ZX, K_ZZ and the diagonal of K. Several outputs add up, as in evidence.hpp.
///
/// 1e-10 of its mean diagonal is added to K_ZZ, so that points that are close to each other do no harm: F is still a
/// lower bound, and the slope is still that of F.
///
/// Cost: 3 D^2 n, where the evidence itself costs n^3. Memory: about 4 D n numbers.
/// References: M. Titsias, "Variational learning of inducing variables in sparse Gaussian processes" (2009); D. Burt,
/// C. Rasmussen and M. van der Wilk, "Rates of convergence for sparse variational Gaussian process regression" (2019).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ridgelet/target/evidence.hpp"

namespace ridgelet {

/// Threads must not share an object: it works in its own memory.
class InducingEvidence final : public ProcessEvidence {
 public:
  /// X is n x d, Y is n x q, Z is D x d. Throws InvalidArgument unless all are finite and their sizes agree.
  InducingEvidence(Matrix X, Matrix Y, Matrix Z);

  const Matrix& X() const override { return X_; }

  /// F and its slopes. Returns nothing where the mean is not finite or a matrix is not positive definite in doubles.
  std::optional<Evidence> at(const GaussianProcess& process, const VectorView& noise,
                             const LearnedParts& parts = {}) override;

  std::unique_ptr<ProcessEvidence> copy() const override;
  std::unique_ptr<ProcessEvidence> of_rows(const std::vector<Index>& rows) const override;

  /// The bytes that one of these takes for n rows and D points.
  static double bytes(Index n, Index D);

 private:
  bool add_output(Index j, double noise, const LearnedParts& parts, Evidence& evidence);
  Vector kernel_slope(const Kernel& kernel) const;

  Matrix X_, Y_, Z_;
  Vector mean_;
  Cholesky L_, B_;
  Matrix V_, S_;
  Matrix inverse_;          ///< B^{-1} of one output
  Matrix T_;                ///< sum_j (I - B_j^{-1}) / (2 s_j^2)
  Matrix alphas_;           ///< n x q
  double unexplained_ = 0;  ///< trace(K - Q)
  double precision_ = 0;    ///< sum_j 1 / s_j^2
};

}  // namespace ridgelet
