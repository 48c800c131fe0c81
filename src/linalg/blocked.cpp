#include "ridgelet/linalg/blocked.hpp"

#include <algorithm>

#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

constexpr Index tile_rows = 256;
constexpr Index tile_cols = 128;

Index tiles(Index size, Index tile) {
  return (size + tile - 1) / tile;
}

/// Calls product(i, rows, j, cols) for each tile of an m x n result, in parallel.
template <class TileProduct>
void for_each_tile(Index m, Index n, TileProduct&& product) {
  const Index down = tiles(m, tile_rows);
  const Index all = down * tiles(n, tile_cols);
  parallel_for(all, [&](Index tile) {
    const Index i = (tile % down) * tile_rows, j = (tile / down) * tile_cols;
    product(i, std::min(tile_rows, m - i), j, std::min(tile_cols, n - j));
  });
}

/// Calls product(j, rows, cols) for each panel of the lower triangle of an n x n result: the block at (j, j).
/// Panels grow shorter towards the right; whoever is free takes the next.
template <class PanelProduct>
void for_each_lower_panel(Index n, PanelProduct&& product) {
  const Index all = tiles(n, tile_cols);
  parallel_for(all, [&](Index panel) {
    const Index j = panel * tile_cols;
    product(j, n - j, std::min(tile_cols, n - j));
  });
}

}  // namespace

void accumulate_product(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  for_each_tile(C.rows(), C.cols(), [&](Index i, Index rows, Index j, Index cols) {
    add_product(C.block(i, j, rows, cols), A.middleRows(i, rows), B.middleCols(j, cols));
  });
}

void accumulate_transposed_product(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  for_each_tile(C.rows(), C.cols(), [&](Index i, Index rows, Index j, Index cols) {
    add_transposed_product(C.block(i, j, rows, cols), A.middleCols(i, rows), B.middleCols(j, cols));
  });
}

void accumulate_gram(MatrixSpan C, const MatrixView& A) {
  for_each_lower_panel(C.cols(), [&](Index j, Index rows, Index cols) {
    add_product_transposed(C.block(j, j, rows, cols), A.middleRows(j, rows), A.middleRows(j, cols));
  });
}

void accumulate_transposed_gram(MatrixSpan C, const MatrixView& A) {
  for_each_lower_panel(C.cols(), [&](Index j, Index rows, Index cols) {
    add_transposed_product(C.block(j, j, rows, cols), A.middleCols(j, rows), A.middleCols(j, cols));
  });
}

}  // namespace ridgelet
