#include "ridgelet/linalg/blocked.hpp"

#include <algorithm>

#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

Index tiles(Index size, Index tile) {
  return (size + tile - 1) / tile;
}

/// Calls product(i, rows, j, cols) for each tile of an m x n result, in parallel.
template <class TileProduct>
void for_each_tile(Index m, Index n, TileSize size, TileProduct&& product) {
  const Index down = tiles(m, size.rows);
  const Index all = down * tiles(n, size.cols);
  parallel_for(all, [&](Index tile) {
    const Index i = (tile % down) * size.rows, j = (tile / down) * size.cols;
    product(i, std::min(size.rows, m - i), j, std::min(size.cols, n - j));
  });
}

/// Calls product(j, rows, cols) for each panel of the lower triangle of an n x n result: the block at (j, j).
/// Panels grow shorter towards the right; whoever is free takes the next.
template <class PanelProduct>
void for_each_lower_panel(Index n, TileSize size, PanelProduct&& product) {
  const Index all = tiles(n, size.cols);
  parallel_for(all, [&](Index panel) {
    const Index j = panel * size.cols;
    product(j, n - j, std::min(size.cols, n - j));
  });
}

}  // namespace

void accumulate_product(MatrixSpan C, const MatrixView& A, const MatrixView& B, TileSize tile) {
  for_each_tile(C.rows(), C.cols(), tile, [&](Index i, Index rows, Index j, Index cols) {
    add_product(C.block(i, j, rows, cols), A.middleRows(i, rows), B.middleCols(j, cols));
  });
}

void accumulate_transposed_product(MatrixSpan C, const MatrixView& A, const MatrixView& B, TileSize tile) {
  for_each_tile(C.rows(), C.cols(), tile, [&](Index i, Index rows, Index j, Index cols) {
    add_transposed_product(C.block(i, j, rows, cols), A.middleCols(i, rows), B.middleCols(j, cols));
  });
}

void accumulate_product_transposed(MatrixSpan C, const MatrixView& A, const MatrixView& B, TileSize tile) {
  for_each_tile(C.rows(), C.cols(), tile, [&](Index i, Index rows, Index j, Index cols) {
    add_product_transposed(C.block(i, j, rows, cols), A.middleRows(i, rows), B.middleRows(j, cols));
  });
}

void accumulate_gram(MatrixSpan C, const MatrixView& A, TileSize tile) {
  for_each_lower_panel(C.cols(), tile, [&](Index j, Index rows, Index cols) {
    const Index below = rows - cols;
    add_gram(C.block(j, j, cols, cols), A.middleRows(j, cols));
    add_product_transposed(C.block(j + cols, j, below, cols), A.bottomRows(below), A.middleRows(j, cols));
  });
}

void accumulate_transposed_gram(MatrixSpan C, const MatrixView& A, TileSize tile) {
  for_each_lower_panel(C.cols(), tile, [&](Index j, Index rows, Index cols) {
    const Index below = rows - cols;
    add_transposed_gram(C.block(j, j, cols, cols), A.middleCols(j, cols));
    add_transposed_product(C.block(j + cols, j, below, cols), A.rightCols(below), A.middleCols(j, cols));
  });
}

void reduce_by_gram(MatrixSpan C, const MatrixView& A, Index tile) {
  for_each_tile(C.rows(), C.cols(), {tile, tile}, [&](Index i, Index rows, Index j, Index cols) {
    if (i == j) subtract_gram(C.block(i, i, rows, rows), A.middleRows(i, rows));
    if (i > j)
      subtract_product_transposed(C.block(i, j, rows, cols), A.middleRows(i, rows), A.middleRows(j, cols));
  });
}

}  // namespace ridgelet
