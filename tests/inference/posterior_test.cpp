#include "ridgelet/inference/posterior.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::standard_errors;
using testing::tolerance::two_routes;

RidgeletPrior example() {
  return RidgeletPrior(
      {.target = {.kernel = parse_kernel("se(lengthscale=1)"), .mean = MeanFunction("0.3*x1")},
       .nodes = grid(3, 3, 2, 3),
       .units = 6,
       .hidden = {.sigma_w = 1, .sigma_b = 2},
       .op = {.name = "least-squares", .ridge = 1e-2}});
}

Data random_data(Index rows) {
  return {.X = RandomStream{.seed = 5}.normals(rows, 2),
          .Y = RandomStream{.seed = 6}.normals(rows, 2),
          .noise = Vector::LinSpaced(2, 0.3, 0.6)};
}

PosteriorDraws sample(const LayerPrior& prior, const Data& data, std::uint32_t count, Index draws) {
  std::vector<Chain> chains;
  for (std::uint32_t i = 0; i < count; ++i) chains.emplace_back(prior, data, 1, i);
  PosteriorDraws kept = PosteriorDraws::allocate(chains, draws);
  run_chains(
      chains, static_cast<std::uint32_t>(draws),
      [&](Chain& chain, int evaluations) { kept.record(chain, chain.iteration() - 1, evaluations); },
      [] { return false; });
  return kept;
}

HiddenLayer layer_of(const PosteriorDraws& draws, Index draw, Index units) {
  const Vector row = draws.layers.row(draw);
  return {.W = row.head(row.size() - units).reshaped(units, row.size() / units - 1), .b = row.tail(units)};
}

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

const Matrix Xs = 1.5 * RandomStream{.seed = 7}.normals(4, 2);

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
    for (Index s = 0; s < 9; ++s) sum += normal_cdf((x - mean(s)) / sd(s));
    EXPECT_NEAR(sum / 9, p, 1e-8);
  }
}

TEST(PosteriorDraws, KeepADrawARowChainAfterChain) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = example();
  const Data data = random_data(5);
  const PosteriorDraws draws = sample(prior, data, 3, 4);
  EXPECT_EQ(draws.size(), 12);
  EXPECT_EQ(draws.draws_per_chain(), 4);
  EXPECT_EQ(draws.layers.cols(), 18);
  EXPECT_EQ(draws.coordinates.cols(), 2 * prior.rank());
  for (std::uint32_t i = 0; i < 3; ++i) {
    Chain chain(prior, data, 1, i);
    for (Index j = 0; j < 4; ++j) {
      const int evaluations = chain.step();
      const Index row = 4 * i + j;
      const HiddenLayer layer = layer_of(draws, row, 6);
      EXPECT_EQ(layer.W, chain.layers().first().W);
      EXPECT_EQ(layer.b, chain.layers().first().b);
      EXPECT_EQ(draws.coordinates.row(row).transpose(), chain.draw_coordinates().reshaped());
      EXPECT_EQ(draws.log_likelihood(row), chain.log_likelihood());
      EXPECT_EQ(draws.evaluations(row), evaluations);
    }
  }
}

/// Fewer data than the 9 coordinates, and more.
class PosteriorWith : public ::testing::TestWithParam<Index> {
 protected:
  const ThreadScope one_thread{1};
  const RidgeletPrior prior = example();
  const Data data = random_data(GetParam());
};

