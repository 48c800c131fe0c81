#include "ridgelet/fitting/comparison.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

RegressionTable compared_table(Index rows = 90) {
  const Matrix X = RandomStream{.seed = 4}.normals(rows, 2);
  Matrix Y(rows, 2);
  Y.col(0) = X.col(0).array().sin() + 0.5 * X.col(1).array();
  Y.col(1) = 100 + 10 * X.col(1).array().cos();
  Y.col(0) += 0.1 * RandomStream{.seed = 5}.normals(rows);
  Y.col(1) += RandomStream{.seed = 6}.normals(rows);
  return {.inputs = {"a", "b"}, .outputs = {"y", "z"}, .X = X, .Y = Y};
}

ComparisonSettings compared_settings() {
  ComparisonSettings settings{.holdout = 0.2};
  settings.fit.regression.model.kernel = "se(lengthscale=2)";
  settings.fit.regression.model.noise = Vector::Constant(1, 0.1);
  settings.fit.regression.model.standardise = true;
  return settings;
}

const ComparedModel& model_of(const Comparison& comparison, const std::string& name) {
  return *std::ranges::find(comparison.models, name, &ComparedModel::model);
}

TEST(Comparison, JudgesThreeModelsByTheSameRows) {
  const Comparison comparison = compare(compared_table(), compared_settings());
  EXPECT_EQ(comparison.rows, 72);
  EXPECT_EQ(comparison.held_out, 18);
  ASSERT_EQ(comparison.models.size(), 3u);
  for (const ComparedModel& each : comparison.models) {
    ASSERT_EQ(each.scores.size(), 2u);
    for (const Score& score : each.scores) EXPECT_EQ(score.rows, 18);
    EXPECT_GT(each.seconds, 0);
  }
}

/// Mean and sd with noise by the textbook's formulas, on columns that are standardised by the rows fitted.
TEST(Comparison, HasTheExactProcess) {
  const Comparison comparison = compare(compared_table(), compared_settings());
  const TableSplit split = hold_out(compared_table(), 0.2, 0);
  const Scaling inputs = Scaling::standardising(split.fitted.X),
                outputs = Scaling::standardising(split.fitted.Y);
  const Matrix X = inputs.apply(split.fitted.X), Xs = inputs.apply(split.held_out.X);
  const auto kernel = [](const Matrix& a, const Matrix& b) {
    Matrix k(a.rows(), b.rows());
    for (Index i = 0; i < a.rows(); ++i)
      for (Index j = 0; j < b.rows(); ++j) k(i, j) = std::exp(-(a.row(i) - b.row(j)).squaredNorm() / 8);
    return k;
  };
  const Matrix C = kernel(X, X) + 0.01 * Matrix::Identity(72, 72);
  const Matrix mean = outputs.undo(kernel(Xs, X) * C.llt().solve(outputs.apply(split.fitted.Y)));
  const Vector variance =
      1.01 - (kernel(Xs, X).array() * C.llt().solve(kernel(X, Xs)).transpose().array()).rowwise().sum();
  for (const Index k : {0, 1}) {
    const Score& score = model_of(comparison, "gp").scores[static_cast<std::size_t>(k)];
    const Vector error = split.held_out.Y.col(k) - mean.col(k);
    EXPECT_NEAR(score.rmse, std::sqrt(error.squaredNorm() / 18), 1e-8 * score.rmse);
    const Vector sd = outputs.scale(k) * variance.cwiseSqrt();
    const double density =
        (-0.5 * (error.array() / sd.array()).square() - sd.array().log()).mean() - 0.5 * std::log(2 * M_PI);
    EXPECT_NEAR(score.log_density, density, 1e-7);
  }
}

TEST(Comparison, HasANetworkNearItsProcess) {
  const Comparison comparison = compare(compared_table(), compared_settings());
  const Score &gp = model_of(comparison, "gp").scores[0],
              &ridgelet = model_of(comparison, "ridgelet").scores[0];
  EXPECT_NEAR(ridgelet.rmse, gp.rmse, 0.03 * gp.rmse);
  EXPECT_NEAR(ridgelet.log_density, gp.log_density, 0.03);
}

TEST(Comparison, DoesNotDependOnTheUnitsOfAColumn) {
  RegressionTable scaled = compared_table();
  scaled.X.col(0) *= 1e6;
  scaled.Y.col(1) = 1e-6 * scaled.Y.col(1).array() + 10;
  ComparisonSettings settings = compared_settings();
  const Comparison ours = compare(compared_table(), settings), other = compare(scaled, settings);
  for (const std::string name : {"gp", "iid", "ridgelet"}) {
    EXPECT_NEAR(model_of(other, name).scores[0].rmse, model_of(ours, name).scores[0].rmse, 1e-6) << name;
    EXPECT_NEAR(1e6 * model_of(other, name).scores[1].rmse, model_of(ours, name).scores[1].rmse, 1e-4)
        << name;
  }
}

TEST(Comparison, LeavesTheExactProcessOutWhereThereAreTooManyRows) {
  ComparisonSettings settings = compared_settings();
  settings.most_process_rows = 71;
  const Comparison comparison = compare(compared_table(), settings);
  ASSERT_EQ(comparison.models.size(), 2u);
  EXPECT_EQ(comparison.models[0].model, "iid");
  EXPECT_EQ(comparison.models[1].model, "ridgelet");
}

TEST(Comparison, RefusesToHoldEverythingOut) {
  ComparisonSettings settings = compared_settings();
  settings.holdout = 0.99;
  EXPECT_EQ(complaint_of([&] { compare(compared_table(), settings); }),
            "holdout: keeps 89 of 90 rows back, and a fit needs at least two");
}

}  // namespace
}  // namespace ridgelet
