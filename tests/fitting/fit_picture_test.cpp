#include "ridgelet/fitting/fit_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/fitting/fit.hpp"

namespace ridgelet {
namespace {

using testing::relative_error;
using testing::tolerance::two_routes;

/// y = 10 + 3 sin(2 x1) + 2 x2 and z = -y, with a little noise; inputs beyond the second do not matter.
RegressionTable table_of(Index inputs, Index rows) {
  const Matrix X = RandomStream{.seed = 4}.normals(rows, inputs).cwiseMax(-2).cwiseMin(2);
  Matrix Y(rows, 2);
  Y.col(0) = 10 + 3 * (2 * X.col(0).array()).sin() + 0.3 * RandomStream{.seed = 5}.normals(rows).array();
  if (inputs > 1) Y.col(0) += 2 * X.col(1);
  Y.col(1) = -Y.col(0);
  RegressionTable table{.inputs = {}, .outputs = {"y", "z"}, .X = X, .Y = Y};
  for (Index k = 1; k <= inputs; ++k) table.inputs.push_back("x" + std::to_string(k));
  return table;
}

FittedModel fit_of(Index inputs, Index rows) {
  FitSettings settings;
  settings.regression.model.kernel = inputs == 1 ? "se(lengthscale=0.6)" : "se(lengthscale=1.5)";
  settings.regression.model.units = 60;
  settings.regression.model.noise = Vector::Constant(1, 0.15);
  settings.regression.model.standardise = true;
  settings.sampling = {.chains = 2, .warmup = 5, .draws = 10, .seed = 3};
  settings.most_watched = 4;
  settings.domain_points = 4;
  return fit(table_of(inputs, rows), settings).model;
}

TEST(FitCurve, IsThePredictionOverTheDomainBesideTheExactProcess) {
  const FittedModel model = fit_of(1, 40);
  for (const Index output : {0, 1}) {
    const FitCurve curve = std::get<FitCurve>(picture_fit(model, {.output = output, .curve_points = 25}));
    EXPECT_EQ(curve.data.output, output == 0 ? "y" : "z");
    EXPECT_EQ(curve.data.y, model.regression().table().Y.col(output));
    EXPECT_NEAR(curve.x(0), model.regression().table().X.minCoeff(), 1e-12);
    EXPECT_NEAR(curve.x(24), model.regression().table().X.maxCoeff(), 1e-12);
    const PredictiveSummary wide = model.predict(curve.x), narrow = model.predict(curve.x, {.level = 0.5});
    EXPECT_LT(relative_error(curve.mean, wide.mean.col(output)), two_routes);
    EXPECT_LT(relative_error(curve.most.lower, wide.lower.col(output)), two_routes);
    EXPECT_LT(relative_error(curve.most.upper, wide.upper.col(output)), two_routes);
    EXPECT_LT(relative_error(curve.half.lower, narrow.lower.col(output)), two_routes);
    EXPECT_LT(relative_error(curve.half.upper, narrow.upper.col(output)), two_routes);
    ASSERT_TRUE(curve.exact);
    // The network is close to its process: within a tenth of the sd of y, for means and for bands with noise.
    const double sd = model.regression().output_scaling().scale(output);
    EXPECT_LT((curve.exact->mean - curve.mean).cwiseAbs().maxCoeff(), 0.1 * sd);
    EXPECT_LT((curve.exact->most.lower - curve.most.lower).cwiseAbs().maxCoeff(), 0.1 * sd);
    EXPECT_LT((curve.exact->most.upper - curve.most.upper).cwiseAbs().maxCoeff(), 0.1 * sd);
  }
}

TEST(FitCurve, LeavesTheExactProcessAndSomeRowsOutWhenThereAreMany) {
  const FittedModel model = fit_of(1, 40);
  const FitCurve curve = std::get<FitCurve>(
      picture_fit(model, {.curve_points = 5, .shown_rows = 7, .most_rows_of_exact_process = 39}));
  EXPECT_FALSE(curve.exact);
  EXPECT_EQ(curve.data.y.size(), 7);
  EXPECT_EQ(curve.data.rows, 40);
  const RegressionTable& table = model.regression().table();
  EXPECT_EQ(curve.data.y(0), table.Y(0, 0));
  EXPECT_EQ(curve.data.y(6), table.Y(39, 0));
  EXPECT_EQ(curve.data.X(6, 0), table.X(39, 0));
}

TEST(FitMap, HasMeanAndStandardDeviationOfTheFunctionOnAGrid) {
  const FittedModel model = fit_of(2, 50);
  const FitMap map = std::get<FitMap>(picture_fit(model, {.map_points = 6}));
  ASSERT_EQ(map.X.rows(), 36);
  EXPECT_EQ(map.X(0, 0), map.X(5, 0));  // the first input is slowest
  const PredictiveSummary function = model.predict(map.X, {.noise = false});
  EXPECT_LT(relative_error(map.mean, function.mean.col(0)), two_routes);
  EXPECT_LT(relative_error(map.sd, function.sd.col(0)), two_routes);
  EXPECT_EQ(map.data.inputs, (std::vector<std::string>{"x1", "x2"}));
}

TEST(FitChecks, CompareEveryRowWithItsPrediction) {
  const FittedModel model = fit_of(3, 60);
  const FitChecks checks = std::get<FitChecks>(picture_fit(model, {.effect_points = 3, .effect_rows = 5}));
  const RegressionTable& table = model.regression().table();
  const PredictiveSummary at_rows = model.predict(table.X);
  EXPECT_LT(relative_error(checks.mean, at_rows.mean.col(0)), two_routes);
  EXPECT_LT(relative_error(checks.most.lower, at_rows.lower.col(0)), two_routes);
  EXPECT_LT(relative_error(checks.most.upper, at_rows.upper.col(0)), two_routes);
  const Vector y = table.Y.col(0), residual = y - checks.mean;
  EXPECT_NEAR(checks.rmse, residual.norm() / std::sqrt(60.0), 1e-9);
  EXPECT_NEAR(checks.r2, 1 - residual.squaredNorm() / (y.array() - y.mean()).square().sum(), 1e-9);
  for (Index i = 0; i < checks.level.size(); ++i) {
    const PredictiveSummary at = model.predict(table.X, {.level = checks.level(i)});
    Index inside = 0;
    for (Index r = 0; r < 60; ++r) inside += y(r) >= at.lower(r, 0) && y(r) <= at.upper(r, 0);
    EXPECT_NEAR(checks.coverage(i), static_cast<double>(inside) / 60, 1e-12);
  }
}

// The effect of x_k at v, by hand: predictions at the data with x_k replaced, averaged.
TEST(FitChecks, HaveTheAveragePredictionAsTheEffectOfAnInput) {
  const FittedModel model = fit_of(3, 60);
  const FitChecks checks =
      std::get<FitChecks>(picture_fit(model, {.effect_points = 4, .effect_rows = 60, .check_rows = 2}));
  const Matrix& X = model.regression().table().X;
  ASSERT_EQ(checks.effects.size(), 3u);
  for (Index k = 0; k < 3; ++k) {
    const FitChecks::Effect& effect = checks.effects[static_cast<std::size_t>(k)];
    EXPECT_EQ(effect.x(0), X.col(k).minCoeff());
    EXPECT_EQ(effect.x(3), X.col(k).maxCoeff());
    for (Index v = 0; v < 4; ++v) {
      Matrix replaced = X;
      replaced.col(k).setConstant(effect.x(v));
      const PredictiveSummary function = model.predict(replaced, {.noise = false});
      EXPECT_NEAR(effect.mean(v), function.mean.col(0).mean(), 1e-9);
      EXPECT_NEAR(effect.most.lower(v), function.lower.col(0).mean(), 1e-9);
      EXPECT_NEAR(effect.most.upper(v), function.upper.col(0).mean(), 1e-9);
    }
  }
  const auto span = [&](std::size_t k) {
    return checks.effects[k].mean.maxCoeff() - checks.effects[k].mean.minCoeff();
  };
  EXPECT_GT(span(1), 4 * span(2));
}

TEST(FitPicture, CountsItsPredictions) {
  const FittedModel model = fit_of(3, 60);
  Index last = 0, whole = 0;
  FitPictureOptions options{.effect_points = 3, .effect_rows = 5, .check_rows = 20};
  options.progress = [&](Index done, Index total) {
    EXPECT_GT(done, last);
    last = done;
    whole = total;
  };
  picture_fit(model, options);
  EXPECT_EQ(last, whole);
  EXPECT_EQ(whole, 20 + 3 * 3 * 5);
}

TEST(FitPicture, RefusesAnOutputThatIsNotThere) {
  const FittedModel model = fit_of(1, 20);
  EXPECT_EQ(testing::complaint_of([&] { picture_fit(model, {.output = 2}); }),
            "y: must be one of the 2 outputs, counted from 0, got 2");
}

}  // namespace
}  // namespace ridgelet
