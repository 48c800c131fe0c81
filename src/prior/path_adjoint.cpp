#include "ridgelet/prior/path_adjoint.hpp"

namespace ridgelet {

namespace {

/// Moves the first rows of the layer to the rows of these units, in place, and sets all other rows to zero. The last
/// row moves first, since no row moves upwards.
void spread(const std::vector<Index>& units, HiddenLayer& layer) {
  Index end = layer.units();
  const auto clear = [&](Index first) {
    layer.W.middleRows(first, end - first).setZero();
    layer.b.segment(first, end - first).setZero();
  };
  for (std::size_t i = units.size(); i-- > 0;) {
    const Index to = units[i], from = static_cast<Index>(i);
    clear(to + 1);
    layer.W.row(to) = layer.W.row(from);
    layer.b(to) = layer.b(from);
    end = to;
  }
  clear(0);
}

}  // namespace

void PathAdjoint::start(const HiddenPath& path, Index columns) {
  layers_bar_ = path.layers();
  layers_bar_.set_zero();
  bridges_bar_.resize(path.bridges().size());
  for (std::size_t l = 0; l < bridges_bar_.size(); ++l)
    bridges_bar_[l].setZero(path.bridges()[l].rows(), path.bridges()[l].cols());
  weights_bar_.setZero(path.units(), columns);
}

void PathAdjoint::start_rows(const HiddenWalk& walk) {
  rows_.start(walk, layers_bar_);
}

void PathAdjoint::add_outputs(const Activation& activation, const MatrixView& weights, Index first,
                              const MatrixView& values_bar) {
  rows_.product(activation, bridges_bar_.size(), weights, values_bar,
                weights_bar_.middleRows(first, weights.rows()), first);
}

void PathAdjoint::finish_rows(const Activation& activation, const HiddenPath& path) {
  for (std::size_t l = bridges_bar_.size(); l-- > 0;)
    rows_.bridge(activation, l, path.bridges()[l], bridges_bar_[l]);
}

const HiddenLayers& PathAdjoint::finish(const Activation& activation, HiddenPath& path) {
  nodes_.start(path.nodes_walk(), layers_bar_);
  nodes_.weights(path.op(bridges_bar_.size()), bridges_bar_.size(), path.mixed(),
                 weights_bar_.topRows(path.at_nodes().units()));
  mixed_.resize(path.mixed().rows(), path.mixed().cols());
  for (std::size_t l = bridges_bar_.size(); l-- > 0;) {
    nodes_.bridge(activation, l, path.bridges()[l], bridges_bar_[l]);
    path.op(l).mix_into(path.hidden_values(), mixed_);
    nodes_.weights(path.op(l), l, mixed_, bridges_bar_[l]);
  }
  if (!path.in_reach().empty()) spread(path.in_reach(), layers_bar_[0]);
  return layers_bar_;
}

}  // namespace ridgelet
