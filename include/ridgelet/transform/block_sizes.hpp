/// How sums over units and sites are cut into pieces.
///
/// The numbers decide about speed and memory only: results for other sizes differ by rounding, and for the
/// same sizes they do not depend on the number of threads.
#pragma once

#include <algorithm>

#include "ridgelet/linalg/blocked.hpp"

namespace ridgelet {

struct BlockSizes {
  Index units = unit_block;    ///< in a block of features
  Index share = 0;             ///< units that a thread takes at a time; 0: share_of() decides
  Index lap = 2048;            ///< units whose shares are summed before the next are begun
  Index sites = 256;           ///< in a piece of sites; with more, threads share sites instead of units
  Index cached_units = 16;     ///< units whose values stay in the cache between product and activation
  Index worth_a_team = 16384;  ///< values; with fewer it takes longer to wake threads than they save
  TileSize tile = {};          ///< of products
  Index stairs = 256;          ///< columns of T F that share the zeros above their first node (WeightBlocks)
  Index kept_features = Index{1} << 22;  ///< at the nodes; with more they are evaluated again when needed
  Index kept_weights = Index{1} << 23;   ///< in B [m, L]; with more it is formed a slab of units at a time

  /// Units in such a slab, whole laps.
  Index slab_of(Index columns) const { return lap * std::max<Index>(1, kept_weights / (lap * columns)); }

  Index share_of(Index all_units) const {
    if (share > 0) return share;
    return all_units < 2048 ? 64 : 128;
  }
};

}  // namespace ridgelet
