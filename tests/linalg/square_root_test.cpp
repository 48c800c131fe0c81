#include "ridgelet/linalg/square_root.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "expectations.hpp"
#include "numbers.hpp"
#include "quadruple.hpp"
#include "ridgelet/core/cancellation.hpp"

namespace ridgelet {
namespace {

using testing::numbers;
using testing::relative_error;

constexpr double rounding = 1e-13;

StackedFactor factor_of(const Matrix& F, Index block) {
  StackedFactor factor;
  factor.start(F.cols());
  for (Index first = 0; first < F.rows(); first += block) {
    Matrix rows = F.middleRows(first, std::min(block, F.rows() - first));
    factor.append(rows);
  }
  return factor;
}

TEST(StackedFactor, CanBeCancelled) {
  const std::atomic<bool> cancelled = true;
  const CancellationScope scope(&cancelled);
  EXPECT_THROW(factor_of(numbers(4, 3), 4), Cancelled);
}

TEST(StackedFactor, HasTheProductsOfItsRowsHoweverTheyAreCutIntoBlocks) {
  for (const auto& [n, R] : {std::pair<Index, Index>{50, 7}, {4, 9}, {90, 70}}) {
    const Matrix F = numbers(n, R);
    for (const Index block : {1, 2, 3, 7, 100}) {
      const Matrix T = factor_of(F, block).T();
      EXPECT_LT(relative_error(T.transpose() * T, F.transpose() * F), rounding) << n << " in " << block;
      EXPECT_EQ(T.triangularView<Eigen::StrictlyLower>().toDenseMatrix().norm(), 0);
    }
  }
}

TEST(StackedFactor, TakesATriangleAsItTakesItsRows) {
  const Matrix F = numbers(8, 8).triangularView<Eigen::Upper>(), first = numbers(8, 8, 2);
  StackedFactor one = factor_of(first, 8), two = one;
  Matrix rows = F, triangle = F;
  one.append(rows);
  two.append_triangle(triangle);
  EXPECT_LT(relative_error(two.T().transpose() * two.T(), one.T().transpose() * one.T()), rounding);
}

TEST(StackedFactor, SolvesWithItsLeadingBlock) {
  const StackedFactor factor = factor_of(numbers(30, 6), 10);
  const Matrix T11 = factor.T().topLeftCorner(4, 4), F = numbers(4, 3, 2);
  Matrix x = F, y = F;
  factor.solve_in_place(x);
  factor.solve_transposed_in_place(y);
  EXPECT_LT(relative_error(T11 * x, F), rounding);
  EXPECT_LT(relative_error(T11.transpose() * y, F), rounding);
  EXPECT_NEAR(factor.log_determinant(4), std::log(std::abs(T11.diagonal().prod())), rounding);
}

TEST(StackedFactor, DoesNotSquareLargeNumbers) {
  const Matrix T = factor_of(1e200 * numbers(20, 3), 7).T();
  EXPECT_TRUE(T.allFinite());
  EXPECT_LT(relative_error(1e-200 * T.cwiseAbs(), factor_of(numbers(20, 3), 7).T().cwiseAbs()), rounding);
}

TEST(RowBasis, IsOrthonormalAndGivesTheRowsBack) {
  RowBasis basis;
  for (const auto& [M, R] : {std::pair<Index, Index>{3, 9}, {6, 6}, {40, 70}, {1, 4}}) {
    const Matrix G = numbers(M, R);
    basis.compute(G);
    EXPECT_LT(relative_error(basis.L() * basis.Q().transpose(), G), rounding);
    EXPECT_LT((basis.Q().transpose() * basis.Q() - Matrix::Identity(M, M)).norm(), rounding);
    EXPECT_EQ(basis.L().triangularView<Eigen::StrictlyUpper>().toDenseMatrix().norm(), 0);
  }
}

/// Columns of very different sizes, some below the noise, as the factors of smooth kernels have them.
Matrix graded(Index rows, Index R, double amplitude) {
  Matrix G = amplitude * numbers(rows, R);
  for (Index j = 0; j < R; ++j) G.col(j) *= std::pow(10.0, -2.0 * static_cast<double>(j));
  return G;
}

struct Case {
  Matrix G, Gs;
  Vector r;

