#include "ridgelet/fitting/response.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

using testing::tolerance::standard_errors;
using testing::tolerance::two_routes;

const Vector central{{0.025, 0.5, 0.975}};

TEST(SummariseResponse, OfOneNormalComponentIsThatComponent) {
  const Matrix mean{{3, -1}}, sd{{2, 0.5}};
  const ResponseSummary summary = summarise_response(mean, sd, ResponseTransform::none, central);
  EXPECT_EQ(summary.mean, mean.transpose());
  EXPECT_EQ(summary.sd, sd.transpose());
  EXPECT_NEAR(summary.quantiles(0, 2), 3 + 2 * 1.959963984540054, two_routes);
  EXPECT_NEAR(summary.quantiles(1, 0), -1 - 0.5 * 1.959963984540054, two_routes);
  EXPECT_NEAR(summary.quantiles(1, 1), -1, two_routes);
}

TEST(SummariseResponse, OfALogarithmHasTheMomentsOfTheLogNormalDistribution) {
  const Matrix mean{{1.5}}, sd{{0.4}};
  const ResponseSummary summary = summarise_response(mean, sd, ResponseTransform::log, central);
  const double m = std::exp(1.5 + 0.08);
  EXPECT_NEAR(summary.mean(0), m, two_routes * m);
  EXPECT_NEAR(summary.sd(0), m * std::sqrt(std::exp(0.16) - 1), two_routes * m);
  EXPECT_NEAR(summary.quantiles(0, 1), std::exp(1.5), two_routes * m);
  EXPECT_NEAR(summary.quantiles(0, 2), std::exp(1.5 + 0.4 * 1.959963984540054), two_routes * m);
}

// A relative spread of 1e-6 is far below what mean(y^2) - mean(y)^2 could resolve beside 1e12.
TEST(SummariseResponse, KeepsTheDigitsOfASmallSpreadOfALargeResponse) {
  const Matrix mean{{std::log(1e12)}}, sd{{1e-6}};
  const ResponseSummary summary = summarise_response(mean, sd, ResponseTransform::log, central);
  EXPECT_NEAR(summary.sd(0), 1e6, 1e-5 * 1e6);
}

TEST(SummariseResponse, OfMixturesAgreesWithDraws) {
  const Index S = 4, draws = 400'000;
  const Vector mean = 0.5 * RandomStream{.seed = 1}.normals(S), sd{{0.1, 0.3, 0.2, 0.5}};
  const Vector normals = RandomStream{.seed = 2}.normals(draws);
  for (const ResponseTransform transform : {ResponseTransform::none, ResponseTransform::log}) {
    Vector y(draws);
    for (Index i = 0; i < draws; ++i)
      y(i) = from_fitted_scale(mean(i % S) + sd(i % S) * normals(i), transform);
    const ResponseSummary summary = summarise_response(mean, sd, transform, central);
    const auto count = static_cast<double>(draws);
    const double spread = summary.sd(0), error = spread / std::sqrt(count);
    EXPECT_NEAR(y.mean(), summary.mean(0), standard_errors * error);
    const Vector squares = (y.array() - summary.mean(0)).square();
    const double of_squares = std::sqrt((squares.array() - squares.mean()).square().mean() / count);
    EXPECT_NEAR(squares.mean(), spread * spread, standard_errors * of_squares);
    for (Index q = 0; q < 3; ++q) {
      const double p = central(q), below = (y.array() <= summary.quantiles(0, q)).cast<double>().mean();
      EXPECT_NEAR(below, p, standard_errors * std::sqrt(p * (1 - p) / count));
    }
  }
}

TEST(FittedScale, IsLeftAgain) {
  for (const ResponseTransform transform : {ResponseTransform::none, ResponseTransform::log})
    for (const double y : {0.01, 1.0, 250.0})
      EXPECT_NEAR(from_fitted_scale(to_fitted_scale(y, transform), transform), y, two_routes * y);
}

}  // namespace
}  // namespace ridgelet
