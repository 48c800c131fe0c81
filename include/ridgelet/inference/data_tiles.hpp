/// Data whose rows come in tiles: from memory, or from a file.
#pragma once

#include <functional>

#include "ridgelet/core/ranks.hpp"
#include "ridgelet/inference/collapsed_likelihood.hpp"

namespace ridgelet {

struct DataTile {
  Matrix X;
  Matrix Y;
};

struct DataTiles {
  Index tiles = 0;
  Index rows = 0;  ///< of all tiles
  Index outputs = 1;
  std::function<DataTile(Index)> read = nullptr;  ///< may be called by any thread at any time
  const Ranks& ranks = alone();                   ///< that share the tiles
};

/// Data in memory, which must outlive the tiles.
inline DataTiles tiles_of(const Data& data, Index tile_rows) {
  return {.tiles = (data.rows() + tile_rows - 1) / tile_rows,
          .rows = data.rows(),
          .outputs = data.outputs(),
          .read = [&data, tile_rows](Index index) {
            const Index first = index * tile_rows, count = std::min(tile_rows, data.rows() - first);
            return DataTile{.X = data.X.middleRows(first, count), .Y = data.Y.middleRows(first, count)};
          }};
}

}  // namespace ridgelet
