#include "ridgelet/transform/hidden_layer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/sobol.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(HiddenDistribution, DrawsTheSameLayerForTheSameSeedAndReplicate) {
  const HiddenDistribution distribution;
  const HiddenLayer one = distribution.draw(20, 3, 5, 2), again = distribution.draw(20, 3, 5, 2);
  EXPECT_EQ(one.W, again.W);
  EXPECT_EQ(one.b, again.b);
  EXPECT_NE(one.W, distribution.draw(20, 3, 6, 2).W);
  EXPECT_NE(one.W, distribution.draw(20, 3, 5, 3).W);
  EXPECT_NE(one.b, distribution.draw(20, 3, 6, 2).b);
  EXPECT_NE(one.b, distribution.draw(20, 3, 5, 3).b);
}

TEST(HiddenDistribution, KeepsTheFirstUnitsWhenMoreAreDrawn) {
  for (const Density density : {Density::gaussian, Density::logistic}) {
    const HiddenDistribution distribution{.density = density};
    const HiddenLayer few = distribution.draw(17, 3, 1), many = distribution.draw(300, 3, 1);
    EXPECT_EQ(few.W, many.W.topRows(17));
    EXPECT_EQ(few.b, many.b.head(17));
  }
}

TEST(HiddenDistribution, HasTheVariancesOfItsBandwidths) {
  const Index units = 50'000;
  for (const Density density : {Density::gaussian, Density::logistic}) {
    const HiddenDistribution distribution{.sigma_w = 3, .sigma_b = 12, .density = density};
    const HiddenLayer layer = distribution.draw(units, 2, 8);
    // Variance and excess kurtosis of the standard density: 1 and 0, or pi^2/3 and 1.2.
    const bool normal = density == Density::gaussian;
    const double unit = normal ? 1 : std::numbers::pi * std::numbers::pi / 3, excess = normal ? 0 : 1.2;
    const auto expect_moments = [&](const Eigen::ArrayXd& values, double variance) {
      const double n = static_cast<double>(values.size());
      EXPECT_NEAR(values.mean(), 0, testing::tolerance::standard_errors * std::sqrt(variance / n));
      EXPECT_NEAR(values.square().mean(), variance,
                  testing::tolerance::standard_errors * variance * std::sqrt((2 + excess) / n));
    };
    expect_moments(layer.W.col(0), 9 * unit);
    expect_moments(layer.W.col(1), 9 * unit);
    expect_moments(layer.b, 144 * unit);
  }
}

TEST(HiddenDistribution, DrawsIndependentEntries) {
  const Index units = 50'000;
  const HiddenLayer layer = HiddenDistribution{.sigma_w = 1, .sigma_b = 1}.draw(units, 2, 4);
  const HiddenLayer other = HiddenDistribution{.sigma_w = 1, .sigma_b = 1}.draw(units, 2, 4, 1);
  // The mean product of two independent standard normals has the standard error n^{-1/2}.
  const double allowed = testing::tolerance::standard_errors / std::sqrt(static_cast<double>(units));
  const auto correlation = [](const Eigen::ArrayXd& x, const Eigen::ArrayXd& y) { return (x * y).mean(); };
  EXPECT_NEAR(correlation(layer.W.col(0), layer.W.col(1)), 0, allowed);
  EXPECT_NEAR(correlation(layer.W.col(0), layer.b), 0, allowed);
  EXPECT_NEAR(correlation(layer.W.col(1), layer.b), 0, allowed);
  EXPECT_NEAR(correlation(layer.W.col(0), other.W.col(0)), 0, allowed);
  EXPECT_NEAR(correlation(layer.b, other.b), 0, allowed);
}

// Z = (2 pi)^{1/2} sigma_w^d sigma_b for normals.
TEST(HiddenDistribution, OfNormalsHasTheTotalMeasureOfThePaper) {
  const HiddenDistribution distribution{.sigma_w = 3, .sigma_b = 12};
  for (int d = 1; d <= 6; ++d) {
    const double expected = std::sqrt(2 * std::numbers::pi) * std::pow(3.0, d) * 12;
    EXPECT_NEAR(distribution.total_measure(d), expected, 1e-14 * expected * 10);
  }
}

