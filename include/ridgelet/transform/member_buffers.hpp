/// Scratch matrices, one for each member of a team of threads (core/parallel.hpp).
#pragma once

#include <algorithm>
#include <vector>

#include "ridgelet/core/threads.hpp"
#include "ridgelet/core/types.hpp"

namespace ridgelet {

class MemberBuffers {
 public:
  /// Room for `numbers` numbers for each member that a team may have. It only grows, so that smaller work after larger
  /// allocates nothing.
  void make_room(Index numbers) {
    const auto members = static_cast<std::size_t>(team_threads());
    if (buffers_.size() < members) buffers_.resize(members);
    for (Vector& each : buffers_)
      if (each.size() < numbers) each.resize(numbers);
  }

  /// A matrix in the member's room, its columns one after the other.
  Eigen::Map<Matrix> of(int member, Index rows, Index cols) {
    return {buffers_[static_cast<std::size_t>(member)].data(), rows, cols};
  }

 private:
  std::vector<Vector> buffers_;
};

}  // namespace ridgelet