TEST_P(PosteriorWith, PredictsTheMixtureOfItsDraws) {
  const Posterior posterior(prior, data, MeanFunction("10*x2"), sample(prior, data, 2, 5));
  const Vector shift = 10 * Xs.col(1);
  for (const bool noise : {false, true}) {
    const PredictiveSummary summary = posterior.predict(Xs, {.noise = noise, .level = 0.8});
    for (Index k = 0; k < 2; ++k) {
      Matrix means(4, 10), variances(4, 10);
      for (Index s = 0; s < 10; ++s) {
        const GivenHidden given = prior.given(layer_of(posterior.draws(), s, 6));
        const Prediction one = LinearGaussianPosterior(given.output(data.X), data.Y.col(k), data.noise(k))
                                   .predict(given.output(Xs));
        means.col(s) = one.mean;
        variances.col(s) = one.variance.array() + (noise ? data.noise(k) * data.noise(k) : 0);
      }
      const Vector mean = means.rowwise().mean();
      const Vector second = (variances.array() + means.array().square()).rowwise().mean();
      EXPECT_LT(relative_error(summary.mean.col(k), mean + shift), two_routes);
      EXPECT_LT(relative_error(summary.sd.col(k), (second - mean.cwiseAbs2()).cwiseSqrt()), two_routes);
      const auto probability = [&](Index i, double at) {
        double sum = 0;
        for (Index s = 0; s < 10; ++s)
          sum += normal_cdf((at - shift(i) - means(i, s)) / std::sqrt(variances(i, s)));
        return sum / 10;
      };
      for (Index i = 0; i < 4; ++i) {
        EXPECT_NEAR(probability(i, summary.lower(i, k)), 0.1, 1e-8);
        EXPECT_NEAR(probability(i, summary.upper(i, k)), 0.9, 1e-8);
      }
    }
  }
}

TEST_P(PosteriorWith, AddsTheVarianceOfTheNoise) {
  const Posterior posterior(prior, data, MeanFunction("0"), sample(prior, data, 1, 3));
  const PredictiveSummary without = posterior.predict(Xs, {.noise = false}), with = posterior.predict(Xs);
  EXPECT_EQ(with.mean, without.mean);
  for (Index k = 0; k < 2; ++k)
    EXPECT_LT(relative_error(with.sd.col(k).cwiseAbs2(),
                             without.sd.col(k).cwiseAbs2().array() + data.noise(k) * data.noise(k)),
              two_routes);
}

TEST_P(PosteriorWith, GivesTheSameBitsForAnyNumberOfThreads) {
  const Posterior posterior(prior, data, MeanFunction("x1"), sample(prior, data, 2, 5));
  const auto numbers = [&](int threads) {
    const ThreadScope scope(threads);
    const PredictiveSummary s = posterior.predict(Xs);
    return std::tuple(s.mean, s.sd, s.lower, s.upper, posterior.functions(Xs, 1));
  };
  const auto one = numbers(1);
  EXPECT_EQ(one, numbers(2));
  EXPECT_EQ(one, numbers(4));
}

// Many draws of z at one hidden layer: both outputs together are Gaussian with the exact moments.
TEST_P(PosteriorWith, DrawsFunctionsWithTheMomentsItPredicts) {
  const Index count = 10'000, R = prior.rank();
  std::vector<Chain> chains;
  chains.emplace_back(prior, data, 3, 0);
  PosteriorDraws draws = PosteriorDraws::allocate(chains, count);
  const Vector position = chains[0].position();
  for (Index i = 0; i < count; ++i) {
    chains[0].resume(position, static_cast<std::uint32_t>(i));
    draws.record(chains[0], i, 1);
  }
  const Gaussian before = prior.given(chains[0].layers()).output(Xs),
                 at_data = prior.given(chains[0].layers()).output(data.X);
  const Posterior posterior(prior, data, MeanFunction("0"), std::move(draws));
  const Vector mean = posterior.predict(Xs, {.noise = false}).mean.reshaped();
  Matrix covariance = Matrix::Zero(8, 8), functions(count, 8);
  for (Index k = 0; k < 2; ++k) {
    const double s2 = data.noise(k) * data.noise(k);
    const Matrix P = Matrix::Identity(R, R) + at_data.factor.transpose() * at_data.factor / s2;
    covariance.block(4 * k, 4 * k, 4, 4) = before.factor * P.inverse() * before.factor.transpose();
    functions.middleCols(4 * k, 4) = posterior.functions(Xs, k);
  }
  const double n = static_cast<double>(count);
  const Vector average = functions.colwise().mean();
  const Matrix centred = functions.rowwise() - average.transpose();
  const Matrix sample_covariance = centred.transpose() * centred / (n - 1);
  for (Index i = 0; i < 8; ++i) {
    EXPECT_NEAR(average(i), mean(i), standard_errors * std::sqrt(covariance(i, i) / n));
    for (Index j = 0; j <= i; ++j) {
      const double variance = covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j);
      EXPECT_NEAR(sample_covariance(i, j), covariance(i, j), standard_errors * std::sqrt(variance / n));
    }
  }
}

