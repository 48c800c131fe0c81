#include "ridgelet/cubature/likely_inputs.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

/// Two columns with this correlation, and others without any.
Matrix correlated_rows(Index n, Index d, double correlation) {
  Matrix X = RandomStream{.seed = 11}.normals(n, d);
  X.col(1) = correlation * X.col(0) + std::sqrt(1 - correlation * correlation) * X.col(1);
  return X;
}

Matrix covariance(const Matrix& rows) {
  const Matrix centred = rows.rowwise() - rows.colwise().mean();
  return centred.transpose() * centred / static_cast<double>(rows.rows());
}

TEST(LikelyInputs, HaveMeanAndCovarianceOfTheRows) {
  const Matrix X = correlated_rows(400, 3, 0.9), likely = likely_inputs(X, 20'000, 1);
  // Of 20,000 draws, whose tails are cut at the range of the rows.
  EXPECT_LT((likely.colwise().mean() - X.colwise().mean()).cwiseAbs().maxCoeff(), 0.03);
  EXPECT_LT((covariance(likely) - covariance(X)).cwiseAbs().maxCoeff(), 0.06);
}

TEST(LikelyInputs, LeaveTheDimensionsOfFewRows) {
  const Matrix X = RandomStream{.seed = 2}.normals(10, 25), likely = likely_inputs(X, 2000, 3);
  const Matrix centred = X.rowwise() - X.colwise().mean();
  const Matrix basis = Eigen::JacobiSVD<Matrix>(centred, Eigen::ComputeThinV).matrixV().leftCols(9);
  const Matrix from_mean = likely.rowwise() - X.colwise().mean();
  const double within = (from_mean * basis).squaredNorm() / from_mean.squaredNorm();
  // Rows lie within; noise that is independent in each of 25 inputs has 9 of 25 parts there. Cut tails change it a bit.
  const double h2 = std::pow(4.0 / (10 * 27), 2.0 / 29), lambda = correlation_shrinkage(X);
  EXPECT_NEAR(within, (1 + h2 * (1 - lambda + lambda * 9 / 25)) / (1 + h2), 0.05);
  EXPECT_LT(within, 0.85);
}

TEST(LikelyInputs, StayBesideALineThatManyRowsShow) {
  const Matrix X = correlated_rows(300, 2, 0.9999), likely = likely_inputs(X, 1000, 4);
  const double across = (likely.col(1) - likely.col(0)).squaredNorm() / likely.squaredNorm();
  EXPECT_LT(across, 0.01);
}

TEST(LikelyInputs, StayWithinTheRangeOfTheRows) {
  const Matrix X = RandomStream{.seed = 5}.normals(20, 4), likely = likely_inputs(X, 500, 6);
  for (Index k = 0; k < 4; ++k) {
    EXPECT_GE(likely.col(k).minCoeff(), X.col(k).minCoeff());
    EXPECT_LE(likely.col(k).maxCoeff(), X.col(k).maxCoeff());
  }
}

TEST(LikelyInputs, DoNotDependOnTheOrderOfRowsOrTheUnitsOfColumns) {
  const Matrix X = correlated_rows(30, 3, 0.5), likely = likely_inputs(X, 40, 7);
  EXPECT_EQ(likely_inputs(X.colwise().reverse(), 40, 7), likely);
  Matrix in_other_units = X;
  in_other_units.col(2) *= 1e6;
  Matrix expected = likely;
  expected.col(2) *= 1e6;
  EXPECT_TRUE(likely_inputs(in_other_units, 40, 7).isApprox(expected, 1e-12));
}

TEST(LikelyInputs, OfOneRowAreThatRow) {
  const Matrix row{{1.0, -2.0, 3.0}};
  EXPECT_EQ(likely_inputs(row, 2, 8), row.replicate(2, 1));
  EXPECT_EQ(likely_inputs(row, 0, 8).rows(), 0);
}

TEST(CorrelationShrinkage, IsTheUncertaintyOfCorrelationsOverTheirSize) {
  Matrix X(5, 2);
  X << 1, 2, 2, 1, 3, 4, 4, 3, 5, 5;          // a correlation of 0.8
  EXPECT_EQ(correlation_shrinkage(X), 0.25);  // not less than 1 / (n - 1)
  EXPECT_NEAR(correlation_shrinkage(correlated_rows(2000, 2, 0.5)), 0.75 * 0.75 / 1999 / 0.25, 2e-4);
  EXPECT_EQ(correlation_shrinkage(RandomStream{.seed = 3}.normals(50, 1)), 1);
  EXPECT_GT(correlation_shrinkage(RandomStream{.seed = 9}.normals(50, 8)), 0.5);
  EXPECT_EQ(complaint_of([] { correlation_shrinkage(Matrix::Ones(1, 2)); }),
            "rows: must be at least 2, got 1");
}

}  // namespace
}  // namespace ridgelet
