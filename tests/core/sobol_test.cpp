#include "ridgelet/core/sobol.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::tolerance::standard_errors;

RandomStream scrambling(std::uint32_t replicate = 0, std::uint64_t seed = 1) {
  return {.seed = seed, .purpose = Purpose::hidden_points, .replicate = replicate};
}

/// How many of the points lie in each of the 2^a x 2^b boxes of the unit square.
std::vector<int> counts(const Eigen::ArrayXd& x, const Eigen::ArrayXd& y, int a, int b) {
  std::vector<int> count(std::size_t{1} << (a + b));
  for (Index i = 0; i < x.size(); ++i) {
    const auto column = static_cast<std::size_t>(std::ldexp(x(i), a));
    const auto row = static_cast<std::size_t>(std::ldexp(y(i), b));
    ++count[(column << b) + row];
  }
  return count;
}

TEST(SobolPoints, HaveOnePointInEveryIntervalAlongEveryAxis) {
  const int m = 10, d = 12;
  for (const std::uint32_t replicate : {0u, 1u, 2u}) {
    const Matrix points = sobol_points(1 << m, d, scrambling(replicate));
    for (int k = 0; k < d; ++k)
      EXPECT_EQ(counts(points.col(k), points.col(k), m, 0), std::vector<int>(1 << m, 1)) << "axis " << k;
  }
}

// The first two dimensions are a (0, m, 2)-net: every box of area 2^-m has one point, whatever its shape.
TEST(SobolPoints, HaveOnePointInEveryElementaryIntervalOfTheFirstTwoAxes) {
  const int m = 8;
  for (const std::uint32_t replicate : {0u, 1u, 2u}) {
    const Matrix points = sobol_points(1 << m, 2, scrambling(replicate));
    for (int a = 0; a <= m; ++a)
      EXPECT_EQ(counts(points.col(0), points.col(1), a, m - a), std::vector<int>(1 << m, 1)) << "2^-" << a;
  }
}

TEST(SobolPoints, LieStrictlyInsideTheUnitCube) {
  const Matrix points = sobol_points(1 << 14, 3, scrambling());
  EXPECT_GT(points.minCoeff(), 0);
  EXPECT_LT(points.maxCoeff(), 1);
}

TEST(SobolPoints, AreTheSameAgainAndStartInTheSameWayWhenThereAreMore) {
  const Matrix few = sobol_points(37, 3, scrambling()), many = sobol_points(500, 3, scrambling());
  EXPECT_EQ(few, many.topRows(37));
  EXPECT_EQ(many, sobol_points(500, 3, scrambling()));
  EXPECT_NE(few, sobol_points(37, 3, scrambling(1)));
  EXPECT_NE(few, sobol_points(37, 3, scrambling(0, 2)));
}

TEST(SobolPoints, KeepAnAxisWhenThereAreMoreOfThem) {
  EXPECT_EQ(sobol_points(64, 2, scrambling()), sobol_points(64, 7, scrambling()).leftCols(2));
}

// Over scramblings every single point is uniform, the zero at the start included: over replicates its coordinates have
// mean 1/2 and variance 1/12, and those of different axes, or of successive replicates, are uncorrelated.
TEST(SobolPoints, AreEachUniformOverScramblings) {
  const Index replicates = 4000;
  for (const Index which : {0, 5}) {
    Matrix point(replicates, 2);
    for (Index r = 0; r < replicates; ++r)
      point.row(r) = sobol_points(which + 1, 2, scrambling(static_cast<std::uint32_t>(r))).row(which);
    const Eigen::ArrayXXd centred = point.array() - 0.5;
    const auto n = static_cast<double>(replicates);
    const double variance = 1.0 / 12, kurtosis = 1.0 / 80;
    for (Index k = 0; k < 2; ++k) {
      const Eigen::ArrayXd x = centred.col(k);
      EXPECT_NEAR(x.mean(), 0, standard_errors * std::sqrt(variance / n));
      EXPECT_NEAR(x.square().mean(), variance,
                  standard_errors * std::sqrt((kurtosis - variance * variance) / n));
      EXPECT_NEAR((x.head(replicates - 1) * x.tail(replicates - 1)).mean(), 0,
                  standard_errors * variance / std::sqrt(n));
    }
    EXPECT_NEAR((centred.col(0) * centred.col(1)).mean(), 0, standard_errors * variance / std::sqrt(n));
  }
}

struct Estimates {
  double mean, sd;
  Index replicates;
};

/// The mean and the spread over replicates of the means of prod_k (1 + 0.8 (e^{u_k} - e + 1)), whose integral is 1,
/// over N points.
Estimates estimates(Index N, const std::function<Matrix(std::uint32_t)>& points) {
  const Index replicates = 100;
  Eigen::ArrayXd values(replicates);
  for (Index r = 0; r < replicates; ++r) {
    const Eigen::ArrayXXd u = points(static_cast<std::uint32_t>(r)).topRows(N);
    values(r) = (1 + 0.8 * (u.exp() - std::exp(1.0) + 1)).rowwise().prod().mean();
  }
  const double mean = values.mean();
  return {mean, std::sqrt((values - mean).square().sum() / static_cast<double>(replicates - 1)), replicates};
}

TEST(SobolPoints, GiveUnbiasedMeansWhoseErrorFallsMuchFasterThanThatOfIndependentPoints) {
  const auto scrambled = [](std::uint32_t r) { return sobol_points(4096, 4, scrambling(r)); };
  const auto independent = [](std::uint32_t r) {
    return Matrix(RandomStream{.seed = 3, .replicate = r}.normals(64, 4).unaryExpr(
        [](double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }));
  };
  const Estimates few = estimates(64, scrambled), many = estimates(4096, scrambled);
  for (const Estimates& each : {few, many})
    EXPECT_NEAR(each.mean, 1, standard_errors * each.sd / std::sqrt(static_cast<double>(each.replicates)));
  EXPECT_LT(few.sd, estimates(64, independent).sd / 3);
  // 64 times the points: independent ones would have an eighth of the error, these have less than 1/64.
  EXPECT_LT(many.sd, few.sd / 64);
}

TEST(SobolPoints, RefuseMoreAxesThanThereAreDirectionNumbers) {
  EXPECT_EQ(sobol_points(2, 3667, scrambling()).cols(), 3667);
  EXPECT_EQ(complaint_of([] { sobol_points(2, 3668, scrambling()); }),
            "dimension: must be at most 3667 for Sobol points, got 3668");
  EXPECT_EQ(complaint_of([] { sobol_points(2, 0, scrambling()); }), "dimension: must be at least 1, got 0");
  EXPECT_EQ(complaint_of([] { sobol_points(0, 2, scrambling()); }), "count: must be at least 1, got 0");
}

}  // namespace
}  // namespace ridgelet
