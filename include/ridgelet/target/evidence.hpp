/// The evidence of a Gaussian process for data, and its slope in everything that can be learned.
///
/// Outputs y_1, ..., y_q at the rows of X share kernel and mean, and each has a noise of its own. With
/// C_j = K + s_j^2 I and alpha_j = C_j^{-1} (y_j - m):
///   log p(Y) = -1/2 sum_j [ (y_j - m)^T alpha_j + log det C_j + n log 2 pi ]
///   d / d log p    = sum_ab W_ab dK_ab / d log p,   W = 1/2 sum_j (alpha_j alpha_j^T - C_j^{-1})  (a kernel parameter)
///   d / d log s_j  = s_j^2 (alpha_j^T alpha_j - trace C_j^{-1})
///   d / d c        = (sum_j alpha_j)^T dm / dc                                        (a coefficient of the mean)
/// Cost for each output: n^3 / 3 for the factor and 2 n^3 / 3 for the inverse; then n^2 for each kernel parameter.
/// Memory: a few n x n matrices, kept from one call to the next.
/// Reference: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), Section 5.4.1.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/target/gaussian_process.hpp"

namespace ridgelet {

/// Which parts of a target are learned, and whose slopes are therefore needed.
struct LearnedParts {
  bool kernel = true;
  bool mean = true;
  bool noise = true;
};

struct Evidence {
  double log_evidence = 0;
  Vector kernel_slope = {};  ///< d / d log p in the order of Kernel::parameters(); empty if not asked for
  Vector mean_slope = {};    ///< d / d c in the order of MeanFunction::coefficients(); empty if not asked for
  Vector noise_slope = {};   ///< d / d log of each number of the noise; empty if not asked for
};

/// The evidence of a process for fixed data, whatever kind of noise they have: what learning climbs. `noise` holds the
/// positive numbers that describe the noise. Threads must not share an object: each takes a copy.
class ProcessEvidence {
 public:
  virtual ~ProcessEvidence() = default;

  /// Inputs of the data, n x d.
  virtual const Matrix& X() const = 0;

  /// Nothing where it cannot be computed in double precision.
  virtual std::optional<Evidence> at(const GaussianProcess& process, const VectorView& noise,
                                     const LearnedParts& parts) = 0;

  virtual std::unique_ptr<ProcessEvidence> copy() const = 0;

  /// The evidence for some of the rows.
  virtual std::unique_ptr<ProcessEvidence> of_rows(const std::vector<Index>& rows) const = 0;
};

/// The evidence as a function of the process and the noise, for fixed data with Gaussian noise. Threads must not share
/// an object: it works in its own memory.
class EvidenceFunction final : public ProcessEvidence {
 public:
  /// X is n x d, Y is n x q. Throws InvalidArgument unless both are finite and of one length.
  EvidenceFunction(Matrix X, Matrix Y);

  const Matrix& X() const override { return X_; }
  const Matrix& Y() const { return Y_; }

  /// `noise` has a standard deviation for each output. Returns nothing where the mean is not finite or a covariance
  /// matrix is not positive definite in double precision. Throws InvalidArgument unless the process is defined on d
  /// inputs.
  std::optional<Evidence> at(const GaussianProcess& process, const VectorView& noise,
                             const LearnedParts& parts = {}) override;

  std::unique_ptr<ProcessEvidence> copy() const override;
  std::unique_ptr<ProcessEvidence> of_rows(const std::vector<Index>& rows) const override;

  /// The bytes that one of these takes for n rows.
  static double bytes(Index n);

 private:
  bool add_output(Index j, double noise, const LearnedParts& parts, Evidence& evidence);

  Matrix X_, Y_;
  Cholesky C_;
  Matrix K_;
  Matrix inverse_;  ///< C_j^{-1}; of it and of W_ the lower triangle only
  Matrix W_;
  Vector mean_;
  Vector alpha_;   ///< of one output
  Vector alphas_;  ///< the sum over outputs
};

}  // namespace ridgelet
