/// Sums over hidden units in blocks: the one loop that all products of the library share.
///
/// A network's output is a sum over its units, so every product is accumulated block of units by block of
/// units, and memory is (rows) x (block), whatever the number of units. Each product is cut into tiles of
/// fixed size. A tile is one call on one thread (products.hpp), and threads share the tiles, so the result is the same
/// for any number of threads.
#pragma once

#include <algorithm>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// Units in a block. 256 keeps a block of features at a few hundred points within the cache.
inline constexpr Index unit_block = 256;

/// Calls visit(first, count) for consecutive blocks that cover 0 .. units - 1.
template <class Visit>
void for_each_unit_block(Index units, Visit&& visit, Index block = unit_block) {
  for (Index first = 0; first < units; first += block) {
    throw_if_cancelled();
    visit(first, std::min(block, units - first));
  }
}

/// The tiles into which the result of a product is cut.
struct TileSize {
  Index rows = 256;
  Index cols = 128;
};

/// C += A B.
void accumulate_product(MatrixSpan C, const MatrixView& A, const MatrixView& B, TileSize tile = {});

/// C += A^T B.
void accumulate_transposed_product(MatrixSpan C, const MatrixView& A, const MatrixView& B,
                                   TileSize tile = {});

/// C += A B^T.
void accumulate_product_transposed(MatrixSpan C, const MatrixView& A, const MatrixView& B,
                                   TileSize tile = {});

/// The lower triangle of C += A A^T; what stands above the diagonal is left alone.
void accumulate_gram(MatrixSpan C, const MatrixView& A, TileSize tile = {});

/// The lower triangle of C += A^T A, likewise.
void accumulate_transposed_gram(MatrixSpan C, const MatrixView& A, TileSize tile = {});

/// The lower triangle of C -= A A^T, likewise, in square tiles: how a factorisation updates the part that is left.
void reduce_by_gram(MatrixSpan C, const MatrixView& A, Index tile = 512);

}  // namespace ridgelet
