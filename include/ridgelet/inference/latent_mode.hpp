/// A network given its hidden layers, and responses of any likelihood: the mode of the coordinates z that are left, and
/// the normal distribution about it.
///
/// Given the hidden layers the K functions of a row are f = offset + A m + G z_k with z_k ~ N(0, I_R), so all that is
/// unknown is z, R x K numbers with a standard normal prior. With s and W of likelihood/likelihood.hpp, and indices of
/// functions k, l,
///   log posterior    log p(y | f) - |z|^2 / 2
///   its slope        G^T s_k - z_k
///   its curvature    A_kl = G^T diag(W_kl) G + (I if k = l),     R K x R K
/// so Newton's step is A^{-1} times the slope. It is halved until the log posterior rises. About the mode zhat,
///   log evidence ~ log p(y | zhat) - |zhat|^2 / 2 - log det(A) / 2            (Laplace)
///   z ~ N(zhat, A^{-1}),  drawn as  zhat + A^{-1/2} u,  u ~ N(0, I).
/// What this approximation leaves out is known for every u. It is the weight
///   w(u) = p(y | z) N(z; 0, I) / N(z; zhat, A^{-1}),   z = zhat + A^{-1/2} u,
///   log w = log p(y | z) - |z|^2 / 2 + |u|^2 / 2 - log det(A) / 2,
/// whose mean over u is the evidence itself; for Gaussian noise it is the same for all u.
///
/// Hidden layers can climb Laplace's evidence, since its slope in [A m, G] is known. The mode moves with G, as the
/// implicit function theorem says; with P = A^{-1}, a row g of G, and dW the derivative of W in f,
///   t_k = - 1/2 sum_lm (g P_lm g^T) dW_lm / df_k      at every row: the slope of - log det(A) / 2 in f,  M x K
///   a   = P G^T t,  R x K,      v = t - W G a
///   d / d(A m) = sum_k (s_k + v_k)
///   d / dG     = sum_k [ (s_k + v_k) z_k^T + s_k a_k^T ] - sum_kl W_kl G P_lk
/// Cost: 2 M R^2 K^2 and 2 (R K)^3 / 3 multiplications.
///
/// Rows are taken in blocks, and G is kept where it fits into `kept_bytes`; otherwise every pass over the rows
/// evaluates it again. Cost of a step: M R^2 K (K + 1) / 4 and (R K)^3 / 3 multiplications. Results do not depend on
/// the number of threads.
///
/// References: Rasmussen and Williams (2006), Section 3.4, for the same in terms of f; Murray and Graham,
/// Pseudo-marginal slice sampling (AISTATS 2016), for the weight as a density over u.
#pragma once

#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/likelihood/likelihood.hpp"
#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/prior/layer_prior.hpp"

namespace ridgelet {

/// Responses, and what is added to the functions at their rows.
struct LatentData {
  LikelihoodPointer likelihood;
  Matrix X;       ///< M x d
  Matrix Y;       ///< M x K
  Matrix offset;  ///< M x K

  Index rows() const { return X.rows(); }
  Index functions() const { return likelihood->functions(); }
};

/// Throws InvalidArgument about "X", "y" or "offset".
void validate(const LatentData& data, Index dimension);

/// The complaint about data for which no mode can be found.
InvalidArgument no_finite_density();

struct LatentModeOptions {
  Index row_block = 2048;
  double kept_bytes = 1e9;  ///< for G
  int most_steps = 50;
};

class LatentMode {
 public:
  /// The data must outlive this.
  LatentMode(const LatentData& data, Index rank, const LatentModeOptions& options = {});

  /// Memory that one of these holds.
  static double bytes(Index rows, Index rank, Index functions, const LatentModeOptions& options = {});

  /// Goes to the mode for the hidden layers that `output` is conditioned on, from z = 0, and keeps a reference to
  /// `output`; false if that is impossible in double precision. What it finds depends on the hidden layers alone.
  bool find(ConditionalOutput& output);

  /// Whether find() came to the mode, to rounding, before `most_steps` were used up. If not, it stopped on the way: the
  /// weight w(u) is still what it says, of the place where it stopped, but Laplace's approximation is not.
  bool converged() const { return converged_; }

  /// zhat, R x K.
  const Matrix& mode() const { return mode_; }

  /// Laplace's approximation.
  double log_evidence() const { return log_joint_ - log_determinant_ / 2; }

  /// zhat + A^{-1/2} u for every column u of U, R K numbers each: R x K columns side by side.
  Matrix at(const MatrixView& U) const;

  /// log w(u) for every column u of U; minus infinity where p(y | z) is 0.
  Vector log_weights(const MatrixView& U);

  /// log p(y | z) - |z|^2 / 2 and its slope, for z of R x K. Several threads may call it at once if keeps_values().
  double log_joint_and_slope(const Matrix& z, Matrix& slope);
  bool keeps_values() const { return !kept_.empty(); }

  /// After find(): pulls the slope of log_evidence() back through the output, whose finish_pull_back() then returns the
  /// slope in the hidden layers.
  void pull_back_log_evidence();

  /// The lower triangle of A at the mode.
  const Matrix& curvature() const { return A_; }

  Index coordinates() const { return mode_.size(); }

 private:
  /// Calls visit(first, [A m, G] at the rows from first on) for all rows.
  template <class Visit>
  void for_each_block(Visit&& visit);

  Vector log_joint(const Matrix& Z);

  /// s and d of a block of rows.
  enum class Curvature { of_steps, of_normal };
  struct Derivatives {
    Matrix s, d;
  };
  Derivatives derivatives_at(Index first, const Matrix& values, const Matrix& z, Curvature which) const;
  bool accumulate(const Matrix& z, Curvature which);
  void add_curvature(const MatrixView& G, const Matrix& d);
  Matrix determinant_slope(Index first, const Matrix& values, const Matrix& P) const;
  Matrix evidence_slope(Index first, const Matrix& values, const Matrix& P, const Matrix& a) const;

  const LatentData& data_;
  LatentModeOptions options_;
  ConditionalOutput* output_ = nullptr;
  std::vector<Matrix> X_;     ///< blocks of rows
  std::vector<Matrix> kept_;  ///< [A m, G] of all blocks, where they are kept
  Matrix values_;             ///< [A m, G] of one block, where they are not
  Matrix mode_, slope_;
  Matrix A_;
  Cholesky factor_;
  double log_joint_ = 0, log_determinant_ = 0;
  bool converged_ = false;
};

}  // namespace ridgelet
