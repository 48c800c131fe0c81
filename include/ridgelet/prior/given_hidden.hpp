/// The ridgelet prior given its hidden layers: everything is Gaussian in z ~ N(0, I_R).
///
///   weights  w = B m + B L z                         (N)
///   outputs  A m + G z,  A = Phi(X) B,  G = A L       (M)
///   error    rmse(x)^2 = E (f(x) - A(x) f)^2
///                      = k(x,x) - 2 A(x) k(q,x) + A(x) K A(x)^T + (m(x) - A(x) m)^2
/// with B the operator of the last hidden layer and Phi its features. Every product is a sum over blocks of
/// units: cost N (D + M) R, memory (D + M) x block, and no N x N matrix (deeper networks: hidden_path.hpp).
/// Copies share the operator. The prior must outlive this.
#pragma once

#include <memory>

#include "ridgelet/linalg/gaussian.hpp"
#include "ridgelet/prior/hidden_path.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet {

/// rmse(x) of network outputs at the points of `kriging`, where the process has this mean:
///   floor(x)^2 + |c(x) - G(x)|^2 + (m(x) - A(x) m)^2
/// with the kriging coordinates c: the same number as above without its cancellation.
Vector rmse_of(const Gaussian& network, const RidgeletPrior::Kriging& kriging, const VectorView& mean);

class GivenHidden {
 public:
  /// Throws InvalidArgument about "W" or "b", or about "layers" if their number is not the prior's.
  GivenHidden(const RidgeletPrior& prior, const HiddenLayers& layers);

  const HiddenPath& path() const { return *path_; }

  /// The network's outputs at the rows of X: mean A m, factor G. `argument` is what a complaint calls X.
  Gaussian output(const MatrixView& X, const std::string& argument = "X") const;

  Vector mean(const MatrixView& X) const { return output(X).mean; }

  /// G(X1) G(X2)^T.
  Matrix covariance(const MatrixView& X1, const MatrixView& X2) const;

  /// rmse(x) at the rows of X.
  Vector rmse(const MatrixView& X) const;

  /// The output weights: mean B m, factor B L (N x R).
  Gaussian weights() const;

  /// B (m + L z), N, without the factor B L: one pass over the units.
  Vector weights_at(const VectorView& z) const;

  /// sqrt( E |w|^2 ), without the factor B L.
  double weight_norm() const;

  /// The log density of output weights w on their support, a subspace of dimension at most R.
  /// Throws InvalidArgument about "w" if it lies elsewhere.
  double log_density(const VectorView& w) const;

  /// B itself, N x D, for inspection.
  Matrix operator_matrix() const;

 private:
  /// [B m, B L] block by block: visit(first, rows of N x (R + 1)).
  template <class Visit>
  void for_each_block(Visit&& visit) const;

  const RidgeletPrior* prior_;
  std::shared_ptr<const HiddenPath> path_;
};

}  // namespace ridgelet
