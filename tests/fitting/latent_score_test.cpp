#include "ridgelet/fitting/latent_score.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "numbers.hpp"
#include "ridgelet/fitting/fit.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::numbers;
using testing::tolerance::two_routes;

/// Part of the pairs in the right order, counted one by one.
double area_by_pairs(const VectorView& values, const std::vector<bool>& of_class) {
  double ordered = 0, pairs = 0;
  for (std::size_t i = 0; i < of_class.size(); ++i)
    for (std::size_t j = 0; j < of_class.size(); ++j) {
      if (!of_class[i] || of_class[j]) continue;
      const double above = values(static_cast<Index>(i)), below = values(static_cast<Index>(j));
      ordered += above > below ? 1 : (above == below ? 0.5 : 0);
      ++pairs;
    }
  return ordered / pairs;
}

/// The distance of accuracy and confidence in each bin (b / bins, (b + 1) / bins], weighted by its rows.
double calibration_by_bins(const VectorView& confidence, const std::vector<bool>& right, int bins) {
  struct Bin {
    double rows = 0, right = 0, confidence = 0;
  };
  std::map<int, Bin> all;
  for (Index i = 0; i < confidence.size(); ++i) {
    int b = 0;
    while (confidence(i) > (b + 1.0) / bins) ++b;
    all[b].rows += 1;
    all[b].right += right[static_cast<std::size_t>(i)] ? 1 : 0;
    all[b].confidence += confidence(i);
  }
  double error = 0;
  for (const auto& [b, bin] : all)
    error += bin.rows / static_cast<double>(confidence.size()) *
             std::abs(bin.right / bin.rows - bin.confidence / bin.rows);
  return error;
}

TEST(AreaUnderCurve, CountsPairsAndTiesAsOneHalf) {
  EXPECT_EQ(area_under_curve(Vector{{0.1, 0.4, 0.35, 0.8}}, {false, false, true, true}), 0.75);
  EXPECT_EQ(area_under_curve(Vector{{0.3, 0.3, 0.3}}, {true, false, true}), 0.5);
  const Vector few_values = (2 * numbers(60, 1)).array().round();
  const Vector chance = numbers(60, 1, 2);
  std::vector<bool> of_class;
  for (Index i = 0; i < 60; ++i) of_class.push_back(chance(i) + 0.3 * few_values(i) > 0);
  EXPECT_NEAR(area_under_curve(few_values, of_class), area_by_pairs(few_values, of_class), two_routes);
  EXPECT_NEAR(area_under_curve(chance, of_class), area_by_pairs(chance, of_class), two_routes);
}

TEST(AreaUnderCurve, IsNotANumberWhereThereAreNoPairs) {
  EXPECT_TRUE(std::isnan(area_under_curve(Vector{{0.1, 0.4}}, {true, true})));
  EXPECT_TRUE(std::isnan(area_under_curve(Vector{{0.1, 0.4}}, {false, false})));
}

// Bins (0.6, 0.8] and (0.8, 1]: |1 of 3 right - the sum of their probabilities|, and |2 of 2 - theirs|.
TEST(ExpectedCalibrationError, IsTheDistanceOfAccuracyAndConfidenceByBins) {
  const double error =
      expected_calibration_error(Vector{{0.65, 0.75, 0.8, 0.9, 1}}, {true, false, false, true, true}, 5);
  EXPECT_NEAR(error, (std::abs(1 - 2.2) + std::abs(2 - 1.9)) / 5, two_routes);
}

TEST(ExpectedCalibrationError, HasFifteenBins) {
  const Vector confidence = (numbers(80, 1).array().abs() / 4).min(1);
  const Vector chance = numbers(80, 1, 2);
  std::vector<bool> right;
  for (const double each : chance) right.push_back(each > -0.5);
  EXPECT_NEAR(expected_calibration_error(confidence, right), calibration_by_bins(confidence, right, 15),
              two_routes);
}

