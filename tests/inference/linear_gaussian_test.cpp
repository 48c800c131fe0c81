#include "ridgelet/inference/linear_gaussian.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

using testing::relative_error;
using testing::tolerance::two_routes;

Gaussian random_gaussian(Index rows, Index rank, std::uint64_t seed) {
  const RandomStream stream{.seed = seed};
  return {.mean = stream.normals(rows),
          .factor = RandomStream{.seed = seed, .replicate = 1}.normals(rows, rank)};
}

Vector random_data(Index rows) {
  return 2 * RandomStream{.seed = 31, .replicate = 2}.normals(rows);
}

/// The same distribution in more coordinates than it needs.
Gaussian padded(const Gaussian& gaussian, Index rank) {
  Gaussian wide{.mean = gaussian.mean, .factor = Matrix::Zero(gaussian.dimension(), rank)};
  wide.factor.leftCols(gaussian.rank()) = gaussian.factor;
  return wide;
}

/// Ordinary Gaussian conditioning with every covariance written out.
struct Dense {
  double log_likelihood;
  Vector mean, variance;

  Dense(const Gaussian& data, const Vector& y, double noise, const Gaussian& at) {
    const Index M = y.size();
    const Matrix C = data.factor * data.factor.transpose() + noise * noise * Matrix::Identity(M, M);
    const Eigen::FullPivLU<Matrix> solver(C);
    const Vector r = y - data.mean;
    const double log_determinant = solver.matrixLU().diagonal().array().abs().log().sum();
    log_likelihood =
        -0.5 * (r.dot(solver.solve(r)) + log_determinant + static_cast<double>(M) * std::log(2 * M_PI));
    const Matrix cross = at.factor * data.factor.transpose();
    mean = at.mean + cross * solver.solve(r);
    variance = (at.factor * at.factor.transpose() - cross * solver.solve(cross.transpose())).diagonal();
  }
};

/// M data and R coordinates: fewer, as many, and more.
class PosteriorOf : public ::testing::TestWithParam<std::tuple<Index, Index, double>> {
 protected:
  const Index M = std::get<0>(GetParam()), R = std::get<1>(GetParam());
  const double noise = std::get<2>(GetParam());
  const Gaussian data = random_gaussian(M, R, 1), at = random_gaussian(7, R, 2);
  const Vector y = random_data(M);
  const LinearGaussianPosterior posterior{data, y, noise};
  const Dense dense{data, y, noise, at};
};

TEST_P(PosteriorOf, HasTheMarginalLikelihoodOfTheDenseFormula) {
  EXPECT_NEAR(posterior.log_marginal_likelihood(), dense.log_likelihood,
              two_routes * std::abs(dense.log_likelihood));
}

TEST_P(PosteriorOf, HasThePredictionsOfTheDenseFormula) {
  const Prediction prediction = posterior.predict(at);
  EXPECT_LT(relative_error(prediction.mean, dense.mean), two_routes);
  EXPECT_LT(relative_error(prediction.variance, dense.variance), two_routes);
}

TEST_P(PosteriorOf, IsTheSameInMoreCoordinatesThanItNeeds) {
  const Index wide = M + R;
  const LinearGaussianPosterior other(padded(data, wide), y, noise);
  EXPECT_NEAR(other.log_marginal_likelihood(), posterior.log_marginal_likelihood(),
              two_routes * std::abs(dense.log_likelihood));
  const Prediction one = posterior.predict(at), two = other.predict(padded(at, wide));
  EXPECT_LT(relative_error(two.mean, one.mean), two_routes);
  EXPECT_LT(relative_error(two.variance, one.variance), two_routes);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PosteriorOf,
                         ::testing::Values(std::tuple(1, 1, 0.5), std::tuple(3, 10, 0.1),
                                           std::tuple(10, 10, 0.3), std::tuple(11, 10, 0.3),
                                           std::tuple(60, 4, 0.1), std::tuple(60, 90, 1.5)));

TEST(LinearGaussianPosterior, ReturnsThePriorWhenNoiseDrownsTheData) {
  const Gaussian at = random_gaussian(6, 4, 2);
  for (const Index M : {3, 9}) {
    const Prediction prediction =
        LinearGaussianPosterior(random_gaussian(M, 4, 1), random_data(M), 1e8).predict(at);
    EXPECT_LT(relative_error(prediction.mean, at.mean), 1e-12);
    EXPECT_LT(relative_error(prediction.variance, at.variance()), 1e-12);
  }
}

TEST(LinearGaussianPosterior, PassesThroughDataAlmostWithoutNoise) {
  const Gaussian data = random_gaussian(4, 9, 1);
  const Vector y = random_data(4);
  const Prediction prediction = LinearGaussianPosterior(data, y, 1e-4).predict(data);
  EXPECT_LT(relative_error(prediction.mean, y), 1e-6);
  EXPECT_LT(prediction.variance.maxCoeff(), 1.01e-8);
  EXPECT_GT(prediction.variance.minCoeff(), 0);
}

TEST(LinearGaussianPosterior, LearnsTheSameFromDataInAnyOrder) {
  const Gaussian data = random_gaussian(12, 5, 1), at = random_gaussian(6, 5, 2);
  const Vector y = random_data(12);
  const Gaussian reversed{.mean = data.mean.reverse(), .factor = data.factor.colwise().reverse()};
  const LinearGaussianPosterior one(data, y, 0.2), two(reversed, Vector(y.reverse()), 0.2);
  EXPECT_NEAR(one.log_marginal_likelihood(), two.log_marginal_likelihood(), 1e-9);
  EXPECT_LT(relative_error(one.predict(at).mean, two.predict(at).mean), two_routes);
}

TEST(LinearGaussianPosterior, RefusesNoiseThatIsNotPositive) {
  const auto complaint = [](double noise) {
    return testing::complaint_of(
        [&] { LinearGaussianPosterior(random_gaussian(5, 3, 1), random_data(5), noise); });
  };
  EXPECT_EQ(complaint(0), "noise: must be positive and finite, got 0");
  EXPECT_EQ(complaint(-0.1), "noise: must be positive and finite, got -0.1");
  EXPECT_EQ(complaint(std::numeric_limits<double>::infinity()),
            "noise: must be positive and finite, got inf");
  EXPECT_EQ(complaint(0.1), "");
}

TEST(LinearGaussianPosterior, RefusesDataThatAreNotNumbersOrOfAnotherLength) {
  const auto complaint = [](const Vector& y) {
    return testing::complaint_of([&] { LinearGaussianPosterior(random_gaussian(5, 3, 1), y, 0.1); });
  };
  Vector y = random_data(5);
  y(3) = std::nan("");
  EXPECT_EQ(complaint(y), "y: must be finite, got nan in row 4, column 1");
  EXPECT_EQ(complaint(random_data(4)), "y: must have 5 rows, got 4");
}

// Data without noise, nearly: the variance at the data is a difference of equal numbers.
TEST(LinearGaussianPosterior, NeverPredictsANegativeVariance) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix G = RandomStream{.seed = seed}.normals(8, 12);
    const Gaussian output{.mean = Vector::Zero(8), .factor = G};
    const LinearGaussianPosterior posterior(output, RandomStream{.seed = seed + 100}.normals(8), 1e-9);
    EXPECT_GE(posterior.predict(output).variance.minCoeff(), 0) << seed;
  }
}

}  // namespace
}  // namespace ridgelet
