#include "ridgelet/fitting/common_unit.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"

namespace ridgelet {
namespace {

RegressionTable columns_of(const Matrix& X) {
  RegressionTable table{.inputs = {}, .outputs = {"y"}, .X = X, .Y = X.col(0)};
  for (Index k = 0; k < X.cols(); ++k) table.inputs.push_back("x" + std::to_string(k + 1));
  return table;
}

/// Four columns from 0 to 16, with standard deviations of about 2 to 8.
Matrix pictures() {
  Matrix X(4, 4);
  X << 0, 0, 0, 0,     //
      16, 16, 16, 16,  //
      16, 8, 8, 3,     //
      0, 16, 8, 8;
  return X;
}

TEST(CommonUnit, IsThatOfColumnsWithOneRange) {
  const RegressionTable table = columns_of(pictures());
  const Vector unit = common_unit(table), sd = table.standardised_inputs().scale;
  ASSERT_EQ(unit.size(), 4);
  EXPECT_NEAR(unit.prod(), 1, 1e-12);
  for (Index k = 1; k < 4; ++k) EXPECT_NEAR(unit(k) * sd(k), unit(0) * sd(0), 1e-12);
}

TEST(CommonUnit, NeedsOneRangeInHalfOfTheColumns) {
  Matrix X = pictures();
  X.rightCols(2) *= 0.5;
  X(0, 3) = 0.1;
  EXPECT_EQ(common_unit(columns_of(X)).size(), 4);
  X(0, 1) = 1;
  EXPECT_EQ(common_unit(columns_of(X)).size(), 0);
}

TEST(CommonUnit, IsNotSoughtInThreeColumns) {
  EXPECT_EQ(common_unit(columns_of(pictures().leftCols(3))).size(), 0);
}

TEST(CommonUnit, IsNotThatOfTextWhoseLevelsAreAllZeroAndOne) {
  RegressionTable table = columns_of(Matrix::Identity(4, 4));
  EXPECT_EQ(common_unit(table).size(), 4);
  table.encoding = {.inputs = {{"region", ColumnKind::levels, {"a", "b", "c", "d"}}}, .outputs = {{"y"}}};
  EXPECT_EQ(common_unit(table).size(), 0);
}

}  // namespace
}  // namespace ridgelet