/// A fit of few functions to 24 rows of one input.
FittedModel few_functions(const std::string& likelihood, std::vector<std::string> classes, Vector y) {
  FitSettings settings;
  ModelSettings& model = settings.regression.model;
  model.likelihood = likelihood;
  model.kernel = "se(amplitude=1.5, lengthscale=0.8)";
  model.units = 20;
  model.nodes = "grid";
  model.points = 12;
  model.sigma_w = 3;
  model.sigma_b = 6;
  model.ridge = 1e-4;
  settings.latent = {.draws = 30, .proposals = 60, .by = LatentDrawOptions::By::weights};
  const Vector x = Vector::LinSpaced(y.size(), -2, 2);
  return fit({.inputs = {"x"},
              .outputs = {"y"},
              .X = x,
              .Y = std::move(y),
              .encoding = {.inputs = {{.name = "x"}},
                           .outputs = {{.column = "y", .levels = std::move(classes)}}}},
             settings)
      .model;
}

/// Classes 0 .. K - 1 of rows, in an order that depends on x, but not strongly.
Vector mixed_classes(Index rows, Index K, std::uint64_t seed) {
  const Eigen::ArrayXd place =
      Vector::LinSpaced(rows, 0, 1).array() + 0.4 * numbers(rows, 1, seed).col(0).array();
  return (place * static_cast<double>(K)).floor().max(0).min(static_cast<double>(K - 1));
}

FittedModel fit_of_classes(Index K) {
  const std::vector<std::string> names{"ash", "birch", "cedar"};
  return few_functions(K == 2 ? "bernoulli" : "categorical", {names.begin(), names.begin() + K},
                       mixed_classes(24, K, 1));
}

/// Mean probabilities of all K classes, written out.
Matrix probabilities_of(const FittedModel& model, const Matrix& X, Index K) {
  const Matrix F = model.latent_functions(X);
  const Index M = X.rows();
  Matrix P = Matrix::Zero(M, K);
  for (Index s = 0; s < F.rows(); ++s)
    for (Index i = 0; i < M; ++i) {
      Vector weights = Vector::Ones(K);
      if (K == 2) weights(1) = std::exp(F(s, i));
      for (Index k = 0; K > 2 && k < K; ++k) weights(k) = std::exp(F(s, k * M + i));
      P.row(i) += weights / weights.sum() / static_cast<double>(F.rows());
    }
  return P;
}

std::vector<bool> rows_of(double place, const Vector& y) {
  std::vector<bool> of_class;
  for (const double each : y) of_class.push_back(each == place);
  return of_class;
}

const Matrix new_places = Vector::LinSpaced(40, -2.2, 2.1);

class LatentScoreOfClasses : public ::testing::TestWithParam<Index> {};

TEST_P(LatentScoreOfClasses, IsThatOfTheirProbabilitiesWrittenOut) {
  const Index K = GetParam(), M = new_places.rows();
  const FittedModel model = fit_of_classes(K);
  const Vector y = mixed_classes(M, K, 2);
  LatentScoring scoring(model);
  scoring.add(new_places, y);
  const LatentScore score = scoring.score();

  const Matrix P = probabilities_of(model, new_places, K);
  double log_loss = 0, brier = 0, area = 0;
  Vector confidence(M);
  std::vector<bool> right;
  for (Index i = 0; i < M; ++i) {
    const auto observed = static_cast<Index>(y(i));
    log_loss -= std::log(P(i, observed)) / static_cast<double>(M);
    for (Index k = 0; k < K; ++k)
      brier += std::pow(P(i, k) - (k == observed ? 1 : 0), 2) / static_cast<double>(K == 2 ? 2 * M : M);
    Index likeliest = 0;
    for (Index k = 1; k < K; ++k)
      if (P(i, k) > P(i, likeliest)) likeliest = k;
    confidence(i) = P(i, likeliest);
    right.push_back(likeliest == observed);
  }
  for (Index k = 0; k < K; ++k)
    area += area_by_pairs(P.col(k), rows_of(static_cast<double>(k), y)) / static_cast<double>(K);
  EXPECT_EQ(score.rows, M);
  EXPECT_NEAR(score.log_loss, log_loss, two_routes);
  EXPECT_NEAR(score.brier, brier, two_routes);
  EXPECT_EQ(score.accuracy, static_cast<double>(std::ranges::count(right, true)) / static_cast<double>(M));
  EXPECT_NEAR(score.auc, area, two_routes);
  EXPECT_NEAR(score.ece, calibration_by_bins(confidence, right, 15), two_routes);
}

