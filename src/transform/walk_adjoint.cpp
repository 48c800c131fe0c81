#include "ridgelet/transform/walk_adjoint.hpp"

#include <algorithm>

namespace ridgelet {

namespace {

Index columns(const Preactivations& seen) {
  return 1 + seen.layer().dimension();
}

}  // namespace

void WalkAdjoint::start(const HiddenWalk& walk, HiddenLayers& layers_bar) {
  walk_ = &walk;
  layers_bar_ = &layers_bar;
  values_bar_.resize(walk.layers());
  for (std::size_t l = 1; l < walk.layers(); ++l) {
    const Index size = walk.at(l).sites() * columns(walk.at(l));
    if (values_bar_[l].size() < size) values_bar_[l].resize(size);
    values_bar(l)->setZero();
  }
}

std::optional<MatrixSpan> WalkAdjoint::values_bar(std::size_t l) {
  if (l == 0) return std::nullopt;
  const Preactivations& seen = walk_->at(l);
  return Eigen::Map<Matrix>(values_bar_[l].data(), seen.sites(), columns(seen));
}

template <class Visit>
void WalkAdjoint::for_each_layer(std::size_t l, Visit&& visit) {
  Index start = 0;
  for (const Preactivations* seen = &walk_->at(l); seen; seen = seen->also(), --l) {
    visit(l, *seen, start);
    start += seen->own_units();
  }
}

void WalkAdjoint::product(const Activation& activation, std::size_t l, const MatrixView& weights,
                          const MatrixView& values_bar, MatrixSpan weights_bar, Index first) {
  for_each_layer(l, [&](std::size_t k, const Preactivations& seen, Index start) {
    const Index from = std::max(first, start),
                to = std::min(first + weights.rows(), start + seen.own_units());
    if (from >= to) return;
    features_.accumulate(activation, seen, from - start, weights.middleRows(from - first, to - from),
                         values_bar, weights_bar.middleRows(from - first, to - from), (*layers_bar_)[k],
                         this->values_bar(k));
  });
}

void WalkAdjoint::bridge(const Activation& activation, std::size_t l, const Matrix& bridge,
                         MatrixSpan bridge_bar) {
  product(activation, l, bridge, *values_bar(l + 1), bridge_bar);
}

void WalkAdjoint::weights(Operator& op, std::size_t l, const MatrixView& mixed,
                          const MatrixView& weights_bar) {
  const Preactivations& at_nodes = walk_->at(l);
  op.start_pull_back(at_nodes, mixed, weights_bar, blocks_.share_of(at_nodes.units()));
  for_each_layer(l, [&](std::size_t k, const Preactivations& seen, Index start) {
    units_.accumulate(seen, {.first = 0, .count = seen.own_units()}, (*layers_bar_)[k], values_bar(k),
                      seen.sites(), [&](int member, Index unit, Index, MatrixSpan z) {
                        op.pull_back(member, start + unit, mixed,
                                     weights_bar.middleRows(start + unit, z.cols()), z);
                      });
  });
}

}  // namespace ridgelet
