/// Any numbers: independent N(0, 1), the same for the same seed.
#pragma once

#include "ridgelet/core/random.hpp"

namespace ridgelet::testing {

inline Matrix numbers(Index rows, Index cols, std::uint64_t seed = 1) {
  return RandomStream{.seed = seed}.normals(rows, cols);
}

}  // namespace ridgelet::testing