TEST_P(LatentScoreOfClasses, OfBlocksOfRowsIsThatOfAll) {
  const Index K = GetParam();
  const FittedModel model = fit_of_classes(K);
  const Vector y = mixed_classes(new_places.rows(), K, 2);
  LatentScoring whole(model), blocks(model);
  whole.add(new_places, y);
  for (Index first = 0; first < y.size(); first += 13) {
    const Index rows = std::min<Index>(13, y.size() - first);
    blocks.add(new_places.middleRows(first, rows), y.segment(first, rows));
  }
  EXPECT_EQ(blocks.score().rows, whole.score().rows);
  EXPECT_NEAR(blocks.score().log_loss, whole.score().log_loss, two_routes);
  EXPECT_NEAR(blocks.score().brier, whole.score().brier, two_routes);
  EXPECT_NEAR(blocks.score().auc, whole.score().auc, two_routes);
  EXPECT_NEAR(blocks.score().ece, whole.score().ece, two_routes);
}

INSTANTIATE_TEST_SUITE_P(TwoAndThree, LatentScoreOfClasses, ::testing::Values(2, 3));

TEST(LatentScore, LeavesClassesThatWereNotObservedOutOfTheArea) {
  const FittedModel model = fit_of_classes(3);
  const Vector y = 2 * mixed_classes(new_places.rows(), 2, 2);
  LatentScoring scoring(model);
  scoring.add(new_places, y);
  const Matrix P = probabilities_of(model, new_places, 3);
  EXPECT_NEAR(scoring.score().auc,
              (area_by_pairs(P.col(0), rows_of(0, y)) + area_by_pairs(P.col(2), rows_of(2, y))) / 2,
              two_routes);
}

TEST(LatentScore, OfNoRowsIsRefused) {
  const FittedModel model = fit_of_classes(2);
  EXPECT_EQ(complaint_of([&] { LatentScoring(model).score(); }), "rows: must be at least 1, got 0");
}

TEST(LatentScore, OfCountsHasPoissonsDevianceFromMeansThatGrowWithExposure) {
  const FittedModel model = few_functions("poisson", {}, (numbers(24, 1).col(0).array() + 1).exp().floor());
  const Index M = new_places.rows();
  const Vector y = (numbers(M, 1, 3).col(0).array() + 0.5).exp().floor();
  const Vector exposure = (0.5 * numbers(M, 1, 4).col(0)).array().exp();
  ASSERT_EQ(y.minCoeff(), 0);
  Matrix Y(M, 2);
  Y << y, exposure;
  LatentScoring scoring(model, Vector{{0.8}});
  scoring.add(new_places, Y);
  const LatentScore score = scoring.score();

  const Matrix F = model.latent_functions(new_places);
  double deviance = 0, squares = 0, absolutes = 0, log_density = 0;
  for (Index i = 0; i < M; ++i) {
    double mean = 0, density = 0;
    for (const double f : F.col(i)) {
      const double rate = exposure(i) * std::exp(f);
      mean += rate / static_cast<double>(F.rows());
      density +=
          std::exp(y(i) * std::log(rate) - rate - std::lgamma(y(i) + 1)) / static_cast<double>(F.rows());
    }
    deviance += 2 * (mean - y(i)) + (y(i) > 0 ? 2 * y(i) * std::log(y(i) / mean) : 0);
    squares += (y(i) - mean) * (y(i) - mean);
    absolutes += std::abs(y(i) - mean);
    log_density += std::log(density);
  }
  const auto rows = static_cast<double>(M);
  EXPECT_NEAR(score.deviance, deviance / rows, two_routes);
  EXPECT_NEAR(score.rmse, std::sqrt(squares / rows), two_routes);
  EXPECT_NEAR(score.mae, absolutes / rows, two_routes);
  EXPECT_NEAR(score.r2, 1 - squares / (y.array() - y.mean()).square().sum(), two_routes);
  EXPECT_NEAR(score.log_density, log_density / rows, two_routes);
  const Matrix exposed = F.rowwise() + exposure.array().log().matrix().transpose();
  EXPECT_NEAR(score.crps, response_crps(exposed, *model.likelihood(), y).mean(), two_routes);

  RegressionTable table{.inputs = {"x"}, .outputs = {"y", "exposure"}, .X = new_places, .Y = Y};
  table.Y.col(1) = exposure.array().log();
  EXPECT_NEAR(latent_score_at(model, table).deviance, score.deviance, two_routes);
  const LatentScore whole = latent_score_at(model, table);
  for (const Index block : {Index{1}, Index{2}, M - 1}) {
    const LatentScore cut = latent_score_at(model, table, block);
    EXPECT_EQ(cut.rows, M);
    EXPECT_EQ(cut.coverage, whole.coverage) << block;
    for (const auto member : {&LatentScore::deviance, &LatentScore::rmse, &LatentScore::mae, &LatentScore::r2,
                              &LatentScore::log_density, &LatentScore::crps})
      EXPECT_NEAR(cut.*member, whole.*member, two_routes) << block;
  }
}