TEST_P(PosteriorWith, GivesNetworksThatAreItsFunctions) {
  const IidPrior iid({.units = 6, .dimension = 2, .hidden = {.sigma_w = 1, .sigma_b = 2}, .sigma_out = 0.4});
  for (const LayerPrior* one :
       {static_cast<const LayerPrior*>(&prior), static_cast<const LayerPrior*>(&iid)}) {
    const PosteriorDraws draws = sample(*one, data, 2, 3);
    const Posterior posterior(*one, data, MeanFunction("0"), draws);
    const Posterior shifted(*one, data, MeanFunction("x1^2"), draws);
    for (Index k = 0; k < 2; ++k) {
      const Matrix functions = posterior.functions(Xs, k);
      Matrix sums = Matrix::Zero(6, 4);
      for (Index s = 0; s < 6; ++s) {
        const auto [hidden, output] = posterior.network(s, k);
        for (Index j = 0; j < 4; ++j)
          for (Index i = 0; i < 6; ++i)
            sums(s, j) += output(i) * one->activation().phi_scalar(hidden.first().W.row(i).dot(Xs.row(j)) +
                                                                   hidden.first().b(i));
      }
      EXPECT_LT(relative_error(functions, sums), two_routes) << one->name();
      const Matrix with_offset = sums.rowwise() + Xs.col(0).cwiseAbs2().transpose();
      EXPECT_LT(relative_error(shifted.functions(Xs, k), with_offset), two_routes) << one->name();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Data, PosteriorWith, ::testing::Values(4, 30));

TEST(Posterior, RefusesWhatItCannotPredict) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = example();
  const Data data = random_data(4);
  const Posterior posterior(prior, data, MeanFunction("0"), sample(prior, data, 2, 3));
  EXPECT_EQ(complaint_of([&] { posterior.predict(Matrix::Zero(3, 1)); }),
            "Xs: must have 2 columns, one for each input, got 1");
  EXPECT_EQ(complaint_of([&] { posterior.functions(Matrix::Zero(3, 3)); }),
            "Xs: must have 2 columns, one for each input, got 3");
  EXPECT_EQ(complaint_of([&] { posterior.predict(Matrix::Constant(1, 2, std::nan(""))); }),
            "Xs: must be finite, got nan in row 1, column 1");
  for (const double level : {0.0, 1.0, -0.5, 95.0, std::nan("")})
    EXPECT_EQ(complaint_of([&] { posterior.predict(Xs, {.level = level}); }).substr(0, 32),
              "level: must be between 0 and 1, ");
  EXPECT_EQ(complaint_of([&] { posterior.network(6); }), "draw: must be from 0 to 5, got 6");
  EXPECT_EQ(complaint_of([&] { posterior.network(-1); }), "draw: must be from 0 to 5, got -1");
  EXPECT_EQ(complaint_of([&] { posterior.network(0, 2); }).substr(0, 25), "output: must be from 0 to");
  EXPECT_EQ(complaint_of([&] { posterior.functions(Xs, -1); }).substr(0, 25), "output: must be from 0 to");
  EXPECT_EQ(complaint_of([&] { posterior.network(5); }), "");
  EXPECT_EQ(complaint_of([&] { Posterior(prior, data, MeanFunction("0"), PosteriorDraws()); }),
            "draws: must be at least 1, got 0");
}

}  // namespace
}  // namespace ridgelet
