#include "ridgelet/fitting/score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/fitting/response.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::tolerance::standard_errors;
using testing::tolerance::two_routes;

/// Midpoint rule on so fine a grid that its error is below 1e-6 here.
double integral(double low, double high, const std::function<double(double)>& f) {
  constexpr int pieces = 400'000;
  const double step = (high - low) / pieces;
  double sum = 0;
  for (int i = 0; i < pieces; ++i) sum += f(low + (i + 0.5) * step);
  return sum * step;
}

const Vector means{{0.3, -0.4, 0.9}}, sds{{0.2, 0.5, 0.1}};

TEST(MixtureCrps, OfOneNormalDistributionIsItsKnownFormula) {
  const double mean = 1.2, sd = 0.7, y = 2.1, z = (y - mean) / sd;
  const double cdf = 0.5 * std::erfc(-z / std::numbers::sqrt2), pi = std::numbers::pi;
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * pi);
  EXPECT_NEAR(mixture_crps(Vector::Constant(1, mean), Vector::Constant(1, sd), ResponseTransform::none, y),
              sd * (z * (2 * cdf - 1) + 2 * density - 1 / std::sqrt(pi)), two_routes);
}

TEST(MixtureCrps, IsTheIntegralOfTheSquaredDistanceOfDistributionFunctions) {
  for (const double y : {-1.0, 0.25, 0.9, 2.0}) {
    const double by_integral = integral(-5, 5, [&](double x) {
      const double distance = mixture_cdf(means, sds, x) - (x >= y ? 1 : 0);
      return distance * distance;
    });
    EXPECT_NEAR(mixture_crps(means, sds, ResponseTransform::none, y), by_integral, 1e-4);
  }
}

TEST(MixtureCrps, OfALogarithmIsTheSameIntegralOverTheResponse) {
  for (const double y : {0.2, 1.0, 2.5}) {
    const double by_integral = integral(1e-9, 20, [&](double x) {
      const double distance = mixture_cdf(means, sds, std::log(x)) - (x >= y ? 1 : 0);
      return distance * distance;
    });
    EXPECT_NEAR(mixture_crps(means, sds, ResponseTransform::log, y), by_integral, 1e-4);
  }
}

TEST(MixtureCrps, AgreesWithDraws) {
  const Index draws = 300'000;
  const Vector one = RandomStream{.seed = 3}.normals(draws), two = RandomStream{.seed = 4}.normals(draws);
  for (const ResponseTransform transform : {ResponseTransform::none, ResponseTransform::log}) {
    const double y = 1.1;
    Vector terms(draws);
    for (Index i = 0; i < draws; ++i) {
      const Index s = i % 3, t = (i / 3) % 3;
      const double a = from_fitted_scale(means(s) + sds(s) * one(i), transform);
      const double b = from_fitted_scale(means(t) + sds(t) * two(i), transform);
      terms(i) = std::abs(a - y) - 0.5 * std::abs(a - b);
    }
    const double error =
        std::sqrt((terms.array() - terms.mean()).square().mean() / static_cast<double>(draws));
    EXPECT_NEAR(mixture_crps(means, sds, transform, y), terms.mean(), standard_errors * error);
  }
}

TEST(MixtureCrps, OfAPointIsTheAbsoluteError) {
  const Vector point = Vector::Constant(1, 0.5), none = Vector::Zero(1);
  EXPECT_DOUBLE_EQ(mixture_crps(point, none, ResponseTransform::none, 2), 1.5);
  EXPECT_DOUBLE_EQ(mixture_crps(point, none, ResponseTransform::log, 2), 2 - std::exp(0.5));
}

TEST(Scoring, OfOneRowIsItsFormulas) {
  Scoring scoring;
  scoring.add(Matrix{{1}}, Matrix{{2}}, Vector{{4}});
  const Score score = scoring.score();
  EXPECT_EQ(score.rows, 1);
  EXPECT_DOUBLE_EQ(score.rmse, 3);
  EXPECT_DOUBLE_EQ(score.mae, 3);
  EXPECT_TRUE(std::isnan(score.r2));
  EXPECT_NEAR(score.log_density, -0.5 * 2.25 - std::log(2) - 0.5 * std::log(2 * std::numbers::pi),
              two_routes);
  EXPECT_EQ(score.coverage, (Vector{{0, 0, 1}}));
  EXPECT_NEAR(score.width(2), 2 * 2 * 1.959963984540054, 1e-7);
  EXPECT_NEAR(score.width(0), 2 * 2 * 0.674489750196082, 1e-7);
}

