#include "ridgelet/fitting/holdout.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/fitting/fit.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;

/// Every row is known by its first input.
RegressionTable numbered(Index rows) {
  Matrix X(rows, 2), Y(rows, 1);
  X.col(0) = Vector::LinSpaced(rows, 0, static_cast<double>(rows - 1));
  X.col(1) = RandomStream{.seed = 3}.normals(rows);
  Y = X.col(1).array().sin();
  return {.inputs = {"number", "x"}, .outputs = {"y"}, .X = X, .Y = Y};
}

std::set<double> numbers_in(const RegressionTable& table) {
  return {table.X.col(0).begin(), table.X.col(0).end()};
}

TEST(HoldOut, PutsEveryRowIntoOneOfTwoTables) {
  const RegressionTable table = numbered(53);
  const TableSplit split = hold_out(table, 0.2, 7);
  EXPECT_EQ(split.held_out.X.rows(), 11);
  EXPECT_EQ(split.fitted.X.rows(), 42);
  std::set<double> all = numbers_in(split.fitted);
  all.merge(numbers_in(split.held_out));
  EXPECT_EQ(all, numbers_in(table));
  for (const RegressionTable* part : {&split.fitted, &split.held_out}) {
    EXPECT_TRUE(part->Y == Matrix(part->X.col(1).array().sin()));
    EXPECT_TRUE(std::ranges::is_sorted(part->X.col(0)));
    EXPECT_EQ(part->inputs, table.inputs);
  }
}

TEST(HoldOut, KeepsTheNumbersOfRows) {
  RegressionTable table = numbered(20);
  for (const Index apart : {1, 3}) {
    table.numbers.clear();
    for (Index i = 0; i < 20 && apart > 1; ++i) table.numbers.push_back(apart * i);
    const TableSplit split = hold_out(table, 0.3, 7);
    for (const RegressionTable* part : {&split.fitted, &split.held_out})
      for (Index i = 0; i < part->X.rows(); ++i)
        EXPECT_EQ(static_cast<double>(part->number_of(i)), static_cast<double>(apart) * part->X(i, 0));
  }
}

TEST(HoldOut, ChoosesOtherRowsForAnotherSeed) {
  const RegressionTable table = numbered(200);
  EXPECT_EQ(numbers_in(hold_out(table, 0.1, 1).held_out), numbers_in(hold_out(table, 0.1, 1).held_out));
  EXPECT_NE(numbers_in(hold_out(table, 0.1, 1).held_out), numbers_in(hold_out(table, 0.1, 2).held_out));
}

TEST(HoldOut, KeepsAtLeastOneRowBackAndLeavesTwo) {
  EXPECT_EQ(hold_out(numbered(4), 0.01, 0).held_out.X.rows(), 1);
  EXPECT_EQ(complaint_of([] { hold_out(numbered(4), 0.9, 0); }),
            "holdout: keeps 4 of 4 rows back, and a fit needs at least two");
  EXPECT_EQ(complaint_of([] { hold_out(numbered(4), 1, 0); }),
            "holdout: must be between 0 and 1, e.g. 0.1, got 1");
}

TEST(HoldOut, RefusesASplitThatLeavesAColumnWithoutVariation) {
  RegressionTable table = numbered(10);
  // A level that one row has: some seed holds that row out.
  table.X.col(1).setZero();
  table.X(4, 1) = 1;
  std::string complaint;
  for (std::uint64_t seed = 0; seed < 50 && complaint.empty(); ++seed) try {
      hold_out(table, 0.2, seed);
    } catch (const InvalidArgument& error) {
      complaint = error.what();
    }
  EXPECT_NE(complaint.find("leaves the column 'x' the same in every row that is fitted"), std::string::npos)
      << complaint;
}

FittedModel small_fit_of(const RegressionTable& table) {
  FitSettings settings;
  settings.regression.model.kernel = "se(lengthscale=[20, 1])";
  settings.regression.model.noise = Vector::Constant(1, 0.1);
  settings.networks = 2;
  return fit(table, settings).model;
}

TEST(ScoreAt, DoesNotDependOnHowRowsAreCutIntoBlocks) {
  const TableSplit split = hold_out(numbered(60), 0.3, 2);
  const FittedModel model = small_fit_of(split.fitted);
  const Score whole = score_at(model, split.held_out).front();
  EXPECT_EQ(whole.rows, 18);
  for (const Index block : {1, 2, 7}) {
    const Score cut = score_at(model, split.held_out, block).front();
    EXPECT_NEAR(cut.rmse, whole.rmse, 1e-12 * whole.rmse);
    EXPECT_NEAR(cut.crps, whole.crps, 1e-12 * whole.crps);
    EXPECT_NEAR(cut.log_density, whole.log_density, 1e-12);
    EXPECT_EQ(cut.coverage, whole.coverage);
  }
}

TEST(ScoreAt, IsOfThePredictedMeans) {
  const TableSplit split = hold_out(numbered(60), 0.3, 2);
  const FittedModel model = small_fit_of(split.fitted);
  const Matrix error = model.predict(split.held_out.X).mean - split.held_out.Y;
  EXPECT_NEAR(score_at(model, split.held_out).front().rmse, std::sqrt(error.squaredNorm() / 18), 1e-12);
}

TEST(ScoreAt, IsInUnitsOfTheResponseWhereItsLogarithmWasFitted) {
  RegressionTable table = numbered(60);
  table.outputs = {"log(price)"};
  table.encoding = {.inputs = {{.name = "number"}, {.name = "x"}},
                    .outputs = {{.column = "price", .transform = ResponseTransform::log}}};
  const TableSplit split = hold_out(table, 0.3, 2);
  const FittedModel model = small_fit_of(split.fitted);
  const PredictiveMixture predicted = model.mixture(split.held_out.X);
  const Matrix means =
      (predicted.means.array() + 0.5 * predicted.sds.array().square()).exp().colwise().mean().transpose();
  const Matrix error = means - Matrix(split.held_out.Y.array().exp());
  EXPECT_NEAR(score_at(model, split.held_out).front().rmse, std::sqrt(error.squaredNorm() / 18), 1e-12);
}

}  // namespace
}  // namespace ridgelet
