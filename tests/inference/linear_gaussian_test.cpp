#include "ridgelet/inference/linear_gaussian.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "expectations.hpp"
#include "quadruple.hpp"
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

Vector random_response(Index rows) {
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
  Matrix covariance;

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
    covariance = at.factor * at.factor.transpose() - cross * solver.solve(cross.transpose());
    variance = covariance.diagonal();
  }
};

/// M data and R coordinates: fewer, as many, and more.
class PosteriorOf : public ::testing::TestWithParam<std::tuple<Index, Index, double>> {
 protected:
  const Index M = std::get<0>(GetParam()), R = std::get<1>(GetParam());
  const double noise = std::get<2>(GetParam());
  const Gaussian data = random_gaussian(M, R, 1), at = random_gaussian(7, R, 2);
  const Vector y = random_response(M);
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

TEST_P(PosteriorOf, HasTheJointCovarianceOfTheDenseFormula) {
  const Matrix root = posterior.covariance_root(at.factor);
  EXPECT_LT(relative_error(root * root.transpose(), dense.covariance), two_routes);
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

// A constant of size 1 and responses -1 and 1: a kernel's rounding is 2e-16, and |r| / noise^2 is 1.4e12 at a noise of
// 1e-6.
TEST(LinearGaussianPosterior, OfAProcessRefusesNoiseAtWhichRoundingHidesTheMean) {
  const Gaussian constant{.mean = Vector::Zero(2), .factor = Matrix::Ones(2, 1)};
  const Vector apart{{-1, 1}}, together{{1, 1}};
  const auto complaint = [&](const Vector& y, double noise) {
    return testing::complaint_of([&] { posterior_of_process(constant, y, noise); });
  };
  EXPECT_EQ(complaint(apart, 1e-6).substr(0, 22), "noise: must be larger ");
  EXPECT_EQ(complaint(apart, 1e-5), "");
  EXPECT_EQ(complaint(together, 1e-6), "");
  EXPECT_NEAR(rounding_of_mean(4, 3, 0.1), 12e3 * std::numeric_limits<double>::epsilon(), 1e-18);
}

TEST(NoiseAboveRounding, IsWhereRoundingOfAFunctionThatIsFollowedToTheNoiseIsJustVisible) {
  const double variance = 9e6, noise = noise_above_rounding(variance, 500);
  EXPECT_NEAR(rounding_of_mean(variance, std::sqrt(500.0) * noise, noise), visible_rounding, 1e-12);
  EXPECT_LT(noise_above_rounding(1, 500), 1e-6);
}

TEST(LinearGaussianPosterior, ReturnsThePriorWhenNoiseDrownsTheData) {
  const Gaussian at = random_gaussian(6, 4, 2);
  for (const Index M : {3, 9}) {
    const Prediction prediction =
        LinearGaussianPosterior(random_gaussian(M, 4, 1), random_response(M), 1e8).predict(at);
    EXPECT_LT(relative_error(prediction.mean, at.mean), 1e-12);
    EXPECT_LT(relative_error(prediction.variance, at.variance()), 1e-12);
  }
}

TEST(LinearGaussianPosterior, PassesThroughDataAlmostWithoutNoise) {
  const Gaussian data = random_gaussian(4, 9, 1);
  const Vector y = random_response(4);
  const Prediction prediction = LinearGaussianPosterior(data, y, 1e-4).predict(data);
  EXPECT_LT(relative_error(prediction.mean, y), 1e-6);
  EXPECT_LT(prediction.variance.maxCoeff(), 1.01e-8);
  EXPECT_GT(prediction.variance.minCoeff(), 0);
}

TEST(LinearGaussianPosterior, LearnsTheSameFromDataInAnyOrder) {
  const Gaussian data = random_gaussian(12, 5, 1), at = random_gaussian(6, 5, 2);
  const Vector y = random_response(12);
  const Gaussian reversed{.mean = data.mean.reverse(), .factor = data.factor.colwise().reverse()};
  const LinearGaussianPosterior one(data, y, 0.2), two(reversed, Vector(y.reverse()), 0.2);
  EXPECT_NEAR(one.log_marginal_likelihood(), two.log_marginal_likelihood(), 1e-9);
  EXPECT_LT(relative_error(one.predict(at).mean, two.predict(at).mean), two_routes);
}

TEST(LinearGaussianPosterior, RefusesNoiseThatIsNotPositive) {
  const auto complaint = [](double noise) {
    return testing::complaint_of(
        [&] { LinearGaussianPosterior(random_gaussian(5, 3, 1), random_response(5), noise); });
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
  Vector y = random_response(5);
  y(3) = std::nan("");
  EXPECT_EQ(complaint(y), "y: must be finite, got nan in row 4, column 1");
  EXPECT_EQ(complaint(random_response(4)), "y: must have 5 rows, got 4");
}

// Data almost without noise.
TEST(LinearGaussianPosterior, NeverPredictsANegativeVariance) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix G = RandomStream{.seed = seed}.normals(8, 12);
    const Gaussian output{.mean = Vector::Zero(8), .factor = G};
    const LinearGaussianPosterior posterior(output, RandomStream{.seed = seed + 100}.normals(8), 1e-9);
    EXPECT_GE(posterior.predict(output).variance.minCoeff(), 0) << seed;
  }
}

/// Columns that fall by a factor of 100 each, as the factors of smooth kernels have them: some are far above the
/// noise of 1, some far below.
Gaussian graded(Index rows, Index R, double amplitude, std::uint64_t seed) {
  Matrix G = amplitude * RandomStream{.seed = seed}.normals(rows, R);
  for (Index j = 0; j < R; ++j) G.col(j) *= std::pow(10.0, -2.0 * static_cast<double>(j));
  return {.mean = RandomStream{.seed = seed, .replicate = 1}.normals(rows), .factor = G};
}

/// All columns alike, so that fewer rows than coordinates leave directions of which nothing is known.
Gaussian level(Index rows, Index R, double amplitude, std::uint64_t seed) {
  return {.mean = RandomStream{.seed = seed, .replicate = 1}.normals(rows),
          .factor = amplitude * RandomStream{.seed = seed}.normals(rows, R)};
}

TEST(LinearGaussianPosterior, HasTheSlopesOfQuadruplePrecisionWhereItFollowsTheData) {
  constexpr Index M = 5, R = 9;
  for (const double ratio : {1e3, 1e6, 1e8}) {
    const Gaussian data = level(M, R, ratio, 1);
    const Vector r = RandomStream{.seed = 5}.normals(M);
    const LinearGaussianPosterior posterior({.mean = Vector::Zero(M), .factor = data.factor}, r, 1);
    Matrix slopes = Matrix::Zero(M, 1 + R);
    LinearGaussianPosterior::SlopeWorkspace work;
    posterior.add_slopes(data.factor, r, slopes, work);

    // Of the product with C^{-1}, entry i is the mean of what has the i-th column of I as its covariance with the data.
    const auto solve = [&](const VectorView& b) -> Vector {
      testing::QuadMatrix C(M, testing::QuadVector(M));
      testing::QuadVector values(M);
      for (Index i = 0; i < M; ++i) {
        values[static_cast<std::size_t>(i)] = b(i);
        for (Index j = 0; j < M; ++j) {
          testing::Quad sum = i == j;
          for (Index k = 0; k < R; ++k) sum += testing::Quad(data.factor(i, k)) * data.factor(j, k);
          C[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = sum;
        }
      }
      const testing::QuadrupleCondition condition(C, values);
      Vector solution(M);
      for (Index i = 0; i < M; ++i) {
        testing::QuadVector unit(M, 0);
        unit[static_cast<std::size_t>(i)] = 1;
        solution(i) = condition.mean(unit);
      }
      return solution;
    };
    const Vector weights = solve(r);
    EXPECT_LT(relative_error(slopes.col(0), weights), 1e-10) << ratio;
    for (Index k = 0; k < R; ++k) {
      const double z = data.factor.col(k).dot(weights);
      EXPECT_LT(relative_error(slopes.col(1 + k), z * weights - solve(data.factor.col(k))), 1e-10) << ratio;
    }
  }
}

/// Rows and coordinates, amplitude over noise, and whether columns are graded.
class PosteriorAt : public ::testing::TestWithParam<std::tuple<std::pair<Index, Index>, double, bool>> {
 protected:
  const Index M = std::get<0>(GetParam()).first, R = std::get<0>(GetParam()).second;
  const double ratio = std::get<1>(GetParam());
  const Gaussian data = std::get<2>(GetParam()) ? graded(M, R, ratio, 1) : level(M, R, ratio, 1);
  const Vector r = data.factor * RandomStream{.seed = 5}.normals(R) + RandomStream{.seed = 6}.normals(M);
  const LinearGaussianPosterior posterior{data, data.mean + r, 1};

  /// At three of the data, and at four other places.
  Gaussian at() const {
    Gaussian both = std::get<2>(GetParam()) ? graded(7, R, ratio, 2) : level(7, R, ratio, 2);
    const Index repeated = std::min<Index>(3, M);
    both.factor.topRows(repeated) = data.factor.topRows(repeated);
    return both;
  }
};

TEST_P(PosteriorAt, AgreesWithQuadruplePrecision) {
  // y - mean is rounded: the values that the posterior sees.
  const Vector seen = (data.mean + r) - data.mean;
  const Gaussian asked = at();
  const testing::QuadrupleLinearGaussian exact(data.factor, seen, 1, asked.factor);
  const Prediction prediction = posterior.predict(asked);
  const double evidence_error = posterior.log_marginal_likelihood() - exact.log_marginal_likelihood;
  const double variance_error = testing::entrywise_error(prediction.variance, exact.variance);
  const Vector mean_errors =
      (prediction.mean - asked.mean - exact.mean).array() / (exact.variance.array() + 1).sqrt();
  RecordProperty("evidence_error", std::to_string(std::abs(evidence_error) * 1e9));
  RecordProperty("variance_error", std::to_string(variance_error * 1e9));
  EXPECT_NEAR(evidence_error, 0, 1e-6);
  EXPECT_LT(variance_error, 1e-6);
  EXPECT_LT(mean_errors.cwiseAbs().maxCoeff(), 1e-6) << "in sds";
}

TEST_P(PosteriorAt, DrawsWithThePosteriorsMoments) {
  const Index draws = 20'000;
  const Gaussian asked = at();
  const Prediction prediction = posterior.predict(asked);
  Matrix f(asked.dimension(), draws);
  for (Index i = 0; i < draws; ++i)
    f.col(i) = asked.at(posterior.draw_coordinates({.seed = 3, .iteration = static_cast<std::uint32_t>(i)}));
  const double n = static_cast<double>(draws);
  for (Index j = 0; j < asked.dimension(); ++j) {
    const double variance = prediction.variance(j), sd = std::sqrt(variance);
    const Eigen::ArrayXd deviations = f.row(j).array() - prediction.mean(j);
    EXPECT_NEAR(deviations.mean(), 0, testing::tolerance::standard_errors * sd / std::sqrt(n));
    EXPECT_NEAR(deviations.square().mean(), variance,
                testing::tolerance::standard_errors * variance * std::sqrt(2 / n));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ratios, PosteriorAt,
    ::testing::Combine(::testing::Values(std::pair<Index, Index>{1, 6}, std::pair<Index, Index>{5, 9},
                                         std::pair<Index, Index>{8, 8}, std::pair<Index, Index>{9, 8},
                                         std::pair<Index, Index>{40, 7}),
                       ::testing::Values(1.0, 1e4, 1e7, 1e8), ::testing::Bool()));

TEST(LinearGaussianPosterior, TakesNumbersOfTheStreamFromAnIndexOn) {
  for (const Index M : {3, 9}) {
    for (const double scale : {1.0, 1e7}) {
      const LinearGaussianPosterior posterior(level(M, 5, scale, 1), random_response(M), 1);
      const auto draw = [&](std::uint64_t first) { return posterior.draw_coordinates({.seed = 1}, first); };
      EXPECT_EQ(draw(0), posterior.draw_coordinates({.seed = 1}));
      EXPECT_GT((draw(0) - draw(static_cast<std::uint64_t>(5 + M))).cwiseAbs().minCoeff(), 0);
    }
  }
}

}  // namespace
}  // namespace ridgelet
