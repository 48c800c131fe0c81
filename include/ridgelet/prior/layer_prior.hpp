/// What inference needs of a prior: hidden layers to move, and outputs that are Gaussian once they are fixed.
///
/// The ridgelet prior and the i.i.d. prior both offer it; the sampler and the posterior know nothing else.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/core/types.hpp"
#include "ridgelet/transform/hidden_layer.hpp"

namespace ridgelet {

/// The outputs of one network prior given its hidden layers: [A m, G] at any inputs, in coordinates
/// z ~ N(0, I_R). An object of this type is a workspace: condition() and evaluate() allocate nothing once they
/// have been called with the largest sizes.
class ConditionalOutput {
 public:
  virtual ~ConditionalOutput() = default;

  virtual Index rank() const = 0;

  /// Fixes the hidden layers, of which it keeps a copy; false if the prior gives them no outputs in double
  /// precision, so that they are impossible. Nothing below may be called then.
  [[nodiscard]] virtual bool condition(const HiddenLayers& layers) = 0;

  /// values = [A m, G] at the rows of X: M x (1 + R).
  virtual void evaluate(const Matrix& X, MatrixSpan values) = 0;

  /// The same with the features of the last layer and their products in single precision
  /// (transform/single_feature_product.hpp), where that is implemented; otherwise evaluate() itself.
  virtual void evaluate_mixed(const Matrix& X, MatrixSpan values) { evaluate(X, values); }

  // The adjoint of evaluate(), over any number of blocks of rows and for any function of the values. With values_bar
  // its derivative in [A m, G],
  //   start_pull_back();
  //   for each block of rows:  evaluate(X, values);  values_bar = ...;  pull_back(values_bar);
  //   layers_bar = finish_pull_back();
  // Like the rest, it allocates only the first time. Cost: about twice that of condition() and evaluate().

  /// Forgets what was pulled back before.
  virtual void start_pull_back() = 0;

  /// Adds the rows of the last evaluate(), whose X must still be there, unchanged.
  virtual void pull_back(const MatrixView& values_bar) = 0;

  /// The derivative in W and b of every layer, summed over all rows since the start; it stays until the next start.
  virtual const HiddenLayers& finish_pull_back() = 0;

  /// What else a network needs (network/network.hpp): the hidden layers, the bridges between them, and
  /// whether connections skip (transform/hidden_walk.hpp).
  virtual const HiddenLayers& layers() const = 0;
  virtual const std::vector<Matrix>& bridges() const = 0;
  virtual bool skip() const = 0;

  /// B [m, L], N x (1 + R): the output weights of [A m, G] as a network of 1 + R outputs. Nothing where z are the
  /// output weights themselves, whose factor would be N x N.
  virtual std::optional<Matrix> heads() const = 0;

  /// The output weights w = B (m + L z) for each column z of Z: N x columns.
  virtual Matrix weights_at(const MatrixView& Z) const = 0;
};

class LayerPrior {
 public:
  virtual ~LayerPrior() = default;

  /// Inputs, d.
  virtual Index dimension() const = 0;
  virtual const Activation& activation() const = 0;

  /// "ridgelet", "least-squares" or "iid".
  virtual std::string name() const = 0;

  /// Hidden layers of this prior's shapes, to be filled.
  virtual HiddenLayers allocate() const = 0;

  /// The hidden layers at standard normals xi, in the order of HiddenLayers::packed(): the coordinates in
  /// which a sampler moves. Writes into `layers` without allocating.
  virtual void at(const VectorView& xi, HiddenLayers& layers) const = 0;

  /// The adjoint of at(): the derivative in xi from that in the layers, into `xi_bar` without allocating.
  virtual void pull_back(const VectorView& xi, const HiddenLayers& layers_bar,
                         Eigen::Ref<Vector> xi_bar) const = 0;

  /// R, the number of coordinates z that the outputs have given the hidden layers.
  virtual Index rank() const = 0;

  /// Memory that a workspace of make_output() holds.
  virtual double output_bytes() const = 0;

  /// Memory that such a workspace also holds once it has been evaluated in mixed precision.
  virtual double mixed_bytes() const { return 0; }

  /// Memory that it also holds once derivatives have been pulled back through it, `rows` rows at a time.
  virtual double pull_back_bytes(Index rows) const = 0;

  /// A workspace for outputs given hidden layers of this prior. It shares what it needs with the prior, which need not
  /// outlive it.
  virtual std::unique_ptr<ConditionalOutput> make_output() const = 0;
};

}  // namespace ridgelet
