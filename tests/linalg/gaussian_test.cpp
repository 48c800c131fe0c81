#include "ridgelet/linalg/gaussian.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numbers>

#include "expectations.hpp"
#include "numbers.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::numbers;
using testing::relative_error;
using testing::tolerance::two_routes;

/// -1/2 [ n log 2 pi + log det S + (w - m)^T S^{-1} (w - m) ].
double ordinary_log_density(const Vector& mean, const Matrix& S, const Vector& w) {
  const Vector centred = w - mean;
  const double n = static_cast<double>(w.size());
  return -0.5 * (n * std::log(2 * std::numbers::pi) + std::log(S.determinant()) +
                 centred.dot(S.fullPivLu().solve(centred)));
}

/// n x r with orthonormal columns.
Matrix orthonormal(Index n, Index r, std::uint64_t seed) {
  const Eigen::HouseholderQR<Matrix> qr(numbers(n, r, seed));
  return qr.householderQ() * Matrix::Identity(n, r);
}

TEST(Gaussian, IsAnAffineMapOfStandardNormals) {
  const Gaussian gaussian{.mean = Vector{{1, 2, 3}}, .factor = Matrix{{1, 0}, {2, 1}, {0, -1}}};
  EXPECT_EQ(gaussian.dimension(), 3);
  EXPECT_EQ(gaussian.rank(), 2);
  EXPECT_EQ(gaussian.at(Vector{{0, 0}}), gaussian.mean);
  EXPECT_EQ(gaussian.at(Vector{{2, -1}}), (Vector{{3, 5, 4}}));
}

TEST(Gaussian, HasTheCovarianceOfItsFactorAndTheVarianceOnItsDiagonal) {
  const Gaussian gaussian{.mean = Vector::Zero(3), .factor = Matrix{{1, 0}, {2, 1}, {0, -1}}};
  EXPECT_EQ(gaussian.covariance(), (Matrix{{1, 2, 0}, {2, 5, -1}, {0, -1, 1}}));
  EXPECT_EQ(gaussian.variance(), (Vector{{1, 5, 1}}));
}

TEST(LogDensityOnSupport, IsTheOrdinaryDensityWhenTheCovarianceHasFullRank) {
  for (Index n : {1, 2, 5}) {
    const Gaussian gaussian{.mean = numbers(n, 1, 1), .factor = numbers(n, n, 2)};
    const Vector w = numbers(n, 1, 3);
    const double expected = ordinary_log_density(gaussian.mean, gaussian.covariance(), w);
    EXPECT_NEAR(log_density_on_support(gaussian, w, "w"), expected, two_routes * std::abs(expected));
  }
}

TEST(LogDensityOnSupport, TakesAFactorWithMoreColumnsThanRows) {
  const Gaussian gaussian{.mean = numbers(3, 1, 1), .factor = numbers(3, 8, 2)};
  const Vector w = numbers(3, 1, 3);
  const double expected = ordinary_log_density(gaussian.mean, gaussian.covariance(), w);
  EXPECT_NEAR(log_density_on_support(gaussian, w, "w"), expected, two_routes * std::abs(expected));
}

TEST(LogDensityOnSupport, IsUnchangedByAnIsometryIntoMoreDimensions) {
  const Gaussian flat{.mean = numbers(3, 1, 4), .factor = numbers(3, 3, 5)};
  const Matrix Q = orthonormal(10, 3, 6);
  const Vector shift = numbers(10, 1, 7);
  const Gaussian lifted{.mean = shift + Q * flat.mean, .factor = Q * flat.factor};
  const Vector w = flat.at(numbers(3, 1, 8));
  const double expected = ordinary_log_density(flat.mean, flat.covariance(), w);
  EXPECT_NEAR(log_density_on_support(lifted, shift + Q * w, "w"), expected, two_routes * std::abs(expected));
}

TEST(LogDensityOnSupport, DependsOnTheCovarianceAndNotOnItsFactor) {
  // A column that repeats the others' direction and a rotation of z leave factor factor^T what it was.
  const Matrix F = numbers(6, 2, 9);
  const Vector mean = numbers(6, 1, 10);
  const Vector w = mean + F * Vector{{0.4, -1.1}};
  Matrix wide(6, 3);
  wide << F.col(0) * 0.6, F.col(1), F.col(0) * 0.8;
  EXPECT_NEAR(log_density_on_support({mean, wide}, w, "w"), log_density_on_support({mean, F}, w, "w"),
              two_routes);
  const Matrix rotated = F * Matrix{{0.8, -0.6}, {0.6, 0.8}};
  EXPECT_NEAR(log_density_on_support({mean, rotated}, w, "w"), log_density_on_support({mean, F}, w, "w"),
              two_routes);
}

