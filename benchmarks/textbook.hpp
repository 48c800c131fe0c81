/// Section 5.2 of the paper as printed (one hidden layer, target with mean zero), with the same features, Eigen and
/// LAPACK as ours:
///   Sigma  = Psi K Psi^T                                  prior covariance of the weights, N x N
///   log p(y | layer) = -1/2 [ log det S + y^T S^{-1} y + M log 2 pi ],   S = Phi Sigma Phi^T + noise^2 I
///   w | y, layer ~ N(m, V),   V^{-1} = Sigma^{-1} + Phi^T Phi / noise^2,   m = V Phi^T y / noise^2
/// with Psi_ij = v u_j psi(W_i . x_j + b_i) (N x D) and Phi the features at the data (M x N). Sigma has rank
/// R < N: inverses are Moore-Penrose inverses, and a square root is the Cholesky factor after a little is
/// added to the diagonal, as in the paper's appendix on experiments.
///
/// Cost N D^2 + N^2 D + N^2 M + N M^2 + M^3 for the likelihood, and two eigendecompositions of N x N matrices
/// for the weights. Memory is reused from layer to layer. BLAS may use all cores.
#pragma once

#include "ridgelet/core/random.hpp"
#include "ridgelet/inference/collapsed_likelihood.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet::benchmarks {

class Textbook {
 public:
  /// Keeps references: prior and data (one output) must outlive it. K is computed here, once.
  Textbook(const RidgeletPrior& prior, const Data& data);

  double log_likelihood(const HiddenLayers& layers);

  /// A draw of w by the formula above. Where Sigma is singular its pseudo-inverse alone would mean a flat
  /// prior across the null space, and the weights there would fit the noise; so Phi is first projected onto the
  /// range of Sigma, on which the formula is exact.
  Vector draw_weights(const HiddenLayers& layers, const RandomStream& stream);

  /// The same distribution by the rule for conditioning a Gaussian, which the paper does not mention and
  /// which needs no inverse of Sigma: m = Sigma Phi^T S^{-1} y,  V = Sigma - Sigma Phi^T S^{-1} Phi Sigma.
  Vector draw_weights_by_conditioning(const HiddenLayers& layers, const RandomStream& stream);

  /// After a draw: the posterior of the network's outputs at the data, Phi m and the diagonal of Phi V Phi^T.
  Prediction outputs() const;

 private:
  void evaluate_features(const HiddenLayers& layers);
  void form_prior_covariance();
  void form_marginal_covariance();
  Vector draw(const RandomStream& stream) const;

  const RidgeletPrior& prior_;
  const Data& data_;
  Vector scale_;      ///< v u_j
  Matrix K_;          ///< D x D
  Matrix Psi_;        ///< transposed, D x N
  Matrix Phi_;        ///< M x N
  Matrix K_Psi_;      ///< D x N
  Matrix Sigma_;      ///< N x N
  Matrix Phi_Sigma_;  ///< M x N
  Matrix S_;          ///< M x M, without the noise
  Cholesky S_factor_;
  Vector m_;
  Matrix V_;
};

}  // namespace ridgelet::benchmarks
