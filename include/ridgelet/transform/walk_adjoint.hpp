/// The way back along a walk through the hidden layers (hidden_walk.hpp), in the notation of unit_adjoint.hpp.
///
/// At every layer l the walk took the sums values_{l+1} = Phi_l bridge_l = [c_0, c] that layer l + 1 sees, and at the
/// end a sum with the output weights. On the way back, valuesbar_l is complete once every sum of features of layer l
/// and of later layers has been passed. At the nodes an operator looks at the preactivations, too: its derivatives in
/// them (Operator::pull_back) are added in the same way.
///
/// With skip connections the features of a layer are followed by those of earlier layers, and so are the derivatives.
/// Cost of a layer: twice that of the walk. Memory: another [c_0, c] for each layer.
#pragma once

#include <optional>
#include <vector>

#include "ridgelet/transform/hidden_walk.hpp"
#include "ridgelet/transform/operator.hpp"
#include "ridgelet/transform/unit_adjoint.hpp"

namespace ridgelet {

/// A workspace, as the walk is.
class WalkAdjoint {
 public:
  explicit WalkAdjoint(const BlockSizes& blocks = {}) : blocks_(blocks), features_(blocks), units_(blocks) {}

  /// Begins at the end of a walk, which must not change meanwhile. Derivatives in the layers are added to layers_bar.
  void start(const HiddenWalk& walk, HiddenLayers& layers_bar);

  /// Back through the sum values = Phi_l w. Row i of `weights` belongs to unit first + i of layer l or, with skip
  /// connections, of the layers whose features follow its own.
  void product(const Activation& activation, std::size_t l, const MatrixView& weights,
               const MatrixView& values_bar, MatrixSpan weights_bar, Index first = 0);

  /// Back over the bridge from layer l: product() with the derivatives gathered so far in what layer l + 1 sees.
  void bridge(const Activation& activation, std::size_t l, const Matrix& bridge, MatrixSpan bridge_bar);

  /// Back through weights = B F, B the operator of layer l at these sites and `mixed` its T F.
  void weights(Operator& op, std::size_t l, const MatrixView& mixed, const MatrixView& weights_bar);

 private:
  /// [c_0bar, cbar] of a layer; nothing for the first, which sees the inputs themselves.
  std::optional<MatrixSpan> values_bar(std::size_t l);

  /// Calls visit(layer, its preactivations, number of its first unit) for layer l and, with skip connections, for the
  /// earlier layers whose features follow its own.
  template <class Visit>
  void for_each_layer(std::size_t l, Visit&& visit);

  BlockSizes blocks_;
  const HiddenWalk* walk_ = nullptr;
  HiddenLayers* layers_bar_ = nullptr;
  std::vector<Vector> values_bar_;
  FeatureAdjoint features_;
  UnitAdjoint units_;
};

}  // namespace ridgelet
