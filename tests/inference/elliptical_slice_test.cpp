#include "ridgelet/inference/elliptical_slice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "batch_means.hpp"
#include "densities.hpp"
#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::DensityOf;
using testing::expect_mean;
using testing::flat;
using testing::GaussianData;
using testing::impossible;
using testing::relative_error;
using testing::Window;
using testing::tolerance::standard_errors;

SliceRandomness randomness(std::uint64_t seed, std::uint32_t iteration) {
  return {.ellipse = {.seed = seed, .purpose = Purpose::chain_ellipse, .iteration = iteration},
          .slice = {.seed = seed, .purpose = Purpose::chain_slice, .iteration = iteration}};
}

/// A chain of `steps` steps from `start`, one in each row.
template <class Density>
Matrix chain(const Vector& start, Density density, std::uint32_t steps, std::uint64_t seed = 1) {
  SliceState state{.position = start, .log_density = density(start)};
  Matrix visited(steps, start.size());
  for (std::uint32_t i = 0; i < steps; ++i) {
    elliptical_slice(state, density, randomness(seed, i));
    visited.row(i) = state.position.transpose();
  }
  return visited;
}

TEST(EllipticalSlice, LeavesThePriorInvariantWhenTheLikelihoodIsFlat) {
  const Matrix x = chain(RandomStream{.seed = 3}.normals(3), flat(3), 200'000);
  for (Index i = 0; i < 3; ++i) {
    const Eigen::ArrayXd xi = x.col(i);
    expect_mean(xi, 0, "mean");
    expect_mean(xi.square(), 1, "variance");
    expect_mean(xi.cube(), 0, "third moment");
    expect_mean(xi.square().square(), 3, "fourth moment");
    expect_mean(xi * x.col((i + 1) % 3).array(), 0, "covariance");
  }
}

// With independent starts from the prior, draws after a step are independent: bins of Phi(x) are multinomial.
TEST(EllipticalSlice, TakesDrawsOfThePriorToUniformProbabilitiesWhenTheLikelihoodIsFlat) {
  const Index draws = 50'000, bins = 50;
  Vector counts = Vector::Zero(bins);
  auto density = flat(2);
  for (Index i = 0; i < draws; ++i) {
    const auto replicate = static_cast<std::uint32_t>(i);
    SliceState state{.position = RandomStream{.seed = 4, .replicate = replicate}.normals(2)};
    elliptical_slice(state, density, randomness(5, replicate));
    const double probability = 0.5 * std::erfc(-state.position(1) / std::sqrt(2.0));
    counts(std::min(bins - 1, static_cast<Index>(static_cast<double>(bins) * probability))) += 1;
  }
  const double expected = static_cast<double>(draws) / static_cast<double>(bins);
  const double chi_square = (counts.array() - expected).square().sum() / expected;
  const double freedom = static_cast<double>(bins - 1);
  EXPECT_NEAR(chi_square, freedom, standard_errors * std::sqrt(2 * freedom));
}

TEST(EllipticalSlice, AcceptsTheFirstProposalWhenTheLikelihoodIsFlat) {
  SliceState state{.position = Vector::Ones(2)};
  auto density = flat(2);
  for (std::uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(elliptical_slice(state, density, randomness(1, i)), 1);
}

class EllipticalSliceWith : public ::testing::TestWithParam<std::tuple<Index, double>> {};

TEST_P(EllipticalSliceWith, GaussianDataHasTheConjugatePosterior) {
  const auto [dimension, noise] = GetParam();
  const GaussianData data{.H = RandomStream{.seed = 8}.normals(4, dimension),
                          .y = RandomStream{.seed = 9}.normals(4).array() + 0.5,
                          .noise = noise};
  const Matrix x = chain(Vector::Zero(dimension), data.density(), 200'000).bottomRows(199'000);
  const Vector mean = data.mean();
  const Matrix covariance = data.covariance();
  for (Index i = 0; i < dimension; ++i) {
    expect_mean(x.col(i), mean(i), "mean " + std::to_string(i));
    for (Index j = 0; j <= i; ++j)
      expect_mean((x.col(i).array() - mean(i)) * (x.col(j).array() - mean(j)), covariance(i, j),
                  "covariance " + std::to_string(i) + ", " + std::to_string(j));
  }
}

INSTANTIATE_TEST_SUITE_P(Posteriors, EllipticalSliceWith,
                         ::testing::Values(std::tuple(2, 1.0), std::tuple(2, 0.3), std::tuple(3, 0.7)));

TEST(EllipticalSlice, StaysWhereTheDensityIsPossible) {
  const Window window{.lower = 0.5, .upper = 1};
  const Matrix x = chain(Vector::Constant(1, 0.7), window.density(), 100'000);
  EXPECT_GT(x.minCoeff(), 0.5);
  EXPECT_LT(x.maxCoeff(), 1);
  expect_mean(x.col(0), window.mean(), "mean");
}

TEST(EllipticalSlice, CountsWhatIsNotANumberAsImpossible) {
  const auto with = [](double outside) {
    return DensityOf(2, [outside](const Vector& x) { return x(0) > 0 ? -x.squaredNorm() : outside; });
  };
  const Vector start = Vector::Ones(2);
  const Matrix not_a_number = chain(start, with(std::nan("")), 2000);
  EXPECT_GT(not_a_number.col(0).minCoeff(), 0);
  EXPECT_EQ(not_a_number, chain(start, with(impossible), 2000));
}

TEST(EllipticalSlice, LeavesAnImpossibleStart) {
  const Window half{.lower = 0, .upper = 1e9};
  EXPECT_GT(chain(Vector::Constant(2, -1), half.density(2), 1)(0, 0), 0);
}

TEST(EllipticalSlice, StaysWhereItIsWhenNoProposalIsPossible) {
  const Vector start = Vector::Constant(2, -1);
  for (const double everywhere : {std::nan(""), impossible}) {
    const Matrix path = chain(start, DensityOf(2, [=](const Vector&) { return everywhere; }), 3);
    EXPECT_EQ(path.row(2).transpose(), start);
  }
}

// A density whose rounding swallows log u, so that no point is above the level, not even the state itself.
TEST(EllipticalSlice, EndsAfterAFixedNumberOfShrinkagesAtTheStateItself) {
  const Vector start{{0.3, -1e6}};
  int made = 0;
  Vector last;
  auto constant = DensityOf(2, [&](const Vector& x) {
    ++made;
    last = x;
    return 1e300;
  });
  SliceState state{.position = start, .log_density = 1e300};
  EXPECT_EQ(elliptical_slice(state, constant, randomness(1, 1)), most_shrinkages + 1);
  EXPECT_EQ(made, most_shrinkages + 1);
  EXPECT_EQ(state.position, start);
  EXPECT_EQ(last, start);
  EXPECT_EQ(state.log_density, 1e300);
}

// A posterior of sd 1e-9 around a state that is in it: far from giving up.
TEST(EllipticalSlice, StillMovesInANarrowPosterior) {
  const GaussianData data{.H = Matrix::Identity(2, 2), .y = Vector{{0.5, -0.5}}, .noise = 1e-9};
  const Matrix x = chain(data.mean(), data.density(), 20'000);
  for (Index i = 0; i < 2; ++i)
    expect_mean(((x.col(i).array() - data.mean()(i)) / 1e-9).square(), 1, "variance");
}

TEST(EllipticalSlice, CountsItsEvaluationsAndMakesTheLastAtTheNewPosition) {
  const GaussianData data{.H = Matrix::Identity(2, 2), .y = Vector::Constant(2, 1), .noise = 0.2};
  int made = 0, most = 0;
  Vector last;
  auto counted = DensityOf(2, [&](const Vector& x) {
    ++made;
    last = x;
    return data(x);
  });
  SliceState state{.position = Vector::Ones(2), .log_density = data(Vector::Ones(2))};
  for (std::uint32_t i = 0; i < 1000; ++i) {
    made = 0;
    const int evaluations = elliptical_slice(state, counted, randomness(1, i));
    EXPECT_GE(evaluations, 1);
    EXPECT_EQ(evaluations, made);
    EXPECT_EQ(state.position, last);
    EXPECT_EQ(state.log_density, data(state.position));
    most = std::max(most, evaluations);
  }
  EXPECT_GT(most, 3);
}

TEST(EllipticalSlice, IsAFunctionOfItsStreams) {
  const GaussianData data{.H = Matrix::Identity(2, 2), .y = Vector::Constant(2, 1), .noise = 0.5};
  auto density = data.density();
  const Vector start = Vector::Zero(2);
  EXPECT_EQ(chain(start, density, 50), chain(start, density, 50));
  EXPECT_GT(relative_error(chain(start, density, 1, 2), chain(start, density, 1, 1)), 1e-3);
  SliceState one{.position = start, .log_density = data(start)}, two = one;
  SliceRandomness other = randomness(1, 0);
  other.slice.seed = 2;
  elliptical_slice(one, density, randomness(1, 0));
  elliptical_slice(two, density, other);
  EXPECT_EQ(one.ellipse, two.ellipse);
  EXPECT_NE(one.position, two.position);
}

}  // namespace
}  // namespace ridgelet
