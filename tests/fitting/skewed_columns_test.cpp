#include "ridgelet/fitting/skewed_columns.hpp"

#include <gtest/gtest.h>

#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

using Names = std::vector<std::string>;

RegressionTable table_with(const Matrix& X, const Names& inputs) {
  return {.inputs = inputs, .outputs = {"y"}, .X = X, .Y = X.col(0)};
}

TEST(SkewedColumns, ArePositiveOnesWhoseLogarithmsAreNotSkewed) {
  const Index rows = 400;
  const Matrix z = RandomStream{.seed = 1}.normals(rows, 1);
  Matrix X(rows, 6);
  X.col(0) = z.array().exp();          // log-normal
  X.col(1) = (3 * z.array()).exp();    // far more so
  X.col(2) = z;                        // normal
  X.col(3) = -X.col(0);                // log-normal, and negative
  X.col(4) = X.col(0).array() - 0.1;   // not positive everywhere
  X.col(5) = (0.2 * z.array()).exp();  // hardly skewed
  ASSERT_LT(X.col(4).minCoeff(), 0);
  EXPECT_EQ(skewed_columns(table_with(X, {"a", "b", "c", "d", "e", "f"})), (Names{"a", "b"}));
}

TEST(SkewedColumns, AreNotThoseWhoseLogarithmsAreSkewedToo) {
  const Matrix z = RandomStream{.seed = 2}.normals(400, 1);
  const Matrix X = z.array().exp().exp();
  EXPECT_EQ(skewed_columns(table_with(X, {"a"})), Names{});
}

TEST(SkewedColumns, AreOfNumbersAloneAndKeepTheirPlacesBesideText) {
  const Matrix z = RandomStream{.seed = 3}.normals(400, 1);
  Matrix X = Matrix::Zero(400, 5);
  for (Index i = 0; i < 400; ++i) X(i, i % 2) = 1;
  X.rightCols(3) = (2 * z.array()).exp().matrix().replicate(1, 3);
  X.col(3) = z;
  RegressionTable table = table_with(X, {});
  table.encoding = {.inputs = {{"colour", ColumnKind::levels, {"blue", "red"}},
                               {"sold", ColumnKind::date},
                               {"income", ColumnKind::logarithm},
                               {"area"}},
                    .outputs = {{"y"}}};
  table.inputs = table.encoding.input_names();
  EXPECT_EQ(skewed_columns(table), Names{"area"});
}

TEST(SkewedColumns, MustBePositiveInTheWholeTableWhereOnlySomeRowsAreKept) {
  const Matrix X = RandomStream{.seed = 1}.normals(400, 1).array().exp();
  RegressionTable table = table_with(X, {"a"});
  EXPECT_EQ(skewed_columns(table), Names{"a"});
  const Vector one = Vector::Ones(1), minus_one = -one;
  table.whole = WholeTable{.rows = 500,
                           .inputs = Scaling::none(1),
                           .outputs = Scaling::none(1),
                           .input_range = {.low = minus_one, .high = one},
                           .output_range = {.low = minus_one, .high = one}};
  EXPECT_EQ(skewed_columns(table), Names{});
}

TEST(LogarithmAdvice, NamesTheColumnsAndWhatToWrite) {
  EXPECT_EQ(logarithm_advice({}), "");
  EXPECT_EQ(logarithm_advice({"income"}),
            "column income is positive and strongly skewed: its logarithm would serve better, log(income) in "
            "--x");
  EXPECT_EQ(logarithm_advice({"a", "b"}),
            "columns a, b are positive and strongly skewed: their logarithms would serve better, log(a) in "
            "--x and so on");
  EXPECT_NE(
      logarithm_advice({"a", "b", "c", "d", "e", "f"}).find("columns a, b, c, d, e, ... (6 in all) are"),
      std::string::npos);
}

}  // namespace
}  // namespace ridgelet
