/// The evidence of a Gaussian process for responses of any likelihood, by Laplace's approximation, and its slopes.
///
/// K functions f_1, ..., f_K are independent processes of one kernel and mean; at the n rows of X they have covariance
/// C (n x n) each. With all K n values in one vector, and C standing for its K blocks, the posterior has its mode where
///   f = m + C a,   a = s(f)                                                (s, d and W: likelihood/likelihood.hpp)
/// and a normal distribution there says
///   log Z = log p(y | f) - a^T (f - m) / 2 - log det(I + C W) / 2.
/// With one function and B = I + W^{1/2} C W^{1/2}:
///   (C + W^{-1})^{-1} = E = W^{1/2} B^{-1} W^{1/2},   log det(I + C W) = log det B.
/// With several, W = D - D 1 (1^T D 1)^{-1} 1^T D couples them, where 1 adds up the functions of a row, and
///   (C + W^{-1})^{-1} = E - E 1 M^{-1} 1^T E,   M = sum_k E_k,
///   log det(I + C W) = sum_k log det B_k + log det M - sum_i log sum_k d_ik,
/// K + 1 factorisations of n x n instead of one of K n. With Q = (C + W^{-1})^{-1} and the slope of log det by f,
///   t_ia = -1/2 sum_kl S_i,kl dW_i,kl / df_a,   S = C - C Q C (the blocks of row i),   v = t - Q C t,
/// since the mode moves with everything else:
///   d log Z = sum over functions of < (a a^T - Q) / 2 + (v a^T + a v^T) / 2, dC > + (a + v)^T dm.
/// Slopes in the likelihood's own numbers, of which there are two at most, are taken by differences.
///
/// Newton's steps are shortened where they would go down, so they end at a mode.
/// Cost of an evaluation: (K + 1) n^3 for each of 5 to 10 steps. Memory: about 2 K + 8 matrices of n x n.
/// Reference: Rasmussen and Williams (2006), Sections 3.4, 3.5 and 5.5.1. Their Algorithm 3.3 leaves out log det M.
#pragma once

#include <optional>
#include <vector>

#include "ridgelet/likelihood/likelihood.hpp"
#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/target/evidence.hpp"

namespace ridgelet {

class LaplaceEvidence final : public ProcessEvidence {
 public:
  /// X is n x d, Y n x K; `offset`, n x K, is added to the functions. Throws InvalidArgument unless they are finite and
  /// of one size.
  LaplaceEvidence(LikelihoodPointer likelihood, Matrix X, Matrix Y, Matrix offset);

  const Matrix& X() const override { return X_; }

  /// `numbers` are the likelihood's parameters, in their order.
  std::optional<Evidence> at(const GaussianProcess& process, const VectorView& numbers,
                             const LearnedParts& parts = {}) override;

  std::unique_ptr<ProcessEvidence> copy() const override;
  std::unique_ptr<ProcessEvidence> of_rows(const std::vector<Index>& rows) const override;

  /// The mode of the functions at the rows, n x K, of the last evaluation, without the offset.
  const Matrix& mode() const { return mode_; }

  /// The bytes that one of these takes for n rows and K functions.
  static double bytes(Index n, Index functions);

 private:
  bool find_mode(const Likelihood& likelihood, const Matrix& start);
  bool factorise(const Matrix& curvature);
  Matrix apply_Q(const Matrix& v) const;
  Matrix newton_point() const;
  double log_determinant() const;
  double objective(const Likelihood& likelihood, const Matrix& a, const Matrix& centred);
  Matrix log_determinant_slope(const Likelihood& likelihood) const;
  Matrix covariance_weights(const Matrix& v);
  Vector number_slopes(const VectorView& numbers, bool& found);
  std::optional<double> log_evidence(const Likelihood& likelihood, const Matrix& start);

  LikelihoodPointer likelihood_;
  Matrix X_, Y_, offset_;
  Matrix C_;
  Vector mean_;
  Matrix a_, centred_, mode_;  ///< centred = C a, mode = m + C a
  Matrix slope_, curvature_;
  std::vector<Cholesky> B_;  ///< of each function
  std::vector<Matrix> E_;
  Cholesky M_;
};

}  // namespace ridgelet