// Z = sigma_w^d sigma_b / ( (2 pi)^{d/2} p(0)^{d+1} ) with the logistic density 1/4 at 0.
TEST(HiddenDistribution, OfLogisticsHasTheTotalMeasureOfItsDensityAtZero) {
  const HiddenDistribution distribution{.sigma_w = 0.7, .sigma_b = 2, .density = Density::logistic};
  for (int d = 1; d <= 6; ++d) {
    const double expected =
        std::pow(0.7, d) * 2 * std::pow(4.0, d + 1) / std::pow(2 * std::numbers::pi, d / 2.0);
    EXPECT_NEAR(distribution.total_measure(d), expected, 1e-13 * expected);
  }
}

TEST(HiddenDistribution, RefusesBandwidthsThatAreNotPositive) {
  EXPECT_EQ(complaint_of([] { validate(HiddenDistribution{.sigma_w = 0}, 1); }),
            "sigma_w: must be positive and finite, got 0");
  EXPECT_EQ(complaint_of([] { validate(HiddenDistribution{.sigma_b = -1}, 1); }),
            "sigma_b: must be positive and finite, got -1");
  EXPECT_EQ(complaint_of([] { validate(HiddenDistribution{.sigma_w = nan}, 1); }),
            "sigma_w: must be positive and finite, got nan");
  EXPECT_EQ(complaint_of([] { validate(HiddenDistribution{}, 3); }), "");
}

TEST(HiddenDistribution, RefusesBandwidthsThatAreNeitherOneNorOneForEachInput) {
  EXPECT_EQ(complaint_of([] {
              validate(HiddenDistribution{.sigma_w = {3, 1, 2}}, 2);
            }),
            "sigma_w: must be one number, or 2, one for each input, got 3,1,2");
  EXPECT_EQ(complaint_of([] { validate(HiddenDistribution{.sigma_w = std::vector<double>{}}, 2); }),
            "sigma_w: must be one number, or 2, one for each input, got none");
  EXPECT_EQ(complaint_of([] {
              validate(HiddenDistribution{.sigma_w = {3, -1}}, 2);
            }),
            "sigma_w: must be positive and finite, got -1");
  EXPECT_EQ(complaint_of([] { validate(HiddenDistribution{.sigma_w = {3, 1}}, 2); }), "");
}

TEST(HiddenDistribution, GivesEachInputItsBandwidth) {
  for (const Density density : {Density::gaussian, Density::logistic}) {
    const HiddenDistribution unit{.sigma_w = 1, .sigma_b = 2, .density = density},
        each{.sigma_w = {3, 0.5}, .sigma_b = 2, .density = density};
    const HiddenLayer one = unit.draw(7, 2, 5), scaled = each.draw(7, 2, 5);
    EXPECT_EQ(scaled.W.col(0), 3 * one.W.col(0));
    EXPECT_EQ(scaled.W.col(1), 0.5 * one.W.col(1));
    EXPECT_EQ(scaled.b, one.b);
    EXPECT_DOUBLE_EQ(each.total_measure(2), 1.5 * unit.total_measure(2));

    const Vector xi = RandomStream{.seed = 3}.normals(21);
    HiddenLayer one_at{.W = Matrix(7, 2), .b = Vector(7)}, scaled_at = one_at;
    unit.at(xi, one_at);
    each.at(xi, scaled_at);
    EXPECT_EQ(scaled_at.W.col(0), 3 * one_at.W.col(0));
    EXPECT_EQ(scaled_at.W.col(1), 0.5 * one_at.W.col(1));
    EXPECT_EQ(scaled_at.b, one_at.b);
  }
}

