#include "ridgelet/linalg/blocked.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <vector>

#include "expectations.hpp"
#include "numbers.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet {
namespace {

using testing::numbers;
using testing::relative_error;
using testing::tolerance::two_routes;

/// Rows, columns and inner size of products that fill no tile, one tile exactly, and several with a
/// remainder.
struct Shape {
  Index rows, cols, inner;
};
const std::vector<Shape> shapes = {{1, 1, 1}, {7, 5, 3}, {512, 64, 256}, {513, 65, 10}, {1100, 150, 70}};

Matrix lower_triangle(const Matrix& C) {
  return C.triangularView<Eigen::Lower>().toDenseMatrix();
}

RC_GTEST_PROP(UnitBlocks, CoverEveryUnitOnceAndInOrder, ()) {
  const Index units = *rc::gen::inRange<Index>(0, 5 * unit_block);
  Index next = 0;
  for_each_unit_block(units, [&](Index first, Index count) {
    RC_ASSERT(first == next);
    RC_ASSERT(count >= 1);
    RC_ASSERT(count <= unit_block);
    next = first + count;
  });
  RC_ASSERT(next == units);
}

TEST(UnitBlocks, AreFullButForTheLast) {
  std::vector<Index> counts;
  for_each_unit_block(2 * unit_block + 3, [&](Index, Index count) { counts.push_back(count); });
  EXPECT_EQ(counts, (std::vector<Index>{unit_block, unit_block, 3}));
}

TEST(AccumulateProduct, AddsThePlainProduct) {
  for (const auto& [rows, cols, inner] : shapes) {
    const Matrix A = numbers(rows, inner, 1), B = numbers(inner, cols, 2), before = numbers(rows, cols, 3);
    Matrix C = before;
    accumulate_product(C, A, B);
    EXPECT_LT(relative_error(C, before + A.lazyProduct(B)), two_routes) << rows << " x " << cols;
  }
}

TEST(AccumulateTransposedProduct, AddsThePlainProduct) {
  for (const auto& [rows, cols, inner] : shapes) {
    const Matrix A = numbers(inner, rows, 1), B = numbers(inner, cols, 2), before = numbers(rows, cols, 3);
    Matrix C = before;
    accumulate_transposed_product(C, A, B);
    EXPECT_LT(relative_error(C, before + A.transpose().lazyProduct(B)), two_routes) << rows << " x " << cols;
  }
}

TEST(AccumulateProductTransposed, AddsThePlainProduct) {
  for (const auto& [rows, cols, inner] : shapes) {
    const Matrix A = numbers(rows, inner, 1), B = numbers(cols, inner, 2), before = numbers(rows, cols, 3);
    Matrix C = before;
    accumulate_product_transposed(C, A, B);
    EXPECT_LT(relative_error(C, before + A.lazyProduct(B.transpose())), two_routes) << rows << " x " << cols;
  }
}

TEST(ReduceByGram, SubtractsTheLowerTriangleOfThePlainProductHoweverItIsCut) {
  const Matrix A = numbers(37, 5, 1), before = numbers(37, 37, 3);
  const Matrix plain = before - A.lazyProduct(A.transpose());
  for (const Index tile : {1, 4, 36, 37, 38}) {
    Matrix C = before;
    reduce_by_gram(C, A, tile);
    EXPECT_LT(relative_error(lower_triangle(C), lower_triangle(plain)), two_routes) << tile;
    const Matrix above = C - before;
    EXPECT_TRUE(above.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().isZero(0)) << tile;
  }
}

TEST(AccumulateGram, AddsTheLowerTriangleOfThePlainProduct) {
  for (const auto& [rows, cols, inner] : shapes) {
    const Matrix A = numbers(rows, inner, 1), before = numbers(rows, rows, 3);
    Matrix C = before;
    accumulate_gram(C, A);
    const Matrix plain = before + A.lazyProduct(A.transpose());
    EXPECT_LT(relative_error(lower_triangle(C), lower_triangle(plain)), two_routes) << rows;
  }
}

TEST(AccumulateGram, LeavesWhatStandsAboveTheDiagonalAlone) {
  const Matrix sevens = Matrix::Constant(300, 300, 7).triangularView<Eigen::StrictlyUpper>();
  for (const bool transposed : {false, true}) {
    Matrix C = Matrix::Constant(300, 300, 7);
    transposed ? accumulate_transposed_gram(C, numbers(10, 300, 1)) : accumulate_gram(C, numbers(300, 10, 1));
    EXPECT_EQ(Matrix(C.triangularView<Eigen::StrictlyUpper>()), sevens);
  }
}

TEST(AccumulateProduct, WritesWithinABlockOfALargerMatrix) {
  Matrix C = Matrix::Zero(20, 10);
  const Matrix A = numbers(6, 4, 1), B = numbers(4, 3, 2);
  accumulate_product(C.block(2, 5, 6, 3), A, B);
  EXPECT_LT(relative_error(C.block(2, 5, 6, 3), A.lazyProduct(B)), two_routes);
  C.block(2, 5, 6, 3).setZero();
  EXPECT_EQ(C, Matrix::Zero(20, 10));
}

TEST(AccumulateProduct, SumsOverBlocksOfUnitsToTheWholeProduct) {
  const Index units = 2 * unit_block + 40;
  const Matrix Phi = numbers(30, units, 1), B = numbers(units, 20, 2);
  Matrix sum = Matrix::Zero(30, 20);
  for_each_unit_block(units, [&](Index first, Index count) {
    accumulate_product(sum, Phi.middleCols(first, count), B.middleRows(first, count));
  });
  EXPECT_LT(relative_error(sum, Phi.lazyProduct(B)), two_routes);
}

TEST(BlockedProducts, AreTheSameToTheLastBitForAnyNumberOfThreads) {
  const Matrix A = numbers(1100, 256, 1), B = numbers(256, 300, 2), At = A.transpose();
  const std::vector<std::function<Matrix()>> products = {[&] {
                                                           Matrix C = Matrix::Zero(1100, 300);
                                                           accumulate_product(C, A, B);
                                                           return C;
                                                         },
                                                         [&] {
                                                           Matrix C = Matrix::Zero(1100, 300);
                                                           accumulate_transposed_product(C, At, B);
                                                           return C;
                                                         },
                                                         [&] {
                                                           Matrix C = Matrix::Zero(1100, 1100);
                                                           accumulate_gram(C, A);
                                                           return C;
                                                         }};
  for (const auto& product : products) {
    const auto with_threads = [&](int threads) {
      const ThreadScope scope(threads);
      return product();
    };
    const Matrix one = with_threads(1);
    EXPECT_GT(one.norm(), 0);
    EXPECT_EQ(with_threads(2), one);
    EXPECT_EQ(with_threads(4), one);
  }
}

TEST(Products, AreTheSameForTilesOfAnySize) {
  const Matrix A = numbers(9, 5, 1), B = numbers(5, 7, 2);
  for (const Index rows : {1, 2, 5, 9, 20})
    for (const Index cols : {1, 2, 3, 7, 20}) {
      const TileSize tile{rows, cols};
      Matrix C = Matrix::Zero(9, 7), T = Matrix::Zero(9, 7), S = Matrix::Zero(9, 9), R = Matrix::Zero(5, 5);
      accumulate_product(C, A, B, tile);
      accumulate_transposed_product(T, A.transpose(), B, tile);
      accumulate_gram(S, A, tile);
      accumulate_transposed_gram(R, A, tile);
      EXPECT_LT(relative_error(C, A.lazyProduct(B)), two_routes) << rows << " x " << cols;
      EXPECT_LT(relative_error(T, A.lazyProduct(B)), two_routes) << rows << " x " << cols;
      EXPECT_LT(relative_error(lower_triangle(S), lower_triangle(A.lazyProduct(A.transpose()))), two_routes);
      EXPECT_LT(relative_error(lower_triangle(R), lower_triangle(A.transpose().lazyProduct(A))), two_routes);
    }
}

}  // namespace
}  // namespace ridgelet
