#include "ridgelet/cubature/rare_inputs.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/likely_inputs.hpp"

namespace ridgelet {
namespace {

/// 100 rows with levels a, b and c, of which three rows have c, beside a column of numbers.
Matrix with_levels() {
  Matrix X = Matrix::Zero(100, 4);
  for (Index i = 0; i < 100; ++i) X(i, i < 3 ? 2 : i % 2) = 1;
  X.col(3) = RandomStream{.seed = 1}.normals(100);
  return X;
}

TEST(RareInputs, HaveTheRareLevelAndTheOtherColumnsOfAnyRow) {
  const Matrix X = with_levels(), inputs = rare_inputs(X, 64, 1024, 0);
  ASSERT_EQ(inputs.rows(), 64);
  EXPECT_TRUE((inputs.col(0).array() == 0).all());
  EXPECT_TRUE((inputs.col(1).array() == 0).all());
  EXPECT_TRUE((inputs.col(2).array() == 1).all());
  // The three rows of c lie within their own range; the inputs reach over that of all rows.
  EXPECT_GT(inputs.col(3).maxCoeff(), X.col(3).head(3).maxCoeff());
  EXPECT_LT(inputs.col(3).minCoeff(), X.col(3).head(3).minCoeff());
}

TEST(RareInputs, AreNoMoreThanAllowed) {
  EXPECT_EQ(rare_inputs(with_levels(), 64, 10, 0).rows(), 10);
}

TEST(RareInputs, AreNoneWhereNoLevelIsRareOrNothingElseVaries) {
  const Matrix X = with_levels();
  EXPECT_EQ(rare_inputs(X.bottomRows(97), 64, 1024, 0).rows(), 0);
  EXPECT_EQ(rare_inputs(X.leftCols(3), 64, 1024, 0).rows(), 0);
}

TEST(RareInputs, DoNotDependOnTheOrderOfRows) {
  const Matrix X = with_levels();
  EXPECT_EQ(rare_inputs(X, 8, 1024, 3), rare_inputs(X.colwise().reverse(), 8, 1024, 3));
  EXPECT_NE(rare_inputs(X, 8, 1024, 3), rare_inputs(X, 8, 1024, 4));
}

TEST(ColumnsOfTwoValues, AreNeitherConstantNorOfThreeValues) {
  Matrix X(4, 4);
  X << 5, 0, 1, 0,  //
      5, 1, 1, 1,   //
      5, 1, 2, 2,   //
      5, 0, 1, 0;
  EXPECT_EQ(columns_of_two_values(X), (std::vector<Index>{1, 2}));
}

TEST(ColumnsOfTwoValues, KeepThemBetweenRowsAndWhereFurtherRowsMightBe) {
  const Matrix X = with_levels();
  for (const Matrix& points : {points_between(X, 50, 1), likely_inputs(X, 50, 1)}) {
    const auto levels = points.leftCols(3).array();
    EXPECT_TRUE((levels == 0 || levels == 1).all());
    EXPECT_TRUE((levels.rowwise().sum() == 1).all());
    EXPECT_NE(points.col(3).minCoeff(), X.col(3).minCoeff());
  }
}

}  // namespace
}  // namespace ridgelet