TEST(HiddenDistribution, DrawsUnitsFromSobolPointsThroughTheQuantileFunction) {
  const Index units = 256;
  const RandomStream scrambling{.seed = 7, .purpose = Purpose::hidden_points, .replicate = 3, .iteration = 2};
  const Matrix u = sobol_points(units, 3, scrambling);
  for (const Density density : {Density::gaussian, Density::logistic}) {
    const HiddenDistribution distribution{
        .sigma_w = {3, 0.5}, .sigma_b = 2, .density = density, .units_from = UnitsFrom::sobol};
    const HiddenLayer layer = distribution.draw(units, 2, 7, 3, 2);
    // The distribution function takes them back.
    const auto cdf = [density](double z) {
      return density == Density::gaussian ? std::erfc(-z / std::numbers::sqrt2) / 2 : 1 / (1 + std::exp(-z));
    };
    EXPECT_LT((Vector(layer.W.col(0) / 3).unaryExpr(cdf) - u.col(0)).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((Vector(layer.W.col(1) / 0.5).unaryExpr(cdf) - u.col(1)).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((Vector(layer.b / 2).unaryExpr(cdf) - u.col(2)).cwiseAbs().maxCoeff(), 1e-14);
  }
}

// With independent units the mean square is off by up to 2 (2/N)^{1/2}, 4 % at this N; with balanced ones it cannot be.
TEST(HiddenDistribution, CoversTheDensityEvenlyWithSobolUnits) {
  const Index units = 4096;
  const HiddenDistribution distribution{.sigma_w = 3, .sigma_b = 12, .units_from = UnitsFrom::sobol};
  for (const std::uint32_t replicate : {0u, 1u, 2u, 3u}) {
    const HiddenLayer layer = distribution.draw(units, 2, 8, replicate);
    const double N = static_cast<double>(units);
    EXPECT_NEAR(layer.W.col(0).squaredNorm() / N, 9, 9 * 0.005);
    EXPECT_NEAR(layer.W.col(1).squaredNorm() / N, 9, 9 * 0.005);
    EXPECT_NEAR(layer.b.squaredNorm() / N, 144, 144 * 0.005);
    EXPECT_NEAR(layer.b.mean(), 0, 12 * 0.002);
    EXPECT_NEAR(layer.W.col(0).dot(layer.b) / N, 0, 36 * 0.002);
  }
}

TEST(HiddenDistribution, ScramblesSobolUnitsAnewForReplicatesPlacesAndSeedsAndKeepsTheFirst) {
  const HiddenDistribution distribution{.units_from = UnitsFrom::sobol};
  const HiddenLayer layer = distribution.draw(100, 2, 1, 1, 1);
  EXPECT_EQ(layer.W.topRows(17), distribution.draw(17, 2, 1, 1, 1).W);
  EXPECT_EQ(layer.b.head(17), distribution.draw(17, 2, 1, 1, 1).b);
  EXPECT_NE(layer.W, distribution.draw(100, 2, 2, 1, 1).W);
  EXPECT_NE(layer.W, distribution.draw(100, 2, 1, 2, 1).W);
  EXPECT_NE(layer.W, distribution.draw(100, 2, 1, 1, 2).W);
}

TEST(UnitsFrom, IsReadByName) {
  EXPECT_EQ(parse_units_from("independent"), UnitsFrom::independent);
  EXPECT_EQ(units_from_name(parse_units_from("sobol")), "sobol");
  EXPECT_EQ(complaint_of([] { parse_units_from("sobel"); }),
            "units_from: must be one of sobol, independent, got 'sobel'; did you mean 'sobol'?");
}

TEST(Density, IsReadByName) {
  EXPECT_EQ(parse_density("gaussian"), Density::gaussian);
  EXPECT_EQ(parse_density("logistic"), Density::logistic);
  EXPECT_EQ(complaint_of([] { parse_density("logistik"); }),
            "density: must be one of gaussian, logistic, got 'logistik'; did you mean 'logistic'?");
}

TEST(HiddenLayer, RefusesWhatIsNoLayer) {
  const auto complaint = [](Matrix W, Vector b) {
    return complaint_of([&] { validate(HiddenLayer{.W = W, .b = b}); });
  };
  EXPECT_EQ(complaint(Matrix::Ones(3, 2), Vector::Ones(3)), "");
  EXPECT_EQ(complaint(Matrix(0, 2), Vector(0)), "W: must have at least one row and one column, got 0 x 2");
  EXPECT_EQ(complaint(Matrix::Ones(3, 2), Vector::Ones(2)), "b: must have 3 rows, got 2");
  EXPECT_EQ(complaint(Matrix::Constant(3, 2, nan), Vector::Ones(3)),
            "W: must be finite, got nan in row 1, column 1");
  EXPECT_EQ(complaint(Matrix::Ones(3, 2), Vector::Constant(3, nan)),
            "b: must be finite, got nan in row 1, column 1");
}

}  // namespace
}  // namespace ridgelet
