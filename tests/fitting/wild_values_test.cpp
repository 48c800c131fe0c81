#include "ridgelet/fitting/wild_values.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
    EXPECT_EQ(wild[0].column, "a");
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
  EXPECT_EQ(wild_values(table)[0].column, "area");
}

/// sin x and noise at 200 rows, as the response of one input.
RegressionTable waves() {
  const Vector x = 6 * uniform_numbers(200).col(0);
  const Vector y = x.array().sin().matrix() + 0.1 * RandomStream{.seed = 5}.normals(200);
  return {.inputs = {"x"}, .outputs = {"y"}, .X = x, .Y = y};
}

TEST(WildResponses, AreFoundWithTheirRow) {
  for (const double value : {500.0, -500.0, 60.0}) {
    RegressionTable table = waves();
    table.Y(17, 0) = value;
    const std::vector<WildValue> wild = wild_responses(table);
    ASSERT_EQ(wild.size(), 1u);
    EXPECT_EQ(wild[0].column, "y");
    EXPECT_EQ(wild[0].value, value);
    EXPECT_EQ(wild[0].row, 17);
    EXPECT_NEAR(wild[0].high, 0.7, 0.1);
  }
  RegressionTable table = waves();
  table.Y(17, 0) = 500;
  table.Y(90, 0) = -400;
  EXPECT_EQ(wild_responses(table).at(0).value, 500);
  EXPECT_TRUE(wild_responses(waves()).empty());
}

TEST(WildResponses, AreNoneOfAFewRows) {
  RegressionTable table = waves();
  table.X = Vector::LinSpaced(4, 0, 1);
  table.Y = Vector{{1, 1e2, 1e4, 1e6}};
  EXPECT_TRUE(wild_responses(table).empty());
}

TEST(WildResponses, AreNamedInTheirOwnUnitsWhereTheirLogarithmWasFitted) {
  RegressionTable table = waves();
  table.Y(17, 0) = std::log(1e-30);
  table.encoding = TableEncoding::of_numbers({"x"}, {});
  table.encoding.outputs = {{"price", ResponseTransform::log}};
  ASSERT_EQ(wild_responses(table).size(), 1u);
  EXPECT_EQ(wild_responses(table)[0].column, "price");
  EXPECT_NEAR(wild_responses(table)[0].value, 1e-30, 1e-42);
  EXPECT_EQ(wild_responses(table)[0].row, 17);
  EXPECT_EQ(wild_response_advice(wild_responses(table)[0], table).find("student"), std::string::npos);
}

TEST(WildResponses, AreFoundWhereTheirRowWasNotKept) {
  RegressionTable table = waves();
  const Vector one = Vector::Ones(1);
  table.whole = WholeTable{.rows = 1000,
                           .inputs = {.centre = one, .scale = one},
                           .outputs = {.centre = one, .scale = one},
                           .input_range = {.low = 0 * one, .high = 6 * one},
                           .output_range = {.low = -900 * one, .high = one}};
  ASSERT_EQ(wild_responses(table).size(), 1u);
  EXPECT_EQ(wild_responses(table)[0].value, -900);
  EXPECT_EQ(wild_responses(table)[0].row, std::nullopt);
}

/// In how many of 200 tables of 300 responses, each made of four normal numbers, one is wild.
template <class Make>
int tables_with_wild_responses(Make make) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RegressionTable table = waves();
    const Matrix z = RandomStream{.seed = 100 + seed}.normals(300, 4);
    table.X = Vector::LinSpaced(300, 0, 1);
    table.Y = make(z);
    found += wild_responses(table).empty() ? 0 : 1;
  }
  return found;
}

TEST(WildResponses, AreNoneOfTailsOfSkewedPricesOrOfCounts) {
  EXPECT_EQ(tables_with_wild_responses([](const Matrix& z) { return Vector(z.col(0)); }), 0);
  EXPECT_EQ(tables_with_wild_responses([](const Matrix& z) { return Vector(z.col(0).array().exp()); }), 0);
  EXPECT_LE(tables_with_wild_responses([](const Matrix& z) { return Vector((2 * z.col(0).array()).exp()); }),
            2);
  // Student's t of 3 degrees.
  EXPECT_LE(tables_with_wild_responses([](const Matrix& z) {
              return Vector(z.col(0).array() / (z.rightCols(3).rowwise().squaredNorm() / 3).array().sqrt());
            }),
            2);
  EXPECT_EQ(tables_with_wild_responses(
                [](const Matrix& z) { return Vector(z.col(0).array().exp().min(50).floor()); }),
            0);
}

TEST(WildResponseAdvice, PointsToTailsWhereASingleResponseIsFittedItself) {
  RegressionTable table = waves();
  const WildValue wild{"y", 500, 16, -0.7, 0.7};
  EXPECT_EQ(wild_response_advice(wild, table),
            "500 in row 17 of column y lies far from all others, half of which are between -0.7 and 0.7: "
            "check it, and correct it or leave the row out, or use --likelihood student, which expects such "
            "values");
  table.Y = Matrix::Zero(200, 2);
  EXPECT_EQ(wild_response_advice(wild, table), wild_value_advice(wild));
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
