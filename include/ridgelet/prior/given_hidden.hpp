/// The ridgelet prior given its hidden layers: everything is Gaussian in z ~ N(0, I_R).
///
///   weights  w = B m + B L z                              (N)
///   outputs  A m + G z,  A = Phi(X) B,  G = A L           (M)
///   error    rmse(x)^2 = E (f(x) - A(x) f)^2
///                      = k(x,x) - 2 A(x) k(q,x) + A(x) K A(x)^T + (m(x) - A(x) m)^2
/// with B the operator of the last hidden layer and Phi its features. B [m, L], N x (1 + R), is formed when it
/// is first needed, and kept. If it is large (BlockSizes::kept_weights), it is formed anew each time, a slab of units
/// at a time. Every product is a sum over blocks of units. Cost N (D + M) R, memory at most N R and (D + M) x block,
/// and no N x N matrix (deeper networks: hidden_path.hpp).
///
/// The same class serves as a value for a person, prior.given(layers), and as the workspace of a sampler,
/// prior.make_output(), which is conditioned again and again without allocating. It shares what it needs with the
/// prior, which need not outlive it.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "ridgelet/linalg/gaussian.hpp"
#include "ridgelet/prior/hidden_path.hpp"
#include "ridgelet/prior/path_adjoint.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/transform/feature_product.hpp"
#include "ridgelet/transform/single_feature_product.hpp"

namespace ridgelet {

/// rmse(x) of network outputs at the points of `kriging`, where the process has this mean. Its square is
///   floor(x)^2 + |c(x) - G(x)|^2 + (m(x) - A(x) m)^2
/// with the kriging coordinates c: the same number as above without its cancellation.
Vector rmse_of(const Gaussian& network, const RidgeletPrior::Kriging& kriging, const VectorView& mean);

class GivenHidden final : public ConditionalOutput {
 public:
  /// A workspace, to be conditioned before anything else.
  explicit GivenHidden(const RidgeletPrior& prior);

  /// Throws InvalidArgument about "W" or "b", about "layers" if their number is not the prior's, or with the
  /// reason why the operator cannot be built for them.
  GivenHidden(const RidgeletPrior& prior, const HiddenLayers& layers);

  /// Given hidden layers drawn from the prior, prior.draw_hidden(seed, replicate). Layers for which the operator
  /// cannot be built are drawn again, as no sampler would stay there; throws with the reason if that happens 100 times
  /// in a row.
  GivenHidden(const RidgeletPrior& prior, std::uint64_t seed, std::uint32_t replicate);

  Index rank() const override { return prior_.rank(); }
  bool condition(const HiddenLayers& layers) override;
  void evaluate(const Matrix& X, MatrixSpan values) override;
  void evaluate_mixed(const Matrix& X, MatrixSpan values) override;
  void start_pull_back() override;
  void pull_back(const MatrixView& values_bar) override;
  const HiddenLayers& finish_pull_back() override;
  const HiddenLayers& layers() const override { return path_.layers(); }
  const std::vector<Matrix>& bridges() const override { return path_.bridges(); }
  bool skip() const override { return prior_.options().skip; }

  /// B (m + L Z), N x columns. If B [m, L] has been formed already, this is a product with it; otherwise it is one pass
  /// over the units, which does not form B [m, L].
  Matrix weights_at(const MatrixView& Z) const override;

  /// The network's outputs at the rows of X: mean A m, factor G. `argument` is what a complaint calls X.
  Gaussian output(const MatrixView& X, const std::string& argument = "X") const;

  /// The outputs of the networks that end after 1, 2, ..., all of the hidden layers. Each is what the prior with that
  /// many layers gives: one walk through the layers serves every depth.
  std::vector<Gaussian> outputs_by_depth(const MatrixView& X) const;

  Vector mean(const MatrixView& X) const { return output(X).mean; }

  /// G(X1) G(X2)^T.
  Matrix covariance(const MatrixView& X1, const MatrixView& X2) const;

  /// rmse(x) at the rows of X.
  Vector rmse(const MatrixView& X) const;

  std::optional<Matrix> heads() const override;

  /// The output weights: mean B m, factor B L (N x R).
  Gaussian weights() const;

  /// sqrt( E |w|^2 ).
  double weight_norm() const;

  /// The log density of output weights w on their support, a subspace of dimension at most R.
  /// Throws InvalidArgument about "w" if it lies elsewhere.
  double log_density(const VectorView& w) const;

  /// B itself, N x D, for inspection.
  Matrix operator_matrix() const;

  /// Moves layers and bridges out, for a network that does not need this object any more.
  HiddenPath::Way leave() && { return std::move(path_).leave(); }

  const HiddenPath& path() const { return path_; }
  const RidgeletPrior& prior() const { return prior_; }

 private:
  /// The rows of B [m, L] of the units in reach (HiddenPath), formed at the first call and kept. Threads may call it at
  /// the same time.
  MatrixView mean_and_factor() const;
  bool is_filled() const;

  /// Calls visit(first, rows) with those rows of B [m, L], from `first` on: once with all of them, or slab by slab.
  template <class Visit>
  void for_each_slab(Visit&& visit) const;

  /// values += [A m, G] for what the last layer's units see of some inputs, in the precision of the product.
  template <class Product>
  void add_outputs(Product& product, const Preactivations& seen, MatrixSpan values) const;

  /// output() with a walk of the caller's, at an X that has been checked.
  Gaussian output_by(HiddenWalk& walk, const MatrixView& X) const;

  const BlockSizes& blocks() const { return prior_.options().blocks; }

  RidgeletPrior prior_;
  HiddenPath path_;
  HiddenWalk walk_;  ///< of evaluate(), as is the product
  FeatureProduct product_;
  SingleFeatureProduct single_product_;  ///< of evaluate_mixed()
  PathAdjoint adjoint_;
  mutable std::mutex filling_;
  mutable bool filled_ = false;
  mutable Matrix
      weights_;  ///< rows of B [m, L] once filled, or a slab of them; there is room for those of all units
  mutable WeightBlocks weight_blocks_;
};

}  // namespace ridgelet
