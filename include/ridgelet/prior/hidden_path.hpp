/// The way from inputs to the last hidden layer of a ridgelet prior, once all hidden layers are fixed.
///
/// Layer by layer: the operator of the layer is conditioned on what its units see of the nodes, its bridge
/// B [s m, L] to the next layer is formed, and the nodes walk over it (hidden_walk.hpp). With one hidden
/// layer there is no bridge. Cost of a layer: its operator's, and N D (1 + R); memory L N (1 + R).
///
/// A unit of a single hidden layer is out of reach if its operator has a cutoff (operator.hpp) and all nodes lie
/// beyond: with the box of the nodes, centre c and half-widths h,
///   |W_i . c + b_i| - sum_k |W_ik| h_k > cutoff.
/// Its row of B is zero, so nothing depends on it, and what follows is about the other units alone: those in reach.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/transform/hidden_walk.hpp"

namespace ridgelet {

/// A workspace: it can be conditioned again, and then reuses its memory.
class HiddenPath {
 public:
  explicit HiddenPath(const RidgeletPrior& prior);

  /// False if one of the operators cannot be built (Operator::condition). It keeps the layers: a copy of them or, where
  /// they are moved in, the layers themselves.
  [[nodiscard]] bool condition(const HiddenLayers& layers);
  [[nodiscard]] bool condition(HiddenLayers&& layers);

  /// After condition() returned false: why.
  InvalidArgument impossibility() const { return operators_[failed_]->impossibility(); }

  const HiddenLayers& layers() const { return layers_; }

  /// B [s m, L] of every layer but the last.
  const std::vector<Matrix>& bridges() const { return bridges_; }

  /// Moves layers and bridges out; the path is empty afterwards.
  struct Way {
    HiddenLayers layers;
    std::vector<Matrix> bridges;
  };
  Way leave() && { return {.layers = std::move(layers_), .bridges = std::move(bridges_)}; }

  /// The order of the nodes here, as indices of the prior's nodes: the pivots of L come first if L has many columns, so
  /// that its triangle need not be multiplied in full (WeightBlocks).
  const std::vector<Index>& node_order() const { return node_order_; }

  /// Units of the last layer, and the indices of those in reach, in their order; the list is empty if all are in reach.
  Index units() const { return units_.back(); }
  const std::vector<Index>& in_reach() const { return in_reach_; }

  /// A matrix with the rows of the units in reach in their places, and rows of zeros for the others.
  Matrix of_all_units(Matrix rows) const;

  /// The last layer: what its units in reach see of the nodes, its operator, and T [m, L].
  const Preactivations& at_nodes() const { return nodes_walk_.here(); }
  const Operator& op() const { return *operators_.back(); }
  const Matrix& mixed() const { return mixed_; }

  // What the way back needs (path_adjoint.hpp): the operator of every layer, the nodes' walk, and [s m, L].
  Operator& op(std::size_t l) { return *operators_[l]; }
  const HiddenWalk& nodes_walk() const { return nodes_walk_; }
  const Matrix& hidden_values() const { return hidden_values_; }

  /// What the last layer's units in reach see of the rows of X, which must outlive the walk.
  const Preactivations& at(const MatrixView& X, HiddenWalk& walk) const;

 private:
  void make_operator_of(std::size_t l, Index units);
  bool condition_operator(std::size_t l);
  void find_units_in_reach();
  void start(HiddenWalk& walk, const MatrixView& X) const;
  bool walk_nodes();

  RidgeletPrior prior_;
  std::vector<Index> node_order_;
  Nodes nodes_;                  ///< in that order, as are the rows below
  Vector centre_, half_widths_;  ///< of their box
  HiddenLayers layers_;
  std::vector<Index> in_reach_;
  HiddenLayer layer_in_reach_;  ///< its first rows are those units
  std::vector<std::unique_ptr<Operator>> operators_;
  std::vector<Index> units_;  ///< that each operator was made for
  std::size_t failed_ = 0;    ///< the layer whose operator could not be built
  std::vector<Matrix> bridges_;
  Matrix hidden_values_;  ///< [s m, L]
  Matrix output_values_;  ///< [m, L]
  Matrix mixed_;          ///< T of the layer at hand applied to either
  HiddenWalk nodes_walk_;
  WeightBlocks blocks_;
};

}  // namespace ridgelet
