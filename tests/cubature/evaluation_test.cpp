#include "ridgelet/cubature/evaluation.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "ridgelet/cubature/likely_inputs.hpp"
#include "ridgelet/cubature/sobol_nodes.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

TEST(EvaluationPoints, OfOneInputAreEvenlySpacedFromEndToEnd) {
  const Matrix X = evaluation_points(parse_box("-5:5", "domain"), 11, 0);
  ASSERT_EQ(X.rows(), 11);
  ASSERT_EQ(X.cols(), 1);
  for (Index j = 0; j < 11; ++j) EXPECT_DOUBLE_EQ(X(j, 0), static_cast<double>(j) - 5);
}

TEST(EvaluationPoints, OfTwoInputsAreAClosedGridWithTheFirstAxisSlowest) {
  const Matrix X = evaluation_points(parse_box("0:2,10:14", "domain"), 9, 0);
  ASSERT_EQ(X.rows(), 9);
  for (Index j = 0; j < 9; ++j) {
    EXPECT_DOUBLE_EQ(X(j, 0), static_cast<double>(j / 3));
    EXPECT_DOUBLE_EQ(X(j, 1), 10 + 2 * static_cast<double>(j % 3));
  }
}

TEST(EvaluationPoints, OfTwoInputsTakeTheRoundedRootOfTheCountOnEachAxis) {
  const Box square = Box::cube(1, 2);
  EXPECT_EQ(evaluation_points(square, 200, 0).rows(), 14 * 14);
  EXPECT_EQ(evaluation_points(square, 90, 0).rows(), 9 * 9);
  EXPECT_EQ(evaluation_points(square, 91, 0).rows(), 10 * 10);
  EXPECT_EQ(evaluation_points(square, 2, 0).rows(), 2 * 2);
}

TEST(EvaluationPoints, OfMoreInputsAreUniformOnTheDomain) {
  const Box box = parse_box("-1:1,0:4,10:11", "domain");
  const Index count = 20'000;
  const Matrix X = evaluation_points(box, count, 3);
  ASSERT_EQ(X.rows(), count);
  ASSERT_EQ(X.cols(), 3);
  for (Index i = 0; i < 3; ++i) {
    const double low = box.lower(i), side = box.upper(i) - low;
    const Eigen::ArrayXd u = (X.col(i).array() - low) / side;
    EXPECT_GT(u.minCoeff(), 0);
    EXPECT_LT(u.maxCoeff(), 1);
    // A uniform has the variance 1/12, and (u - 1/2)^2 the variance 1/180.
    const double root = std::sqrt(static_cast<double>(count));
    EXPECT_NEAR(u.mean(), 0.5, testing::tolerance::standard_errors * std::sqrt(1.0 / 12) / root);
    EXPECT_NEAR((u - 0.5).square().mean(), 1.0 / 12,
                testing::tolerance::standard_errors * std::sqrt(1.0 / 180) / root);
  }
  const Eigen::ArrayXd a = X.col(0).array(), b = X.col(1).array() - 2;
  // Independent inputs: the product has mean 0 and variance (1/3)(4/3).
  EXPECT_NEAR((a * b).mean(), 0,
              testing::tolerance::standard_errors * (2.0 / 3) / std::sqrt(static_cast<double>(count)));
}

TEST(EvaluationPoints, DependOnTheSeedOnlyInMoreThanTwoInputs) {
  EXPECT_EQ(evaluation_points(Box::cube(1, 3), 10, 1), evaluation_points(Box::cube(1, 3), 10, 1));
  EXPECT_NE(evaluation_points(Box::cube(1, 3), 10, 1), evaluation_points(Box::cube(1, 3), 10, 2));
  EXPECT_EQ(evaluation_points(Box::cube(1, 2), 10, 1), evaluation_points(Box::cube(1, 2), 10, 2));
}

TEST(EvaluationPoints, RefuseFewerThanTwoOrABoxThatIsNone) {
  EXPECT_EQ(complaint_of([] { evaluation_points(Box::cube(1, 1), 1, 0); }),
            "eval_points: must be at least 2, got 1");
  EXPECT_EQ(complaint_of([] { evaluation_points(Box::cube(-1, 1), 10, 0); }),
            "domain: must have LO below HI, both finite, for every input, got 1:-1 for input 1");
}

TEST(PointsBetween, AreMidpointsOfRowsThatAreNear) {
  Matrix X(40, 2);
  for (Index i = 0; i < 40; ++i) X.row(i) << static_cast<double>(i % 2) * 1000, static_cast<double>(i);
  const Matrix points = points_between(X, 100, 1);
  for (Index i = 0; i < points.rows(); ++i)
    EXPECT_TRUE(points(i, 0) == 0 || points(i, 0) == 1000) << "between the two clusters";
}

TEST(PointsBetween, AreHalfOfThemWhereFurtherRowsMightBeInManyInputs) {
  // Without gaps, which have points of their own (gap_inputs_test.cpp).
  const Matrix X = sobol_points_of(Box::cube(1, 4), 20, 3), points = points_between(X, 31, 5);
  EXPECT_EQ(points.bottomRows(15), likely_inputs(X, 15, 5));
  const auto is_midpoint = [&](Index i) {
    for (Index a = 0; a < 20; ++a)
      for (Index b = 0; b < a; ++b)
        if ((0.5 * (X.row(a) + X.row(b)) - points.row(i)).norm() < 1e-15) return true;
    return false;
  };
  for (Index i = 0; i < 31; ++i) EXPECT_EQ(is_midpoint(i), i < 16) << i;
}

TEST(PointsBetween, DependNeitherOnTheOrderOfRowsNorOnTheUnitOfAnInput) {
  Matrix X = evaluation_points(Box::cube(1, 3), 60, 2);
  const Matrix points = points_between(X, 30, 1);
  EXPECT_EQ(points_between(X.colwise().reverse(), 30, 1), points);
  X.col(0) *= 1024;
  EXPECT_EQ(points_between(X, 30, 1).col(0), 1024 * points.col(0));
}

TEST(SortedRows, AreOrderedByTheirColumnsOneAfterAnother) {
  Matrix rows(4, 2), sorted(4, 2);
  rows << 2, 1, 1, 5, 2, -1, 1, 5;
  sorted << 1, 5, 1, 5, 2, -1, 2, 1;
  EXPECT_EQ(sorted_rows(rows), sorted);
}

}  // namespace
}  // namespace ridgelet
