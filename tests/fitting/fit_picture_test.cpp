#include "ridgelet/fitting/fit_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "latent_fit.hpp"
#include "ridgelet/fitting/fit.hpp"

namespace ridgelet {
namespace {

using testing::relative_error;
using testing::tolerance::standard_errors;
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

FittedModel fit_of(Index inputs, Index rows, HiddenLayersAre hidden = HiddenLayersAre::fixed,
                   Index networks = 1) {
  FitSettings settings;
  settings.hidden = hidden;
  settings.networks = networks;
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
  ASSERT_EQ(map.data.columns.size(), 2u);
  EXPECT_EQ(map.data.columns[1].name, "x2");
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
    const Effect& effect = checks.effects[static_cast<std::size_t>(k)];
    EXPECT_EQ(effect.x(0), X.col(k).minCoeff());
    EXPECT_EQ(effect.x(3), X.col(k).maxCoeff());
    for (Index v = 0; v < 4; ++v) {
      Matrix replaced = X;
      replaced.col(k).setConstant(effect.x(v));
      const PredictiveSummary function = model.predict(replaced, {.noise = false});
      EXPECT_NEAR(effect.mean(v), function.mean.col(0).mean(), 1e-9);
    }
  }
  const auto span = [&](std::size_t k) {
    return checks.effects[k].mean.maxCoeff() - checks.effects[k].mean.minCoeff();
  };
  EXPECT_GT(span(1), 4 * span(2));
}

/// The rows of the table with their third input at one value.
Matrix with_third_at(const FittedModel& model, double value) {
  Matrix replaced = model.regression().table().X;
  replaced.col(2).setConstant(value);
  return replaced;
}

const FitPictureOptions third_effect{.output = 1, .effect_points = 3, .effect_rows = 60, .check_rows = 2};

// The variance of an average is the average of the covariances between all that is averaged.
TEST(FitChecks, HaveTheBandOfTheAverageAroundAnEffectNotTheAverageOfBands) {
  const FittedModel model = fit_of(3, 60);
  const Effect effect = std::get<FitChecks>(picture_fit(model, third_effect)).effects[2];
  for (Index v = 0; v < 3; ++v) {
    const Matrix covariance = model.covariance(with_third_at(model, effect.x(v)), 1);
    const double half = 1.959963984540054 * std::sqrt(covariance.mean());
    EXPECT_NEAR(effect.lower(v), effect.mean(v) - half, 1e-7 * half);
    EXPECT_NEAR(effect.upper(v), effect.mean(v) + half, 1e-7 * half);
    EXPECT_LT(half, 0.8 * 1.96 * covariance.diagonal().cwiseSqrt().mean());
  }
}

/// The part of `values` below x.
double part_below(const Vector& values, double x) {
  return (values.array() < x).cast<double>().mean();
}

TEST(FitChecks, HaveEffectsWhoseBandHoldsTheAveragesOfFunctionsDrawn) {
  constexpr Index count = 4000;
  const FittedModel model = fit_of(3, 60, HiddenLayersAre::fixed, 3);
  const Effect effect = std::get<FitChecks>(picture_fit(model, third_effect)).effects[2];
  const double tolerance = standard_errors * std::sqrt(0.025 * 0.975 / count);
  for (Index v = 0; v < 3; ++v) {
    const Matrix functions = model.functions(with_third_at(model, effect.x(v)), count, 8, 1);
    const Vector averages = functions.rowwise().mean();
    EXPECT_NEAR(part_below(averages, effect.lower(v)), 0.025, tolerance);
    EXPECT_NEAR(part_below(averages, effect.upper(v)), 0.975, tolerance);
  }
}

TEST(FitChecks, HaveTheBandOfTheAverageAroundAnEffectWhereHiddenLayersWereSampled) {
  const FittedModel model = fit_of(3, 60, HiddenLayersAre::sampled);
  const Effect effect = std::get<FitChecks>(picture_fit(model, third_effect)).effects[2];
  for (Index v = 0; v < 3; ++v) {
    const Matrix covariance = model.covariance(with_third_at(model, effect.x(v)), 1);
    // A mixture of twenty normals that lie close together is nearly normal.
    EXPECT_NEAR((effect.upper(v) - effect.lower(v)) / (2 * 1.96 * std::sqrt(covariance.mean())), 1, 0.05);
  }
}

TEST(FitChecks, HaveTheLargestEffectsInTheOrderOfTheColumns) {
  const FittedModel model = fit_of(4, 60);
  FitPictureOptions options{.effect_points = 4, .check_rows = 2};
  const std::vector<Effect> all = std::get<FitChecks>(picture_fit(model, options)).effects;
  ASSERT_EQ(all.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(all[k].column, k);
  for (const Index most : {1, 2}) {
    options.most_effects = most;
    const std::vector<Effect> some = std::get<FitChecks>(picture_fit(model, options)).effects;
    ASSERT_EQ(some.size(), static_cast<std::size_t>(most));
    // The second input matters most by far, and then the first.
    EXPECT_EQ(some.back().column, 1u);
    EXPECT_EQ(some.front().column, most == 1 ? 1u : 0u);
    EXPECT_EQ(some.back().mean, all[1].mean);
  }
}

TEST(FitChecks, AreOfRowsThatTheFitHasNotSeenWhereTheyAreGiven) {
  const FittedModel model = fit_of(3, 60);
  const RegressionTable table = table_of(3, 20);
  const Matrix X = -table.X, Y = 20 - table.Y.array();
  const FitPictureOptions options{.observed = ObservedRows{.name = "others", .X = X, .Y = Y, .rows = 20},
                                  .effect_points = 3,
                                  .effect_rows = 5};
  const FitChecks checks = std::get<FitChecks>(picture_fit(model, options));
  EXPECT_EQ(checks.data.source, "others");
  EXPECT_EQ(checks.data.y, Y.col(0));
  const Vector mean = model.predict(X).mean.col(0);
  EXPECT_LT(relative_error(checks.mean, mean), two_routes);
  EXPECT_NEAR(checks.rmse, (Y.col(0) - mean).norm() / std::sqrt(20.0), 1e-9);
  // Effects speak of the model, at the rows of the fit.
  EXPECT_EQ(checks.effects[0].x(0), model.regression().table().X.col(0).minCoeff());
}

/// log(price) given a number and one of two towns.
FittedModel fit_of_prices() {
  const Index rows = 60;
  Matrix X = Matrix::Zero(rows, 3);
  X.col(0) = Vector::LinSpaced(rows, 0, 3);
  for (Index i = 0; i < rows; ++i) X(i, 1 + i % 2) = 1;
  RegressionTable table{
      .inputs = {"area", "town=Hull", "town=York"},
      .outputs = {"log(price)"},
      .X = X,
      .Y = 5 + X.col(0).array() + 0.5 * X.col(2).array() + 0.1 * (40 * X.col(0).array()).sin()};
  table.encoding.inputs = {{.name = "area"},
                           {.name = "town", .kind = ColumnKind::levels, .levels = {"Hull", "York"}}};
  table.encoding.outputs = {{.column = "price", .transform = ResponseTransform::log}};
  FitSettings settings;
  settings.regression.model.kernel = "se(lengthscale=2)";
  settings.regression.model.noise = Vector::Constant(1, 0.1);
  settings.regression.model.standardise = true;
  return fit(table, settings).model;
}

TEST(FitChecks, AreOfTheResponseItselfWhereItsLogarithmWasFitted) {
  const FittedModel model = fit_of_prices();
  const FitChecks checks = std::get<FitChecks>(picture_fit(model, {.effect_points = 3, .effect_rows = 60}));
  const RegressionTable& table = model.regression().table();
  EXPECT_EQ(checks.data.output, "price");
  EXPECT_LT(relative_error(checks.data.y, table.Y.col(0).array().exp().matrix()), two_routes);
  const PredictiveSummary logs = model.predict(table.X);
  EXPECT_LT(relative_error(checks.most.lower, logs.lower.col(0).array().exp().matrix()), two_routes);
  EXPECT_LT(relative_error(checks.most.upper, logs.upper.col(0).array().exp().matrix()), two_routes);
  // A log-normal has its mean above its median.
  const Vector variance = logs.sd.col(0).array().square();
  EXPECT_LT(relative_error(checks.mean, (logs.mean.col(0) + 0.5 * variance).array().exp().matrix()),
            two_routes);
  EXPECT_NEAR(checks.rmse, (checks.data.y - checks.mean).norm() / std::sqrt(60.0),
              1e-9 * checks.data.y.maxCoeff());
}

TEST(FitChecks, HaveTheEffectOfTextAtEachOfItsLevels) {
  const FittedModel model = fit_of_prices();
  const FitChecks checks = std::get<FitChecks>(picture_fit(model, {.effect_points = 3, .effect_rows = 60}));
  ASSERT_EQ(checks.effects.size(), 2u);
  EXPECT_EQ(checks.effects[0].x.size(), 3);
  EXPECT_EQ(checks.effects[1].x, (Vector{{0, 1}}));
  for (Index level = 0; level < 2; ++level) {
    Matrix replaced = model.regression().table().X;
    replaced.col(1).setConstant(level == 0 ? 1 : 0);
    replaced.col(2).setConstant(level == 1 ? 1 : 0);
    const PredictiveSummary logs = model.predict(replaced, {.noise = false});
    const Vector prices = (logs.mean.col(0).array() + 0.5 * logs.sd.col(0).array().square()).exp();
    EXPECT_NEAR(checks.effects[1].mean(level), prices.mean(), 1e-9 * prices.mean());
    // The interval of the average price, by other functions than those of the picture.
    const Matrix drawn = model.functions(replaced, 4000, 8).array().exp();
    const Vector averages = drawn.rowwise().mean();
    const double tolerance = standard_errors * std::sqrt(0.025 * 0.975 * (1.0 / 4000 + 1.0 / 1000));
    EXPECT_NEAR(part_below(averages, checks.effects[1].lower(level)), 0.025, tolerance);
    EXPECT_NEAR(part_below(averages, checks.effects[1].upper(level)), 0.975, tolerance);
  }
  EXPECT_GT(checks.effects[1].mean(1), 1.3 * checks.effects[1].mean(0));
}

/// Counts n of mean t exp(x1 - 1), of which most are 0 or 1; t is between 1 and 3 where there is an exposure.
RegressionTable counts_of(Index inputs, Index rows, bool exposure) {
  RegressionTable table{.inputs = {},
                        .outputs = {"n"},
                        .X = RandomStream{.seed = 4}.normals(rows, inputs).cwiseMax(-2).cwiseMin(2),
                        .Y = Matrix(rows, exposure ? 2 : 1)};
  for (Index k = 1; k <= inputs; ++k) table.inputs.push_back("x" + std::to_string(k));
  if (exposure) table.outputs.push_back("log(t)");
  const RandomStream u{.seed = 5}, t{.seed = 6};
  const LikelihoodPointer poisson = parse_likelihood("poisson");
  for (Index i = 0; i < rows; ++i) {
    const double offset = exposure ? std::log(1 + 2 * t.uniform(static_cast<std::uint64_t>(i))) : 0,
                 f = table.X(i, 0) - 1 + offset;
    poisson->draw(&f, u.uniform(static_cast<std::uint64_t>(i)), &table.Y(i, 0));
    if (exposure) table.Y(i, 1) = offset;
  }
  table.encoding = TableEncoding::of_numbers(table.inputs, {"n"});
  if (exposure)
    table.encoding.outputs.push_back({.column = "t", .transform = ResponseTransform::log, .exposure = true});
  return table;
}

FittedModel fit_of_counts(Index inputs, Index rows, bool exposure) {
  return testing::small_latent_fit(counts_of(inputs, rows, exposure), "se(lengthscale=2)", "poisson");
}

/// Evenly spaced numbers between P(Y < y) and P(Y <= y), of which those in the middle of [0, 1] are counted.
Vector coverage_by_hand(const FittedModel& model, const FitChecks& checks) {
  constexpr Index numbers = 2000;
  const Matrix F = model.latent_functions(checks.data.X);
  Vector coverage = Vector::Zero(checks.level.size());
  for (Index i = 0; i < F.cols(); ++i) {
    double below = 0, at = 0;
    for (const double f : F.col(i)) {
      const double mean = std::exp(f) * (checks.data.exposure.size() > 0 ? checks.data.exposure(i) : 1);
      double probability = std::exp(-mean) / static_cast<double>(F.rows());
      for (Index y = 0; y < static_cast<Index>(checks.data.y(i)); ++y) {
        below += probability;
        probability *= mean / static_cast<double>(y + 1);
      }
      at += probability;
    }
    for (Index n = 0; n < numbers; ++n) {
      const double u = below + at * (static_cast<double>(n) + 0.5) / numbers;
      coverage.array() +=
          (2 * std::abs(u - 0.5) <= checks.level.array()).cast<double>() / (numbers * F.cols());
    }
  }
  return coverage;
}

TEST(FitChecks, OfCountsHaveTheCoverageOfTheirLevelsThoughCountsComeInSteps) {
  constexpr Index rows = 400;
  for (const bool exposure : {false, true}) {
    const FittedModel model = fit_of_counts(3, rows, exposure);
    const FitChecks checks =
        std::get<FitChecks>(picture_fit(model, {.effect_points = 2, .effect_rows = 2, .check_rows = rows}));
    for (Index l = 0; l < checks.level.size(); ++l) {
      const double p = checks.level(l);
      EXPECT_NEAR(checks.coverage(l), p, standard_errors * std::sqrt(p * (1 - p) / rows)) << p;
    }
    EXPECT_LT((checks.coverage - coverage_by_hand(model, checks)).cwiseAbs().maxCoeff(), 1e-3);
    const Vector rate = model.predict(checks.data.X, {.noise = false}).mean;
    const Vector expected = exposure ? Vector(rate.array() * checks.data.exposure.array()) : rate;
    EXPECT_LT(relative_error(checks.mean, expected), two_routes);
    EXPECT_EQ(checks.effect_on, exposure ? "n / t" : "n");
  }
}

TEST(FitCurve, OfCountsWithAnExposureIsTheirRate) {
  const FittedModel model = fit_of_counts(1, 100, true);
  const FitCurve curve = std::get<FitCurve>(picture_fit(model, {.curve_points = 10}));
  const RegressionTable& table = model.regression().table();
  EXPECT_EQ(curve.data.output, "n / t");
  EXPECT_LT(relative_error(curve.data.y, table.Y.col(0).array() / table.Y.col(1).array().exp()), two_routes);
  const PredictiveSummary rate = model.predict(curve.x, {.noise = false});
  EXPECT_LT(relative_error(curve.mean, rate.mean), two_routes);
  EXPECT_LT(relative_error(curve.most.lower, rate.lower), two_routes);
  EXPECT_LT(relative_error(curve.most.upper, rate.upper), two_routes);
}

TEST(FitPicture, HasNoPictureOfAnExposure) {
  const FittedModel model = fit_of_counts(1, 50, true);
  EXPECT_EQ(testing::complaint_of([&] { picture_fit(model, {.output = 1}); }),
            "y: must be one of the 1 outputs, counted from 0, got 1");
}

TEST(ElboTrace, IsWhatTheFitSawAndItsRunningMean) {
  FitSettings settings;
  settings.regression.model.kernel = "se(lengthscale=0.6)";
  settings.regression.model.units = 20;
  settings.regression.model.noise = Vector::Constant(1, 0.15);
  settings.regression.model.standardise = true;
  settings.hidden = HiddenLayersAre::variational;
  settings.variational.steps = 130;
  settings.sampling = {.draws = 10, .seed = 3};
  const FittedModel model = fit(table_of(1, 30), settings).model;
  const ElboTrace trace = std::get<ElboTrace>(picture_fit(model, {.show = PictureOf::trace}));
  const Vector& steps = model.report().elbo->trace;
  EXPECT_EQ(trace.elbo.trace, steps);
  EXPECT_FALSE(trace.of_laplace);
  ASSERT_EQ(trace.average.size(), steps.size() - trace.window + 1);
  EXPECT_NEAR(trace.average(0), steps.head(trace.window).mean(), 1e-9);
  EXPECT_NEAR(trace.average(trace.average.size() - 1), steps.tail(trace.window).mean(), 1e-9);
}

TEST(ElboTrace, IsOfVariationalHiddenLayersAlone) {
  const FittedModel model = fit_of(1, 20);
  EXPECT_EQ(testing::complaint_of([&] { picture_fit(model, {.show = PictureOf::trace}); }),
            "show: a trace is of --hidden variational, and these hidden layers are fixed");
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