TEST(LatentScore, OfNegativeBinomialCountsHasTheirOwnDeviance) {
  const double k = 1.5;
  const FittedModel model =
      few_functions("negative-binomial(shape=1.5)", {}, (numbers(24, 1).col(0).array() + 1).exp().floor());
  const Index M = new_places.rows();
  const Vector y = (numbers(M, 1, 3).col(0).array() + 0.5).exp().floor();
  ASSERT_EQ(y.minCoeff(), 0);
  LatentScoring scoring(model, Vector{{0.8}});
  scoring.add(new_places, y);
  const Matrix F = model.latent_functions(new_places);
  double deviance = 0;
  for (Index i = 0; i < M; ++i) {
    const double mean = F.col(i).array().exp().mean();
    const double of_count = y(i) > 0 ? y(i) * std::log(y(i) / mean) : 0;
    deviance += 2 * (of_count - (y(i) + k) * std::log((y(i) + k) / (mean + k)));
  }
  EXPECT_NEAR(scoring.score().deviance, deviance / static_cast<double>(M), two_routes);
  EXPECT_EQ(scoring.score().likelihood, "negative-binomial");
}

TEST(LatentScore, OfRealResponsesHasCoverageAndWidthOfTheirIntervals) {
  const FittedModel model = few_functions("student(scale=0.5, degrees=4)", {}, numbers(24, 1));
  const Vector y = 1.5 * numbers(new_places.rows(), 1, 3);
  const Vector levels{{0.5, 0.9}};
  LatentScoring scoring(model, levels);
  scoring.add(new_places, y);
  const LatentScore score = scoring.score();
  const Matrix F = model.latent_functions(new_places);
  EXPECT_NEAR(score.crps, response_crps(F, *model.likelihood(), y).mean(), two_routes);
  for (Index l = 0; l < 2; ++l) {
    const PredictiveSummary summary = model.predict(new_places, {.noise = true, .level = levels(l)});
    double inside = 0, width = 0;
    for (Index i = 0; i < y.size(); ++i) {
      inside += y(i) >= summary.lower(i) && y(i) <= summary.upper(i) ? 1 : 0;
      width += summary.upper(i) - summary.lower(i);
    }
    EXPECT_GT(inside, 0);
    EXPECT_LT(inside, y.size());
    EXPECT_EQ(score.coverage(l), inside / static_cast<double>(y.size()));
    EXPECT_NEAR(score.width(l), width / static_cast<double>(y.size()), two_routes);
  }
}

}  // namespace
}  // namespace ridgelet
