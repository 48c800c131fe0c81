#include "ridgelet/linalg/svd.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "numbers.hpp"

namespace ridgelet {
namespace {

using testing::numbers;
using testing::relative_error;

constexpr double lapack_rounding = 1e-13;

/// n x R of rank r.
Matrix of_rank(Index n, Index R, Index r) {
  return numbers(n, r, 2) * numbers(r, R, 3);
}

void expect_orthonormal(const Matrix& Q) {
  EXPECT_LT((Q.transpose() * Q - Matrix::Identity(Q.cols(), Q.cols())).cwiseAbs().maxCoeff(),
            lapack_rounding);
}

TEST(ThinSvd, GivesTheMatrixBack) {
  for (const auto& [n, R] : {std::pair<Index, Index>{7, 3}, {3, 7}, {5, 5}, {1, 1}, {60, 40}}) {
    const Matrix F = numbers(n, R);
    const auto [U, S, V] = thin_svd(F);
    EXPECT_EQ(U.cols(), std::min(n, R));
    EXPECT_EQ(V.cols(), std::min(n, R));
    expect_orthonormal(U);
    expect_orthonormal(V);
    EXPECT_TRUE(std::is_sorted(S.begin(), S.end(), std::greater<>()));
    EXPECT_LT(relative_error(U * S.asDiagonal() * V.transpose(), F), lapack_rounding);
    EXPECT_LT(relative_error(singular_values(F), S), lapack_rounding);
  }
}

TEST(FullSvd, HasABasisOfTheNullSpaceAfterTheRank) {
  const Matrix F = of_rank(4, 9, 3);
  const SingularValueDecomposition svd = full_svd(F);
  EXPECT_EQ(svd.rank(), 3);
  EXPECT_EQ(svd.U.cols(), 4);
  EXPECT_EQ(svd.V.cols(), 9);
  expect_orthonormal(svd.V);
  EXPECT_LT((F * svd.V.rightCols(6)).cwiseAbs().maxCoeff(), lapack_rounding * F.norm());
}

TEST(SingularValueDecomposition, CountsSingularValuesAboveRounding) {
  EXPECT_EQ(thin_svd(of_rank(8, 6, 4)).rank(), 4);
  EXPECT_EQ(thin_svd(numbers(8, 6)).rank(), 6);
  EXPECT_EQ(thin_svd(Matrix::Zero(3, 2)).rank(), 0);
  EXPECT_EQ(thin_svd(Matrix(3, 0)).rank(), 0);
  EXPECT_EQ(full_svd(Matrix(0, 2)).V, Matrix::Identity(2, 2));
}

// Among all solutions of the normal equations F^T F x = F^T b the shortest is the one in the span of F^T.
TEST(SingularValueDecomposition, SolvesByTheShortestLeastSquaresSolution) {
  for (const auto& [n, R] : {std::pair<Index, Index>{8, 5}, {5, 8}}) {
    const Matrix F = of_rank(n, R, 3);
    const Vector b = numbers(n, 1, 4);
    for (const auto& svd : {thin_svd(F), full_svd(F)}) {
      const Vector x = svd.solve(b);
      EXPECT_LT((F.transpose() * (F * x - b)).norm(), lapack_rounding * F.norm() * b.norm());
      EXPECT_LT((svd.V.rightCols(svd.V.cols() - 3).transpose() * x).norm(), lapack_rounding * x.norm());
    }
  }
}

TEST(SymmetricEigenvalues, AreThoseOfARotatedDiagonal) {
  const Vector expected{{-2, -1e-3, 0, 0.5, 7}};
  const Matrix Q = full_svd(numbers(5, 5)).U;
  EXPECT_LT((symmetric_eigenvalues(Q * expected.asDiagonal() * Q.transpose()) - expected).norm(),
            lapack_rounding);
  EXPECT_EQ(symmetric_eigenvalues(Matrix(0, 0)).size(), 0);
}

}  // namespace
}  // namespace ridgelet