TEST(Scoring, OfALogarithmIsInUnitsOfTheResponse) {
  Scoring scoring({.transform = ResponseTransform::log});
  scoring.add(Matrix{{0.5}}, Matrix{{0.3}}, Vector{{2}});
  const Score score = scoring.score();
  EXPECT_NEAR(score.mae, 2 - std::exp(0.545), two_routes);
  EXPECT_NEAR(
      score.log_density,
      mixture_log_density(Vector::Constant(1, 0.5), Vector::Constant(1, 0.3), std::log(2)) - std::log(2),
      two_routes);
  EXPECT_NEAR(score.width(2),
              std::exp(0.5 + 0.3 * 1.959963984540054) - std::exp(0.5 - 0.3 * 1.959963984540054), 1e-7);
  // exp(log density) is a density over y.
  const double mass = integral(1e-9, 20, [&](double y) {
    return std::exp(mixture_log_density(Vector::Constant(1, 0.5), Vector::Constant(1, 0.3), std::log(y))) / y;
  });
  EXPECT_NEAR(mass, 1, 1e-6);
}

/// Predictions of M rows with S components, and observations drawn from them.
struct Case {
  Matrix means, sds;
  Vector y;
  Case(Index S, Index M) : means(S, M), sds(S, M), y(M) {
    means = RandomStream{.seed = 5}.normals(S * M).reshaped(S, M);
    means.rowwise() += 3 * RandomStream{.seed = 6}.normals(M).transpose();
    sds = (0.3 * RandomStream{.seed = 7}.normals(S * M)).array().exp().reshaped(S, M);
    const Vector z = RandomStream{.seed = 8}.normals(M);
    for (Index i = 0; i < M; ++i) y(i) = means(i % S, i) + sds(i % S, i) * z(i);
  }
};

TEST(Scoring, OfTrueDistributionsCoversWhatItSaysAndHasTheExpectedDensity) {
  const Index M = 20'000;
  const Case truth(3, M);
  Scoring scoring;
  scoring.add(truth.means, truth.sds, truth.y);
  const Score score = scoring.score();
  for (Index l = 0; l < 3; ++l) {
    const double p = score.levels(l);
    EXPECT_NEAR(score.coverage(l), p, standard_errors * std::sqrt(p * (1 - p) / static_cast<double>(M)));
  }
  const double spread = (truth.y.array() - truth.y.mean()).square().sum();
  EXPECT_NEAR(score.r2, 1 - score.rmse * score.rmse * static_cast<double>(M) / spread, two_routes);
  // A mixture that is too wide by half scores worse by both proper scores.
  Scoring wide;
  wide.add(truth.means, 1.5 * truth.sds, truth.y);
  EXPECT_GT(score.log_density, wide.score().log_density);
  EXPECT_LT(score.crps, wide.score().crps);
}

TEST(Scoring, DependsNeitherOnBlocksNorOnThreads) {
  const Case data(3, 101);
  const auto scored = [&](Index block, int threads) {
    const ThreadScope scope(threads);
    Scoring scoring;
    for (Index first = 0; first < data.y.size(); first += block) {
      const Index rows = std::min(block, data.y.size() - first);
      scoring.add(data.means.middleCols(first, rows), data.sds.middleCols(first, rows),
                  data.y.segment(first, rows));
    }
    return scoring.score();
  };
  const Score whole = scored(101, 1);
  for (const auto& [block, threads] : {std::pair<Index, int>{1, 1}, {7, 2}, {64, 2}, {101, 2}}) {
    const Score other = scored(block, threads);
    EXPECT_EQ(other.rmse, whole.rmse);
    EXPECT_EQ(other.r2, whole.r2);
    EXPECT_EQ(other.log_density, whole.log_density);
    EXPECT_EQ(other.crps, whole.crps);
    EXPECT_EQ(other.width, whole.width);
  }
}

TEST(Scoring, ThinsComponentsForTheCrpsOnly) {
  const Case data(400, 30);
  Scoring all({.most_components = 400}), thin({.most_components = 50});
  for (Scoring* scoring : {&all, &thin}) scoring->add(data.means, data.sds, data.y);
  EXPECT_EQ(all.score().log_density, thin.score().log_density);
  EXPECT_NE(all.score().crps, thin.score().crps);
  EXPECT_NEAR(all.score().crps, thin.score().crps, 0.02 * all.score().crps);
}

TEST(Scoring, RefusesLevelsThatAreNone) {
  EXPECT_NE(complaint_of([] { Scoring({.levels = Vector{{0.5, 1}}}); }), "");
  EXPECT_EQ(complaint_of([] { Scoring().score(); }), "rows: must be at least 1, got 0");
}

}  // namespace
}  // namespace ridgelet
