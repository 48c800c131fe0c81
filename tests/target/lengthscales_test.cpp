#include "ridgelet/target/lengthscales.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ridgelet/core/random.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

Matrix fifty_rows() {
  return RandomStream{.seed = 6}.normals(50, 2);
}

TEST(ShortestLengthscales, AreThoseOfTheFastestTermOnEachInput) {
  const Vector lengths = shortest_lengthscales(
      parse_kernel("se(lengthscale=[2, 3]) + matern32(lengthscale=0.5, active=[2]) + linear()"), 3 - 1);
  EXPECT_EQ(lengths, (Vector{{2, 0.5}}));
}

TEST(ShortestLengthscales, CountAPeriodAsTheLengthOverWhichItTurns) {
  EXPECT_NEAR(shortest_lengthscales(parse_kernel("periodic(period=3, lengthscale=0.5)"), 1)(0),
              0.5 * 3 / (2 * std::numbers::pi), 1e-15);
  EXPECT_NEAR(shortest_lengthscales(parse_kernel("cosine(period=3)"), 1)(0), 3 / (2 * std::numbers::pi),
              1e-15);
}

TEST(ShortestLengthscales, OfAPeriodicTermAreThoseOfACosineHoweverLongItsLengthscale) {
  const double turn = 3 / (2 * std::numbers::pi);
  for (const char* lengthscale : {"1", "14", "900"}) {
    const Kernel kernel =
        parse_kernel(std::string("periodic(period=3, active=[1], lengthscale=") + lengthscale + ")");
    EXPECT_NEAR(shortest_lengthscales(kernel, 1)(0), turn, 1e-15);
    EXPECT_NEAR(turning_lengths(kernel, fifty_rows().leftCols(1), Vector{{6}})(0), turn, 1e-3);
  }
}

TEST(ShortestLengthscales, AreInfiniteWhereNothingVaries) {
  EXPECT_TRUE(std::isinf(shortest_lengthscales(parse_kernel("linear()"), 1)(0)));
}

TEST(TurningLengths, AreLengthscalesAndWhatStandsForThem) {
  const Matrix points = fifty_rows();
  const Vector widths{{6, 8}};
  const auto lengths = [&](const char* kernel) {
    return turning_lengths(parse_kernel(kernel), points, widths);
  };
  EXPECT_LT((lengths("se(amplitude=7, lengthscale=[1.5, 200])") - Vector{{1.5, 200}}).norm(), 1e-3);
  EXPECT_NEAR(lengths("cosine(period=3, active=[1])")(0), 3 / (2 * std::numbers::pi), 1e-4);
  EXPECT_NEAR(lengths("periodic(period=3, lengthscale=0.5, active=[2])")(1), 1.5 / (2 * std::numbers::pi),
              1e-3);
  EXPECT_NEAR(lengths("linear()")(0), std::sqrt(points.rowwise().squaredNorm().mean()), 1e-6);
  EXPECT_NEAR(lengths("outer(2*sin(5*x2))")(1),
              0.2 * (5 * points.col(1)).array().sin().matrix().norm() /
                  (5 * points.col(1)).array().cos().matrix().norm(),
              0.01);
}

TEST(TurningLengths, AreThoseOfTheFastestTermAndInfiniteAlongAnInputThatNoTermSees) {
  const Vector lengths = turning_lengths(
      parse_kernel(
          "se(amplitude=9, lengthscale=4, active=[1]) + se(amplitude=0.1, lengthscale=2, active=[1])"),
      fifty_rows(), Vector{{6, 8}});
  EXPECT_NEAR(lengths(0), 2, 1e-3);
  EXPECT_TRUE(std::isinf(lengths(1)));
}

TEST(TurningLengths, AreNoLongerThanTheWidthWhereALineIsFarFromItsOrigin) {
  const Matrix years = Vector::LinSpaced(40, 1950, 1960);
  EXPECT_EQ(turning_lengths(parse_kernel("linear()"), years, Vector{{10}})(0), 10);
}

TEST(TurningLengths, AreTheWidthWhereAFunctionEndsAtTheEdge) {
  const Matrix points = Vector::LinSpaced(11, 0, 1);
  EXPECT_EQ(turning_lengths(parse_kernel("outer(sqrt(1-x))"), points, Vector{{1}})(0), 1);
}

}  // namespace
}  // namespace ridgelet
