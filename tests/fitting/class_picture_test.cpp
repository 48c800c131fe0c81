#include "ridgelet/fitting/class_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "latent_fit.hpp"
#include "ridgelet/fitting/fit.hpp"
#include "ridgelet/fitting/fit_picture.hpp"
#include "ridgelet/fitting/latent_score.hpp"

namespace ridgelet {
namespace {

using testing::relative_error;
using testing::table_of_classes;
using testing::tolerance::standard_errors;
using testing::tolerance::two_routes;

FittedModel fit_of_classes(Index classes, Index inputs, Index rows) {
  return testing::small_latent_fit(table_of_classes(classes, inputs, rows),
                                   "se(amplitude=2, lengthscale=1.5)",
                                   classes == 2 ? "bernoulli" : "categorical");
}

/// The probability of the second class, or those of all.
Matrix last_columns(const Matrix& P, Index count) {
  return P.rightCols(count);
}

TEST(CalibrationCurve, CountsProbabilitiesInBinsAndHowManyOfTheirClassesWereObserved) {
  const Matrix P = Matrix{{0.96, 0.04}, {0.94, 0.06}, {0.08, 0.92}, {0.05, 0.95}};
  const CalibrationCurve curve = calibration_curve(P, Vector{{0, 1, 1, 1}});
  ASSERT_EQ(curve.count, (Vector{{2, 2}}));
  EXPECT_NEAR(curve.predicted(0), 0.05, 1e-12);
  EXPECT_NEAR(curve.predicted(1), 0.935, 1e-12);
  EXPECT_EQ(curve.observed, (Vector{{0.5, 1}}));
  EXPECT_NEAR(curve.chance(0), std::sqrt(0.04 * 0.96 + 0.06 * 0.94) / 2, 1e-12);
}

TEST(CalibrationCurve, KnowsThatARowIsOfOneClass) {
  const CalibrationCurve curve = calibration_curve(Matrix{{0.38, 0.36, 0.26}}, Vector{{1}});
  ASSERT_EQ(curve.count, (Vector{{1, 2}}));
  EXPECT_NEAR(curve.predicted(1), 0.37, 1e-12);
  EXPECT_EQ(curve.observed, (Vector{{0, 0.5}}));
  EXPECT_NEAR(curve.chance(1), std::sqrt(0.74 * 0.26) / 2, 1e-12);
}

TEST(CalibrationCurve, OfRightProbabilitiesIsOffByChanceAlone) {
  constexpr Index rows = 300, tables = 1000, bins = 2;  // a row has two or three probabilities up to 0.5
  double squares = 0, terms = 0;
  for (Index t = 0; t < tables; ++t) {
    const auto seed = static_cast<std::uint64_t>(t);
    Matrix P = RandomStream{.seed = seed}.normals(rows, 3).array().exp();
    P.array().colwise() /= P.rowwise().sum().array().eval();
    const RandomStream random{.seed = seed + tables};
    Vector observed(rows);
    for (Index i = 0; i < rows; ++i) {
      const double u = random.uniform(static_cast<std::uint64_t>(i));
      observed(i) = u < P(i, 0) ? 0 : u < P(i, 0) + P(i, 1) ? 1 : 2;
    }
    const CalibrationCurve curve = calibration_curve(P, observed, bins);
    const Vector z = (curve.observed - curve.predicted).array() / curve.chance.array();
    EXPECT_LT(z.cwiseAbs().maxCoeff(), standard_errors);
    squares += z.squaredNorm();
    terms += static_cast<double>(z.size());
  }
  // The square of a standard normal number has mean 1 and variance 2; both bins of a table may say the same.
  EXPECT_NEAR(squares / terms, 1, standard_errors * std::sqrt(2.0 / tables));
}

TEST(ClassCurve, IsTheProbabilityOfEveryClassWithItsIntervals) {
  for (const Index classes : {2, 3}) {
    const FittedModel model = fit_of_classes(classes, 1, 60);
    const ClassCurve curve = std::get<ClassCurve>(picture_fit(model, {.curve_points = 20}));
    const PredictiveSummary wide = model.predict(curve.x), narrow = model.predict(curve.x, {.level = 0.5});
    const Index known = wide.mean.cols();
    EXPECT_EQ(curve.classes.size(), static_cast<std::size_t>(classes));
    EXPECT_EQ(curve.probability.cols(), classes);
    EXPECT_LT((curve.probability.rowwise().sum().array() - 1).abs().maxCoeff(), two_routes);
    EXPECT_LT(relative_error(last_columns(curve.probability, known), wide.mean), two_routes);
    EXPECT_LT(relative_error(last_columns(curve.most_lower, known), wide.lower), two_routes);
    EXPECT_LT(relative_error(last_columns(curve.most_upper, known), wide.upper), two_routes);
    EXPECT_LT(relative_error(last_columns(curve.half_lower, known), narrow.lower), two_routes);
    EXPECT_LT(relative_error(last_columns(curve.half_upper, known), narrow.upper), two_routes);
    EXPECT_TRUE((curve.most_lower.array() <= curve.half_lower.array()).all());
    EXPECT_TRUE((curve.half_upper.array() <= curve.most_upper.array()).all());
    EXPECT_EQ(curve.data.y, model.regression().table().Y.col(0));
  }
}

TEST(ClassMap, HasProbabilitiesAndTheirStandardDeviationsOnAGrid) {
  for (const Index classes : {2, 3}) {
    const FittedModel model = fit_of_classes(classes, 2, 60);
    const ClassMap map = std::get<ClassMap>(picture_fit(model, {.class_map_points = 5, .row_block = 4}));
    ASSERT_EQ(map.X.rows(), 25);
    const PredictiveSummary predicted = model.predict(map.X);
    const Index known = predicted.mean.cols();
    EXPECT_EQ(map.probability.cols(), classes);
    EXPECT_LT((map.probability.rowwise().sum().array() - 1).abs().maxCoeff(), two_routes);
    EXPECT_LT(relative_error(last_columns(map.probability, known), predicted.mean), two_routes);
    EXPECT_LT(relative_error(last_columns(map.sd, known), predicted.sd), two_routes);
    EXPECT_LT(relative_error(map.sd.col(0), predicted.sd.col(0)), two_routes);
  }
}

TEST(ClassChecks, SayWhatTheScoreSaysOfTheRowsOfTheFitAndOfOthers) {
  for (const Index classes : {2, 3}) {
    const FittedModel model = fit_of_classes(classes, 3, 80);
    const RegressionTable seen = model.regression().table(), other = table_of_classes(classes, 3, 50, 9);
    for (const bool held_out : {false, true}) {
      const RegressionTable& rows = held_out ? other : seen;
      FitPictureOptions options{.effect_points = 2, .effect_rows = 2};
      if (held_out) options.observed = {.name = "others", .X = other.X, .Y = other.Y, .rows = 50};
      const ClassChecks checks = std::get<ClassChecks>(picture_fit(model, options));
      const LatentScore score = latent_score_at(model, rows);
      EXPECT_NEAR(checks.accuracy, score.accuracy, 1e-12);
      EXPECT_NEAR(checks.log_loss, score.log_loss, 1e-9);
      EXPECT_NEAR(checks.ece, score.ece, 1e-9);
      EXPECT_EQ(checks.data.source, held_out ? "others" : "");
      for (Index k = 0; k < classes; ++k)
        EXPECT_EQ(checks.confusion.row(k).sum(), (rows.Y.array() == static_cast<double>(k)).count());
      EXPECT_EQ(checks.calibration.count.sum(), static_cast<double>(rows.X.rows() * (classes == 2 ? 1 : 3)));
    }
  }
}

// The effect of x_k at v, by hand: probabilities at the rows with x_k replaced, averaged for every draw.
TEST(ClassChecks, HaveTheAverageProbabilityAsTheEffectOfAnInput) {
  const FittedModel model = fit_of_classes(2, 3, 60);
  const ClassChecks checks =
      std::get<ClassChecks>(picture_fit(model, {.effect_points = 3, .effect_rows = 60}));
  const Matrix& X = model.regression().table().X;
  ASSERT_EQ(checks.effects.size(), 3u);
  for (Index k = 0; k < 3; ++k) {
    const Effect& effect = checks.effects[static_cast<std::size_t>(k)];
    EXPECT_EQ(effect.x(2), X.col(k).maxCoeff());
    for (Index v = 0; v < 3; ++v) {
      Matrix replaced = X;
      replaced.col(k).setConstant(effect.x(v));
      const Vector averages = (1 / (1 + (-model.latent_functions(replaced).array()).exp())).rowwise().mean();
      EXPECT_NEAR(effect.mean(v, 1), averages.mean(), 1e-9);
      EXPECT_NEAR(effect.mean(v, 0), 1 - averages.mean(), 1e-9);
      const auto below = [&](double bound) { return (averages.array() < bound).cast<double>().mean(); };
      EXPECT_NEAR(below(effect.lower(v, 1)), 0.025, 0.01);
      EXPECT_NEAR(below(effect.upper(v, 1)), 0.975, 0.01);
      EXPECT_NEAR(effect.lower(v, 0), 1 - effect.upper(v, 1), 1e-12);
    }
  }
  EXPECT_GT(checks.effects[0].mean(2, 1) - checks.effects[0].mean(0, 1), 0.6);
  EXPECT_LT(std::abs(checks.effects[2].mean(2, 1) - checks.effects[2].mean(0, 1)), 0.3);
}

TEST(ClassChecks, AverageTheProbabilitiesOfSeveralClassesToo) {
  const FittedModel model = fit_of_classes(3, 3, 60);
  const ClassChecks checks =
      std::get<ClassChecks>(picture_fit(model, {.effect_points = 2, .effect_rows = 60}));
  Matrix replaced = model.regression().table().X;
  replaced.col(1).setConstant(checks.effects[1].x(0));
  EXPECT_LT(relative_error(checks.effects[1].mean.row(0), model.predict(replaced).mean.colwise().mean()),
            two_routes);
}

TEST(ClassChecks, AreOfAnyNumberOfInputsWhereTheyAreAskedFor) {
  const FittedModel model = fit_of_classes(2, 1, 40);
  const FitPicture picture =
      picture_fit(model, {.show = PictureOf::checks, .effect_points = 2, .effect_rows = 2});
  EXPECT_EQ(std::get<ClassChecks>(picture).effects.size(), 1u);
}

}  // namespace
}  // namespace ridgelet
