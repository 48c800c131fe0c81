#include "ridgelet/linalg/cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <atomic>
#include <cmath>
#include <limits>

#include "expectations.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet {
namespace {

using testing::relative_error;
using testing::tolerance::two_routes;

Matrix positive_definite(Index n, std::uint64_t seed) {
  const Matrix F = RandomStream{.seed = seed}.normals(n, n);
  return F * F.transpose() + Matrix::Identity(n, n);
}

class CholeskyOfSize : public ::testing::TestWithParam<Index> {};

TEST_P(CholeskyOfSize, SolvesLinearSystems) {
  const Matrix K = positive_definite(GetParam(), 1);
  const Matrix F = RandomStream{.seed = 2}.normals(GetParam(), 3);
  const auto C = Cholesky::of(K);
  ASSERT_TRUE(C);
  EXPECT_LT(relative_error(K * C->solve(F), F), two_routes);
}

TEST_P(CholeskyOfSize, WhitensItsMatrixToTheIdentity) {
  const Index n = GetParam();
  const Matrix K = positive_definite(n, 3);
  const auto C = Cholesky::of(K);
  ASSERT_TRUE(C);
  const Matrix half = C->whiten(K);
  EXPECT_LT(relative_error(C->whiten(half.transpose()), Matrix::Identity(n, n)), two_routes);
}

TEST_P(CholeskyOfSize, TurnsStandardNormalsIntoDrawsOfTheInverseCovariance) {
  const Index n = GetParam();
  const Matrix K = positive_definite(n, 4);
  const auto C = Cholesky::of(K);
  ASSERT_TRUE(C);
  Matrix S = Matrix::Identity(n, n);
  C->solve_transposed_in_place(S);
  EXPECT_LT(relative_error(S * S.transpose(), K.inverse()), two_routes);
}

TEST_P(CholeskyOfSize, KnowsTheLogDeterminant) {
  const Matrix K = positive_definite(GetParam(), 5);
  const auto C = Cholesky::of(K);
  ASSERT_TRUE(C);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(K);
  const double expected = eigen.eigenvalues().array().log().sum();
  EXPECT_NEAR(C->log_determinant(), expected, two_routes * std::abs(expected));
}

TEST_P(CholeskyOfSize, SolvesInPlaceWithinABlockOfALargerMatrix) {
  const Index n = GetParam();
  const auto C = Cholesky::of(positive_definite(n, 7));
  ASSERT_TRUE(C);
  const Matrix F = RandomStream{.seed = 8}.normals(n, 2), frame = Matrix::Constant(n + 2, 4, 5);
  const auto expect_in_place = [&](auto&& in_place, const Matrix& expected) {
    Matrix larger = frame;
    larger.block(1, 1, n, 2) = F;
    in_place(larger.block(1, 1, n, 2));
    EXPECT_LT(relative_error(larger.block(1, 1, n, 2), expected), two_routes);
    larger.block(1, 1, n, 2).setConstant(5);
    EXPECT_EQ(larger, frame);
  };
  expect_in_place([&](auto block) { C->solve_in_place(block); }, C->solve(F));
  expect_in_place([&](auto block) { C->whiten_in_place(block); }, C->whiten(F));
  Matrix alone = F;
  C->solve_transposed_in_place(alone);
  expect_in_place([&](auto block) { C->solve_transposed_in_place(block); }, alone);
}

// 300 rows are more than one of LAPACK's blocks, 513 and 1100 more than one of ours.
INSTANTIATE_TEST_SUITE_P(SmallAndBlocked, CholeskyOfSize, ::testing::Values(1, 2, 17, 300, 512, 513, 1100));

TEST(Cholesky, KeepsTheLogDeterminantOfAMatrixWhoseDeterminantOverflows) {
  const auto C = Cholesky::of(1e10 * Matrix::Identity(100, 100));
  ASSERT_TRUE(C);
  EXPECT_NEAR(C->log_determinant(), 1000 * std::log(10.0), two_routes * 1000);
}

TEST(Cholesky, ReadsTheLowerTriangleOnly) {
  const Matrix K = positive_definite(6, 6);
  Matrix lower = K;
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(-1e6);
  const auto C = Cholesky::of(K), D = Cholesky::of(lower);
  ASSERT_TRUE(C && D);
  const Matrix F = Matrix::Identity(6, 6);
  EXPECT_EQ(C->solve(F), D->solve(F));
  EXPECT_EQ(C->log_determinant(), D->log_determinant());
}

TEST(Cholesky, CanTakeAnotherMatrixOfAnySize) {
  Cholesky C;
  for (Index n : {4, 9, 2}) {
    const Matrix K = positive_definite(n, 10);
    ASSERT_TRUE(C.compute(K));
    EXPECT_LT(relative_error(K * C.solve(Matrix::Identity(n, n)), Matrix::Identity(n, n)), two_routes);
  }
  EXPECT_FALSE(C.compute(-Matrix::Identity(3, 3)));
}

TEST(Cholesky, DoesNotExistUnlessTheMatrixIsPositiveDefinite) {
  EXPECT_FALSE(Cholesky::of(-Matrix::Identity(3, 3)));
  EXPECT_FALSE(Cholesky::of(Matrix::Zero(3, 3)));
  EXPECT_FALSE(Cholesky::of(Matrix{{1, 2}, {2, 1}}));
}

TEST(Cholesky, DoesNotExistForAMatrixWithNaNs) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j <= i; ++j) {
      Matrix K = Matrix::Identity(3, 3);
      K(i, j) = nan;
      EXPECT_FALSE(Cholesky::of(K)) << "at " << i << ", " << j;
    }
}