TEST(LogDensityOnSupport, IntegratesToOneAlongTheLineThatCarriesIt) {
  const Vector mean{{1, -2, 0.5}}, direction = Vector{{2, 1, -2}} / 3;
  const Gaussian gaussian{.mean = mean, .factor = 0.7 * direction};
  const double step = 0.01;
  double total = 0;
  for (int k = -600; k < 600; ++k) {
    const Vector w = mean + (k + 0.5) * step * direction;
    total += step * std::exp(log_density_on_support(gaussian, w, "w"));
  }
  EXPECT_NEAR(total, 1, two_routes);
}

TEST(LogDensityOnSupport, PeaksAtTheMean) {
  const Gaussian gaussian{.mean = numbers(6, 1, 11), .factor = numbers(6, 2, 12)};
  const Matrix S = gaussian.factor.transpose() * gaussian.factor;
  const double peak = -0.5 * (2 * std::log(2 * std::numbers::pi) + std::log(S.determinant()));
  EXPECT_NEAR(log_density_on_support(gaussian, gaussian.mean, "w"), peak, two_routes);
  EXPECT_LT(log_density_on_support(gaussian, gaussian.at(Vector{{0.1, 0}}), "w"), peak);
}

TEST(LogDensityOnSupport, RefusesAVectorOffTheSupport) {
  const Gaussian gaussian{.mean = Vector::Zero(3), .factor = Matrix{{1, 0}, {0, 2}, {0, 0}}};
  EXPECT_EQ(complaint_of([&] {
              log_density_on_support(gaussian, Vector{{3, 0, 4}}, "w");
            }),
            "w: must lie on the support of the prior, a subspace of dimension 2 in 3; "
            "it is 0.8 away, relative to its distance from the mean");
  EXPECT_THROW(log_density_on_support(gaussian, Vector{{1, 1, 1e-6}}, "w"), InvalidArgument);
  EXPECT_NO_THROW(log_density_on_support(gaussian, Vector{{1, 1, 1e-12}}, "w"));
}

TEST(LogDensityOnSupport, RefusesAVectorOfTheWrongLengthOrWithNaNs) {
  const Gaussian gaussian{.mean = Vector::Zero(3), .factor = Matrix::Identity(3, 3)};
  EXPECT_EQ(complaint_of([&] { log_density_on_support(gaussian, Vector::Zero(2), "w"); }),
            "w: must have 3 rows, got 2");
  const Vector w{{0, std::numeric_limits<double>::quiet_NaN(), 0}};
  EXPECT_EQ(complaint_of([&] { log_density_on_support(gaussian, w, "w"); }),
            "w: must be finite, got nan in row 2, column 1");
}

TEST(ConditionOnEntries, IsTheTextbookConditionalDistribution) {
  const Gaussian g{.mean = Vector{{1, -2, 0.5, 3}}, .factor = RandomStream{.seed = 8}.normals(4, 5)};
  const std::vector<Index> fixed = {2, 0}, others = {1, 3};
  const Vector values{{0.2, -1}};
  const Gaussian given = condition_on_entries(g, fixed, values, "values");
  const Matrix S = g.covariance();
  const Matrix gain = S(others, fixed) * Matrix(S(fixed, fixed)).inverse();
  const Vector mean = g.mean(others) + gain * (values - g.mean(fixed));
  const Matrix covariance = S(others, others) - gain * S(fixed, others);
  EXPECT_EQ(given.rank(), 3);
  EXPECT_EQ(Vector(given.mean(fixed)), values);
  EXPECT_EQ(Matrix(given.covariance()(fixed, fixed)), Matrix::Zero(2, 2));
  EXPECT_LT(testing::relative_error(given.mean(others), mean), testing::tolerance::two_routes);
  EXPECT_LT(testing::relative_error(given.covariance()(others, others), covariance),
            testing::tolerance::two_routes);
}

TEST(ConditionOnEntries, RefusesValuesOffTheSupport) {
  const Gaussian flat{.mean = Vector::Zero(2), .factor = Matrix::Ones(2, 1)};
  EXPECT_NE(testing::complaint_of([&] {
              condition_on_entries(flat, {0, 1}, Vector{{1, 2}}, "values");
            }).find("values: cannot be taken"),
            std::string::npos);
  EXPECT_EQ(condition_on_entries(flat, {0, 1}, Vector{{2, 2}}, "values").rank(), 0);
}

}  // namespace
}  // namespace ridgelet
