/// Inputs on their way through the hidden layers of a network, never through an N x N matrix.
///
/// The weights into layer l >= 1 have rows B (s m + L z_i'), one for each of its units i (Definition 1 of the
/// paper; B is the operator of layer l - 1, s the scale of the hidden process, z_i' = s z_i). With features
/// phi(x) of layer l - 1, unit i of layer l therefore sees
///   phi(x)^T B (s m + L z_i') + b_i = c_0(x) + c(x) . z_i' + b_i,   [c_0, c](x) = phi(x)^T bridge,
///   bridge = B [s m, L]   (N x (1 + R)),
/// that is, layer l is a hidden layer with weights z_i' on the R coordinates c(x). The walk carries c from
/// layer to layer: cost M N (1 + R) for each layer, memory M (1 + R).
///
/// With skip connections, the features of a layer are followed by those of all earlier layers.
#pragma once

#include <vector>

#include "ridgelet/transform/feature_product.hpp"
#include "ridgelet/transform/preactivations.hpp"

namespace ridgelet {

/// A workspace: walking again with no more sites than before allocates nothing.
class HiddenWalk {
 public:
  explicit HiddenWalk(std::size_t depth, const BlockSizes& blocks = {}) : values_(depth), product_(blocks) {
    seen_.reserve(depth);
  }
  HiddenWalk(const HiddenWalk&) = delete;
  HiddenWalk& operator=(const HiddenWalk&) = delete;

  /// Begins at the first layer, or at its first `units` units alone. Layer and inputs must outlive the walk.
  void start(const HiddenLayer& first, const MatrixView& X) { start(first, X, first.units()); }
  void start(const HiddenLayer& first, const MatrixView& X, Index units);

  /// Crosses the bridge to the next layer, which must outlive the walk.
  void next(const Activation& activation, const Matrix& bridge, const HiddenLayer& layer, bool skip);

  /// What the units of the layer that the walk has reached see of the inputs.
  const Preactivations& here() const { return seen_.back(); }

  /// The same for layer l, which the walk has passed or reached.
  const Preactivations& at(std::size_t l) const { return seen_[l]; }

  std::size_t layers() const { return seen_.size(); }

  /// [c_0, c] at the inputs after layer l, for every layer whose bridge was crossed: M x (1 + R).
  MatrixView after(std::size_t l) const { return values_[l + 1].topRows(seen_[l].sites()); }

 private:
  std::vector<Preactivations> seen_;  ///< by each layer so far
  std::vector<Matrix> values_;        ///< [c_0, c] for each layer but the first
  FeatureProduct product_;
};

}  // namespace ridgelet