TEST(Cholesky, HasTheInverseInTheLowerTriangleHoweverItIsCut) {
  Matrix inverse;
  for (const Index n : {3, 40, 7})
    for (const Index block : {1, 5, 13, 40, 512}) {
      const Matrix K = positive_definite(n, 10);
      Cholesky::of(K, block)->inverse_into(inverse);
      const Matrix whole = inverse.selfadjointView<Eigen::Lower>();
      EXPECT_LT(relative_error(K * whole, Matrix::Identity(n, n)), two_routes) << n << " by " << block;
    }
}

TEST(Cholesky, IsTheSameFactorHoweverItIsCut) {
  const Matrix K = positive_definite(40, 11), F = RandomStream{.seed = 12}.normals(40, 30);
  const auto whole = Cholesky::of(K, 40);
  ASSERT_TRUE(whole);
  for (const Index block : {1, 7, 39}) {
    const auto cut = Cholesky::of(K, block);
    ASSERT_TRUE(cut);
    EXPECT_LT(relative_error(cut->whiten(F), whole->whiten(F)), two_routes) << block;
    EXPECT_LT(relative_error(cut->solve(F), whole->solve(F)), two_routes) << block;
    EXPECT_FALSE(Cholesky::of(K - 100 * Matrix::Identity(40, 40), block)) << block;
  }
}

TEST(Cholesky, HasTheSameDigitsForAnyNumberOfThreads) {
  const Matrix K = positive_definite(200, 13), F = RandomStream{.seed = 14}.normals(200, 90);
  const auto results = [&](int threads) {
    const ThreadScope scope(threads);
    const auto C = Cholesky::of(K, 32);
    Matrix inverse, both(200, 180);
    C->inverse_into(inverse);
    both << C->solve(F), inverse.selfadjointView<Eigen::Lower>() * F;
    return both;
  };
  EXPECT_EQ(results(1), results(3));
}

TEST(Cholesky, CanBeCancelledInAllItsWork) {
  const Matrix K = positive_definite(20, 15);
  const auto C = Cholesky::of(K, 8);
  ASSERT_TRUE(C);
  const std::atomic<bool> cancelled = true;
  const CancellationScope scope(&cancelled);
  Matrix inverse;
  EXPECT_THROW(Cholesky::of(K), Cancelled);
  EXPECT_THROW(C->solve(K), Cancelled);
  EXPECT_THROW(C->inverse_into(inverse), Cancelled);
}

}  // namespace
}  // namespace ridgelet
