#include "ridgelet/cubature/gap_inputs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/data_nodes.hpp"
#include "ridgelet/cubature/evaluation.hpp"

namespace ridgelet {
namespace {

/// 50 rows of whole numbers, numbers from 0 to 1 and one at 3, and two values.
Matrix with_one_gap() {
  Matrix X(50, 3);
  for (Index i = 0; i < 50; ++i) {
    X(i, 0) = static_cast<double>(i % 5);
    X(i, 1) = static_cast<double>(i) / 49;
    X(i, 2) = static_cast<double>(i % 2);
  }
  X(17, 1) = 3;
  return X;
}

TEST(GapInputs, LieInTheGapBesideOtherColumnsOfItsEndsOrOfAnyRow) {
  const Matrix X = with_one_gap(), inputs = gap_inputs(X, 40, 1000, 0);
  ASSERT_EQ(inputs.rows(), 40);
  EXPECT_TRUE((inputs.col(1).array() > 1).all());
  EXPECT_TRUE((inputs.col(1).array() < 3).all());
  for (Index i = 0; i < 40; ++i) {
    EXPECT_EQ(inputs(i, 0), std::floor(inputs(i, 0)));
    const bool of_an_end = (inputs(i, 0) == X(49, 0) && inputs(i, 2) == X(49, 2)) ||
                           (inputs(i, 0) == X(17, 0) && inputs(i, 2) == X(17, 2));
    EXPECT_TRUE(of_an_end || i % 2 == 1) << i;
  }
  EXPECT_EQ(inputs.col(0).minCoeff(), 0);
  EXPECT_EQ(inputs.col(0).maxCoeff(), 4);
}

TEST(GapInputs, AreNoneWhereValuesAreSpreadEvenly) {
  Matrix X = with_one_gap();
  X(17, 1) = 17.0 / 49;
  EXPECT_EQ(gap_inputs(X, 6, 1000, 0).rows(), 0);
  EXPECT_EQ(gap_inputs(X.topRows(1), 6, 1000, 0).rows(), 0);
  EXPECT_EQ(gap_inputs(evaluation_points(Box::cube(1, 4), 500, 1), 6, 1000, 0).rows(), 0);
}

TEST(GapInputs, TakeTheWidestGapsFirst) {
  Matrix X = with_one_gap();
  X(3, 1) = 1.5;
  EXPECT_EQ(gap_inputs(X, 4, 1000, 0).rows(), 8);
  EXPECT_GT(gap_inputs(X, 4, 4, 0).col(1).minCoeff(), 1.5);
}

TEST(GapInputs, DoNotDependOnTheOrderOfRowsOrOnUnits) {
  const Matrix X = with_one_gap(), inputs = gap_inputs(X, 6, 1000, 2);
  EXPECT_EQ(gap_inputs(X.colwise().reverse(), 6, 1000, 2), inputs);
  EXPECT_NE(gap_inputs(X, 6, 1000, 3), inputs);
  const Eigen::RowVector3d scale(1e6, 1e-6, 4);
  const Matrix in_other_units = X.array().rowwise() * scale.array();
  const Matrix expected = inputs.array().rowwise() * scale.array();
  EXPECT_LT(testing::relative_error(gap_inputs(in_other_units, 6, 1000, 2), expected), 1e-14);
}

TEST(GapInputs, AreWhereNodesAndCertificatesLook) {
  const Matrix X = with_one_gap();
  const auto within = [](const Matrix& points) {
    return (points.col(1).array() > 1.2 && points.col(1).array() < 2.8).count();
  };
  EXPECT_GE(within(points_between(X, 200, 1)), 3);
  EXPECT_GE(within(node_candidates({.lower = Vector::Zero(3), .upper = Vector::Constant(3, 4)}, X, 1)), 3);
}

}  // namespace
}  // namespace ridgelet
