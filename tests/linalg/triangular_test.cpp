#include "ridgelet/linalg/triangular.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "expectations.hpp"
#include "numbers.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet {
namespace {

using testing::numbers;
using testing::relative_error;
using testing::tolerance::two_routes;

/// Well conditioned, with numbers in the triangle that is not to be read.
Matrix both_triangles(Index n) {
  return numbers(n, n, 1) / static_cast<double>(n) + 2 * Matrix::Identity(n, n);
}

Matrix only(const Matrix& T, Triangle triangle) {
  return triangle == Triangle::lower ? Matrix(T.triangularView<Eigen::Lower>())
                                     : Matrix(T.triangularView<Eigen::Upper>());
}

TEST(SolveTriangular, UndoesTheProductHoweverItIsCut) {
  const Matrix T = both_triangles(23), F = numbers(23, 9, 2);
  for (const Triangle triangle : {Triangle::lower, Triangle::upper})
    for (const Index block : {1, 4, 22, 23, 512}) {
      Matrix solved = F, transposed = F;
      solve_triangular(T, triangle, solved, block);
      solve_transposed_triangular(T, triangle, transposed, block);
      const Matrix alone = only(T, triangle);
      EXPECT_LT(relative_error(alone * solved, F), two_routes) << block;
      EXPECT_LT(relative_error(alone.transpose() * transposed, F), two_routes) << block;
    }
}

TEST(SolveTriangular, SolvesWithinABlockOfALargerMatrix) {
  const Matrix T = both_triangles(12);
  Matrix larger = Matrix::Constant(11, 5, 7), alone = numbers(9, 3, 3);
  larger.block(1, 1, 9, 3) = alone;
  solve_triangular(T.block(2, 2, 9, 9), Triangle::lower, larger.block(1, 1, 9, 3), 4);
  solve_triangular(Matrix(T.block(2, 2, 9, 9)), Triangle::lower, alone, 4);
  EXPECT_EQ(larger.block(1, 1, 9, 3), alone);
  larger.block(1, 1, 9, 3).setConstant(7);
  EXPECT_EQ(larger, Matrix::Constant(11, 5, 7));
}

TEST(SolveTriangular, HasTheSameDigitsForAnyNumberOfThreads) {
  const Matrix T = both_triangles(100), F = numbers(100, 80, 4);
  const auto with_threads = [&](int threads) {
    const ThreadScope scope(threads);
    Matrix solved = F;
    solve_triangular(T, Triangle::upper, solved, 16);
    return solved;
  };
  EXPECT_EQ(with_threads(1), with_threads(3));
}

TEST(SolveTriangular, OfNothingIsNothing) {
  Matrix no_columns(3, 0), no_rows(0, 3);
  solve_triangular(both_triangles(3), Triangle::lower, no_columns);
  solve_transposed_triangular(Matrix(0, 0), Triangle::upper, no_rows);
  EXPECT_EQ(no_columns.size() + no_rows.size(), 0);
}

TEST(SolveTriangular, CanBeCancelled) {
  const std::atomic<bool> cancelled = true;
  const CancellationScope scope(&cancelled);
  Matrix F = numbers(3, 1, 5);
  EXPECT_THROW(solve_triangular(both_triangles(3), Triangle::lower, F), Cancelled);
}

}  // namespace
}  // namespace ridgelet
