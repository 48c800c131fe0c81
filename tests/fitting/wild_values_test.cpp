#include "ridgelet/fitting/wild_values.hpp"

#include <gtest/gtest.h>

#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

RegressionTable numbers_with(const Matrix& X) {
  return {.inputs = {"a"}, .outputs = {"y"}, .X = X, .Y = X};
}

Matrix uniform_numbers(Index rows) {
  Matrix X(rows, 1);
  for (Index i = 0; i < rows; ++i) X(i, 0) = static_cast<double>(i * 37 % rows) / static_cast<double>(rows);
  return X;
}

TEST(WildValues, AreFoundWithTheirRow) {
  for (const double value : {1e6, -1e6, 3000.0}) {
    Matrix X = uniform_numbers(300);
    X(17, 0) = value;
    const std::vector<WildValue> wild = wild_values(numbers_with(X));
    ASSERT_EQ(wild.size(), 1u);
    EXPECT_EQ(wild[0].input, "a");
    EXPECT_EQ(wild[0].value, value);
    EXPECT_EQ(wild[0].row, 17);
    EXPECT_NEAR(wild[0].low, 0.25, 0.01);
    EXPECT_NEAR(wild[0].high, 0.75, 0.01);
  }
}

TEST(WildValues, KeepTheNumberOfTheirRowWhereOthersWereLeftOutAndHaveNoneWhereTheyWereNotKept) {
  Matrix X = uniform_numbers(300);
  X(17, 0) = 1e6;
  RegressionTable table = numbers_with(X);
  for (Index i = 0; i < 300; ++i) table.numbers.push_back(2 * i);
  EXPECT_EQ(wild_values(table).at(0).row, 34);
  const Vector high = Vector::Constant(1, 1e7), low = Vector::Zero(1);
  table.whole = WholeTable{.rows = 1000,
                           .inputs = {.centre = low, .scale = high},
                           .outputs = {.centre = low, .scale = high},
                           .input_range = {.low = low, .high = high},
                           .output_range = {.low = low, .high = high}};
  EXPECT_EQ(wild_values(table).at(0).value, 1e7);
  EXPECT_EQ(wild_values(table).at(0).row, std::nullopt);
}

TEST(WildValues, AreNotInColumnsThatAreMerelySkewedOrSparseOrFarForManyRows) {
  const Matrix z = RandomStream{.seed = 1}.normals(400, 1);
  EXPECT_TRUE(wild_values(numbers_with(z)).empty());
  EXPECT_TRUE(wild_values(numbers_with((3 * z.array()).exp())).empty());
  Matrix sparse = Matrix::Zero(400, 1);
  sparse(3, 0) = 1e6;
  EXPECT_TRUE(wild_values(numbers_with(sparse)).empty());
  Matrix two_groups = uniform_numbers(400);
  two_groups.topRows(20).array() += 1e6;
  EXPECT_TRUE(wild_values(numbers_with(two_groups)).empty());
}

TEST(WildValues, AreNamedBehindTheInputsOfText) {
  Matrix X = Matrix::Zero(300, 3);
  for (Index i = 0; i < 300; ++i) X(i, i % 2) = 1;
  X.col(2) = uniform_numbers(300);
  X(5, 2) = 1e6;
  RegressionTable table{.inputs = {}, .outputs = {"y"}, .X = X, .Y = X.col(0)};
  table.encoding = {.inputs = {{"colour", ColumnKind::levels, {"blue", "red"}}, {"area"}},
                    .outputs = {{"y"}}};
  table.inputs = table.encoding.input_names();
  ASSERT_EQ(wild_values(table).size(), 1u);
  EXPECT_EQ(wild_values(table)[0].input, "area");
}

TEST(WildValueAdvice, SaysWhichRowToCheck) {
  EXPECT_EQ(
      wild_value_advice({"a", 1e6, 16, 0.25, 0.75}),
      "1e+06 in row 17 of column a lies far from all others, half of which are between 0.25 and 0.75: check "
      "it, and correct it or leave the row out");
  EXPECT_EQ(wild_value_advice({"a", -99, std::nullopt, 0.25, 0.75}).find("-99 in column a lies far"), 0u);
}

}  // namespace
}  // namespace ridgelet
