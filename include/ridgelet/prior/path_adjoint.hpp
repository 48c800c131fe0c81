/// The way back through a HiddenPath: derivatives from a network's outputs to all of its hidden layers.
///
/// Outputs depend on the hidden layers in two ways: through what the units see of the inputs, and through the weights
/// B [m, L] and the bridges, which the operators make of what the units see of the nodes. With bars for derivatives
/// (transform/unit_adjoint.hpp), every block of inputs adds to layersbar, weightsbar and bridgesbar. When all blocks
/// have been added, the nodes are walked back once:
///   last layer        weightsbar   through its operator
///   layer l before    bridge_l by the nodes' own walk, then bridgebar_l through its operator.
/// Cost: about twice that of the path and of the outputs. Memory: the derivatives in the layers, the bridges and the
/// weights, N (1 + R), and those in what the units see of a block of inputs and of the nodes.
#pragma once

#include <vector>

#include "ridgelet/prior/hidden_path.hpp"
#include "ridgelet/transform/walk_adjoint.hpp"

namespace ridgelet {

/// A workspace: going back again allocates nothing.
class PathAdjoint {
 public:
  explicit PathAdjoint(const BlockSizes& blocks = {}) : rows_(blocks), nodes_(blocks) {}

  /// `columns` are those of the outputs, 1 + R.
  void start(const HiddenPath& path, Index columns);

  // For each block of inputs, whose walk has come to the last layer: start_rows(), add_outputs() for every slab of the
  // output weights, finish_rows().
  void start_rows(const HiddenWalk& walk);
  void add_outputs(const Activation& activation, const MatrixView& weights, Index first,
                   const MatrixView& values_bar);
  void finish_rows(const Activation& activation, const HiddenPath& path);

  const HiddenLayers& finish(const Activation& activation, HiddenPath& path);

 private:
  HiddenLayers layers_bar_;
  std::vector<Matrix> bridges_bar_;
  Matrix weights_bar_;
  Matrix mixed_;
  WalkAdjoint rows_, nodes_;
};

}  // namespace ridgelet
