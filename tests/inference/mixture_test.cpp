#include "ridgelet/inference/mixture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

double standard_cdf(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

const Vector means{{0.3, -0.4, 0.9}}, sds{{0.2, 0.5, 0.1}};

TEST(MixtureLogDensity, IsThatOfTheDerivativeOfTheDistributionFunction) {
  const double step = 1e-5;
  for (const double x : {-0.5, 0.3, 0.8})
    EXPECT_NEAR((mixture_cdf(means, sds, x + step) - mixture_cdf(means, sds, x - step)) / (2 * step),
                std::exp(mixture_log_density(means, sds, x)), 1e-6);
}

TEST(MixtureLogDensity, IsRightWhereTheDensityIsTooSmallForADouble) {
  const double far = 100, log_two_pi = std::log(2 * std::numbers::pi);
  EXPECT_NEAR(mixture_log_density(Vector::Zero(1), Vector::Ones(1), far), -0.5 * (far * far + log_two_pi),
              1e-9);
  // The widest component is all that is left.
  EXPECT_NEAR(mixture_log_density(means, sds, far),
              -0.5 * std::pow((far + 0.4) / 0.5, 2) - std::log(3 * 0.5) - 0.5 * log_two_pi, 1e-9);
}

TEST(MixtureCdf, CountsPointsUpToAndIncludingTheirPlace) {
  const Vector places{{1, 2}}, none = Vector::Zero(2);
  EXPECT_EQ(mixture_cdf(places, none, 0.5), 0);
  EXPECT_EQ(mixture_cdf(places, none, 1), 0.5);
  EXPECT_EQ(mixture_cdf(places, none, 2), 1);
}

TEST(MixtureQuantile, OfOneComponentIsTheNormalQuantile) {
  const Vector mean = Vector::Constant(1, -2), sd = Vector::Constant(1, 3);
  EXPECT_NEAR(mixture_quantile(mean, sd, 0.975), -2 + 3 * 1.959963984540054, 1e-8);
  EXPECT_NEAR(mixture_quantile(mean, sd, 0.05), -2 - 3 * 1.644853626951473, 1e-8);
  EXPECT_NEAR(mixture_quantile(mean, sd, 0.5), -2, 1e-8);
}

// Far apart, a quarter of three components' mass is three quarters of the first one's.
TEST(MixtureQuantile, OfSeparateComponentsLiesInTheRightOne) {
  const Vector mean{{-100, 0, 1000}}, sd{{1, 2, 5}};
  const double three_quarters = 0.674489750196082;
  EXPECT_NEAR(mixture_quantile(mean, sd, 0.25), -100 + 1 * three_quarters, 1e-6);
  EXPECT_NEAR(mixture_quantile(mean, sd, 0.5), 0, 1e-6);
  EXPECT_NEAR(mixture_quantile(mean, sd, 0.75), 1000 - 5 * three_quarters, 1e-6);
}

TEST(MixtureQuantile, InvertsTheDistributionFunction) {
  const Vector mean = RandomStream{.seed = 1}.normals(9),
               sd = RandomStream{.seed = 2}.normals(9).array().exp();
  for (const double p : {0.001, 0.025, 0.3, 0.5, 0.9, 0.999}) {
    const double x = mixture_quantile(mean, sd, p);
    double sum = 0;
    for (Index s = 0; s < 9; ++s) sum += standard_cdf((x - mean(s)) / sd(s));
    EXPECT_NEAR(sum / 9, p, 1e-8);
  }
}

// Values of 1e6 with an sd of 1e-2, of 1e4 with 1e-12, and of 1e300 with 1: the bracket is a few last digits wide.
TEST(MixtureQuantile, EndsWhereTheSpreadIsSmallBesideTheValues) {
  for (const auto& [centre, spread] : {std::pair{1e6, 1e-2}, {1e4, 1e-12}, {1e300, 1.0}, {-1e15, 1e-3}}) {
    const Vector mean = centre + spread * RandomStream{.seed = 1}.normals(5).array();
    const Vector sd = Vector::Constant(5, spread);
    const double lower = mixture_quantile(mean, sd, 0.025), upper = mixture_quantile(mean, sd, 0.975);
    EXPECT_LE(lower, upper);
    EXPECT_NEAR(lower, centre, 8 * spread + 1e-15 * std::abs(centre));
    EXPECT_NEAR(upper, centre, 8 * spread + 1e-15 * std::abs(centre));
  }
  const Vector mean = Vector::Constant(3, 1e6), sd = Vector::Constant(3, 1e-2);
  EXPECT_NEAR(mixture_quantile(mean, sd, 0.975), 1e6 + 1e-2 * 1.959963984540054, 1e-9);
}

TEST(MixtureQuantile, OfPointsIsOneOfThem) {
  const Vector mean{{3, -1, 1e6, 2}}, none = Vector::Zero(4);
  EXPECT_NEAR(mixture_quantile(mean, none, 0.1), -1, 1e-8);
  EXPECT_NEAR(mixture_quantile(mean, none, 0.4), 2, 1e-8);
  EXPECT_NEAR(mixture_quantile(mean, none, 0.9), 1e6, 1e-8);
  EXPECT_EQ(mixture_quantile(Vector::Constant(2, 1e4), Vector::Zero(2), 0.975), 1e4);
}

TEST(MixtureQuantile, OfComponentsThatAreNotFiniteIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(mixture_quantile(Vector{{0, nan}}, Vector::Ones(2), 0.5)));
  EXPECT_TRUE(std::isnan(mixture_quantile(Vector{{0, 1}}, Vector{{1, infinity}}, 0.5)));
}

// Half of the mass is at 5, the other half standard normal.
TEST(MixtureQuantile, TakesAPointBesideANormal) {
  const Vector mean{{0, 5}}, sd{{1, 0}};
  EXPECT_NEAR(mixture_quantile(mean, sd, 0.25), 0, 1e-10);
  EXPECT_NEAR(mixture_quantile(mean, sd, 0.75), 5, 1e-10);
}

TEST(MixtureCovariance, IsTheAverageOfCovariancesPlusThatOfTheMeans) {
  MixtureCovariance mixture(4);
  Matrix each_mean(4, 3), own = Matrix::Zero(4, 4);
  for (std::uint64_t s = 0; s < 3; ++s) {
    const Vector mean = 100 + RandomStream{.seed = s}.normals(4).array();
    const Matrix root = RandomStream{.seed = 10 + s}.normals(4, 2);
    each_mean.col(static_cast<Index>(s)) = mean;
    own += root * root.transpose() / 3;
    mixture.add(mean, root);
  }
  const Matrix centred = each_mean.colwise() - each_mean.rowwise().mean();
  const Matrix expected = own + centred * centred.transpose() / 3;
  EXPECT_LT((std::move(mixture).take() - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(MixtureCovariance, IsRefusedWhereItDoesNotFitIntoMemory) {
  EXPECT_THROW(MixtureCovariance(100'000'000), std::invalid_argument);
}

}  // namespace
}  // namespace ridgelet
