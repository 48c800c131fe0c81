/// Sums over tiles of rows: all threads read tiles, and their sums are added in the order of the tiles, over all ranks.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "ridgelet/core/packed.hpp"
#include "ridgelet/core/pairwise.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/ranks.hpp"

namespace ridgelet {

/// Calls visit(index, tile) for the tiles of a range in their order, on this thread; `group` tiles at a time are read
/// on all threads. Memory: one group.
template <class Read, class Visit>
void for_each_tile(const TileRange& range, Read&& read, Visit&& visit, Index group = 16) {
  using Tile = decltype(read(range.first));
  std::vector<std::optional<Tile>> tiles;
  for (Index first = range.first; first < range.end; first += group) {
    tiles.assign(static_cast<std::size_t>(std::min(group, range.end - first)), std::nullopt);
    parallel_for(static_cast<Index>(tiles.size()),
                 [&](Index i) { tiles[static_cast<std::size_t>(i)] = read(first + i); });
    for (std::size_t i = 0; i < tiles.size(); ++i) visit(first + static_cast<Index>(i), *tiles[i]);
  }
}

/// The sum over all tiles of sum_of(tile), the same on every rank and for any number of ranks. `Sum` has add(later),
/// pack(Packer&) and a static unpack(Unpacker&). There must be at least one tile.
template <class Sum, class Read, class SumOf>
Sum sum_over_tiles(Index tiles, const Ranks& ranks, Read&& read, SumOf&& sum_of) {
  using Tree = PairwiseSum<Sum>;
  const auto of_range = [&](const TileRange& range) {
    Tree tree;
    for_each_tile(range, read, [&](Index index, auto& tile) { tree.add(index, sum_of(index, tile)); });
    return tree;
  };
  if (ranks.size() == 1) return std::move(of_range({.first = 0, .end = tiles})).total();
  const auto packed = [](const Tree& tree) {
    Packer packer;
    for (const auto& node : tree.nodes()) {
      packer.put(node.level);
      packer.put(node.index);
      node.sum.pack(packer);
    }
    return packer.take();
  };
  const auto unpacked = [](const std::string& bytes) {
    Tree tree;
    for (Unpacker unpacker(bytes); !unpacker.at_end();) {
      const auto level = unpacker.get<int>();
      const auto index = unpacker.get<Index>();
      tree.add({level, index, Sum::unpack(unpacker)});
    }
    return tree;
  };
  const std::string all = ranks.shared([&] { return packed(of_range(share_of(tiles, ranks))); },
                                       [&](std::string earlier, std::string later) {
                                         Tree tree = unpacked(earlier);
                                         tree.join(unpacked(later));
                                         return packed(tree);
                                       });
  return unpacked(all).total();
}

}  // namespace ridgelet
