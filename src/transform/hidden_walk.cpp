#include "ridgelet/transform/hidden_walk.hpp"

#include <algorithm>

namespace ridgelet {

void HiddenWalk::start(const HiddenLayer& first, const MatrixView& X, Index units) {
  seen_.clear();
  seen_.emplace_back(first, X, units);
}

void HiddenWalk::next(const Activation& activation, const Matrix& bridge, const HiddenLayer& layer,
                      bool skip) {
  const Preactivations& before = seen_.back();
  Matrix& room = values_[seen_.size()];
  // Only grows, so that a shorter block of sites after a longer one allocates nothing.
  if (room.rows() < before.sites() || room.cols() != bridge.cols())
    room.resize(std::max(room.rows(), before.sites()), bridge.cols());
  auto values = room.topRows(before.sites());
  values.setZero();
  product_.accumulate(activation, before, bridge, values);
  seen_.emplace_back(layer, values.rightCols(bridge.cols() - 1), values.col(0).data(),
                     skip ? &before : nullptr);
}

}  // namespace ridgelet