  Case(Index M, Index R, double amplitude)
      : G(graded(M, R, amplitude)), Gs(graded(9, R, amplitude)), r(G * numbers(R, 1, 5) + numbers(M, 1, 6)) {
    const Index shared = std::min<Index>(3, M);
    Gs.topRows(shared) = G.topRows(shared);  // at the data, where the variance is the noise's
  }

  Matrix rows() const {
    Matrix both(G.rows(), G.cols() + 1);
    both << G, r;
    return both;
  }
};

class SquareRootPosteriorAt : public ::testing::TestWithParam<std::tuple<Index, double>> {};

// The tolerances are 1e-16 times the largest ratio, with room for the sums.
TEST_P(SquareRootPosteriorAt, AgreesWithQuadruplePrecision) {
  const auto [M, ratio] = GetParam();
  const Case example(M, 8, ratio);
  const testing::QuadrupleLinearGaussian exact(example.G, example.r, 1, example.Gs);
  Matrix rows = example.rows();
  SquareRootPosterior posterior;
  ASSERT_TRUE(posterior.condition(rows, 1));
  const double log_likelihood =
      -0.5 * (posterior.misfit() + posterior.log_determinant() + static_cast<double>(M) * std::log(2 * M_PI));
  EXPECT_NEAR(log_likelihood, exact.log_marginal_likelihood, 1e-6);
  Matrix whitened = example.Gs.transpose();
  posterior.whiten_in_place(whitened);
  const Vector variance = whitened.colwise().squaredNorm();
  EXPECT_LT(testing::entrywise_error(variance, exact.variance), 1e-7);
  const Vector error = example.Gs * posterior.mean() - exact.mean;
  EXPECT_LT((error.array().abs() / (exact.variance.array() + 1).sqrt()).maxCoeff(), 1e-6) << "in sds";
}

INSTANTIATE_TEST_SUITE_P(Ratios, SquareRootPosteriorAt,
                         ::testing::Combine(::testing::Values(Index{1}, Index{5}, Index{8}, Index{40}),
                                            ::testing::Values(1.0, 1e4, 1e7, 1e8)));

TEST(SquareRootPosterior, IsTheSameFromTheTriangularFactorOfItsRows) {
  const Case example(30, 6, 100);
  Matrix rows = example.rows(), triangle = factor_of(example.rows(), 7).T();
  SquareRootPosterior one, two;
  ASSERT_TRUE(one.condition(rows, 0.3));
  ASSERT_TRUE(two.condition(triangle, 0.3, true));
  EXPECT_NEAR(one.misfit(), two.misfit(), rounding * one.misfit());
  EXPECT_NEAR(one.log_determinant(), two.log_determinant(), rounding * one.log_determinant());
  EXPECT_LT(relative_error(two.mean(), one.mean()), 1e-10);
}

TEST(SquareRootPosterior, SpreadsStandardNormalsByTheRootOfTheCovariance) {
  const Case example(12, 4, 3);
  Matrix rows = example.rows();
  SquareRootPosterior posterior;
  ASSERT_TRUE(posterior.condition(rows, 0.5));
  Matrix spread = Matrix::Identity(4, 4);
  posterior.spread_in_place(spread);
  const Matrix P = Matrix::Identity(4, 4) + example.G.transpose() * example.G / 0.25;
  EXPECT_LT(relative_error(P * (spread * spread.transpose()), Matrix::Identity(4, 4)), 1e-10);
}

TEST(SquareRootPosterior, SaysWhenANumberIsNotFinite) {
  Matrix rows = numbers(5, 4);
  rows(2, 1) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(SquareRootPosterior().condition(rows, 1));
}

}  // namespace
}  // namespace ridgelet
