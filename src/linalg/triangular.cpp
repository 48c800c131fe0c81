#include "ridgelet/linalg/triangular.hpp"

#include <algorithm>

#include "linalg/blas.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

/// op(T) F = given, where op is the identity or the transpose.
struct TriangularSystem {
  const MatrixView& T;
  Triangle triangle;
  bool transposed;

  /// Whether op(T) is lower triangular, so that the first rows of F are known first.
  bool forwards() const { return (triangle == Triangle::lower) != transposed; }

  /// Rows from `first` on, within one block.
  void solve_block(Index first, MatrixSpan F) const {
    const char which = triangle == Triangle::lower ? 'L' : 'U', op = transposed ? 'T' : 'N', not_unit = 'N';
    const auto n = static_cast<lapack_int>(F.rows()), columns = static_cast<lapack_int>(F.cols());
    const auto stride = static_cast<lapack_int>(T.outerStride());
    const auto own_stride = static_cast<lapack_int>(F.outerStride());
    lapack_int info = 0;
    const SingleThreadedBlas one_thread;
    LAPACK_dtrtrs(&which, &op, &not_unit, &n, &columns, T.data() + first * (T.outerStride() + 1), &stride,
                  F.data(), &own_stride, &info);
  }

  /// Takes the known rows to the other side: the rows from `row` on lose op(T)(others, known) known.
  void subtract(Index row, MatrixSpan others, Index first, const MatrixView& known) const {
    if (transposed)
      subtract_transposed_product(others, T.block(first, row, known.rows(), others.rows()), known);
    else
      subtract_product(others, T.block(row, first, others.rows(), known.rows()), known);
  }

  void solve(MatrixSpan F, Index block) const {
    const Index n = F.rows(), blocks = (n + block - 1) / block;
    for (Index step = 0; step < blocks; ++step) {
      throw_if_cancelled();
      const Index first = (forwards() ? step : blocks - 1 - step) * block, size = std::min(block, n - first);
      solve_block(first, F.middleRows(first, size));
      const Index row = forwards() ? first + size : 0, left = forwards() ? n - row : first;
      if (left > 0) subtract(row, F.middleRows(row, left), first, F.middleRows(first, size));
    }
  }

  void solve_all(MatrixSpan F, Index block) const {
    if (F.cols() <= block) return solve(F, block);
    parallel_for((F.cols() + block - 1) / block, [&](Index part) {
      const Index first = part * block;
      solve(F.middleCols(first, std::min(block, F.cols() - first)), block);
    });
  }
};

}  // namespace

void solve_triangular(const MatrixView& T, Triangle triangle, MatrixSpan F, Index block) {
  TriangularSystem{.T = T, .triangle = triangle, .transposed = false}.solve_all(F, block);
}

void solve_transposed_triangular(const MatrixView& T, Triangle triangle, MatrixSpan F, Index block) {
  TriangularSystem{.T = T, .triangle = triangle, .transposed = true}.solve_all(F, block);
}

}  // namespace ridgelet
