#include "ridgelet/inference/posterior.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <optional>

#include "expectations.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "small_posterior.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::NetworkChain;
using testing::posterior_of;
using testing::relative_error;
using testing::sample_network;
using testing::small_network;
using testing::two_outputs;
using testing::tolerance::standard_errors;
using testing::tolerance::two_routes;

HiddenLayer layer_of(const PosteriorDraws& draws, Index draw, Index units) {
  const Vector row = draws.layers.row(draw);
  return {.W = row.head(row.size() - units).reshaped(units, row.size() / units - 1), .b = row.tail(units)};
}

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

const Matrix Xs = 1.5 * RandomStream{.seed = 7}.normals(4, 2);

TEST(PosteriorDraws, KeepADrawARowChainAfterChain) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = small_network();
  const Data data = two_outputs(5);
  const PosteriorDraws draws = sample_network(prior, data, 3, 4);
  EXPECT_EQ(draws.size(), 12);
  EXPECT_EQ(draws.draws_per_chain(), 4);
  EXPECT_EQ(draws.layers.cols(), 18);
  EXPECT_EQ(draws.coordinates.cols(), 2 * prior.rank());
  for (std::uint32_t i = 0; i < 3; ++i) {
    NetworkChain chain(prior, data, 1, i);
    for (Index j = 0; j < 4; ++j) {
      const int evaluations = chain.step();
      const Index row = 4 * i + j;
      const HiddenLayer layer = layer_of(draws, row, 6);
      EXPECT_EQ(layer.W, chain.layers().first().W);
      EXPECT_EQ(layer.b, chain.layers().first().b);
      EXPECT_EQ(draws.coordinates.row(row).transpose(), chain.draw_coordinates().reshaped());
      EXPECT_EQ(draws.log_likelihood(row), chain.log_density());
      EXPECT_EQ(draws.evaluations(row), evaluations);
    }
  }
}

/// Fewer data than the 9 coordinates, and more.
class PosteriorWith : public ::testing::TestWithParam<Index> {
 protected:
  const ThreadScope one_thread{1};
  const RidgeletPrior prior = small_network();
  const Data data = two_outputs(GetParam());
};

TEST_P(PosteriorWith, PredictsTheMixtureOfItsDraws) {
  const Posterior posterior = posterior_of(prior, data, "10*x2", sample_network(prior, data, 2, 5));
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
  const Posterior posterior = posterior_of(prior, data, "0", sample_network(prior, data, 1, 3));
  const PredictiveSummary without = posterior.predict(Xs, {.noise = false}), with = posterior.predict(Xs);
  EXPECT_EQ(with.mean, without.mean);
  for (Index k = 0; k < 2; ++k)
    EXPECT_LT(relative_error(with.sd.col(k).cwiseAbs2(),
                             without.sd.col(k).cwiseAbs2().array() + data.noise(k) * data.noise(k)),
              two_routes);
}

TEST_P(PosteriorWith, HasTheJointCovarianceOfItsDraws) {
  const Posterior posterior = posterior_of(prior, data, "x1", sample_network(prior, data, 2, 3));
  const PredictiveMixture moments = posterior.moments(Xs);
  for (Index k = 0; k < 2; ++k) {
    const Matrix means = moments.means.middleCols(4 * k, 4);
    const Matrix centred = means.rowwise() - means.colwise().mean();
    Matrix expected = centred.transpose() * centred / 6;
    for (Index s = 0; s < 6; ++s) {
      const GivenHidden given = prior.given(layer_of(posterior.draws(), s, 6));
      const Matrix G = given.output(Xs).factor, at_data = given.output(data.X).factor;
      const double s2 = data.noise(k) * data.noise(k);
      const Matrix P = Matrix::Identity(G.cols(), G.cols()) + at_data.transpose() * at_data / s2;
      expected += G * P.inverse() * G.transpose() / 6;
    }
    EXPECT_LT(relative_error(posterior.covariance(Xs, k), expected), two_routes);
  }
}

TEST_P(PosteriorWith, HasTheMomentsOfAveragesByItsJointCovariance) {
  const Posterior posterior = posterior_of(prior, data, "x1", sample_network(prior, data, 2, 3));
  const PredictiveMixture averages = posterior.moments(Xs, 6, 2), single = posterior.moments(Xs);
  ASSERT_EQ(averages.means.cols(), 4);  // two averages of each output
  for (Index i = 0; i < 4; ++i) {
    const Matrix C = posterior.covariance(Xs, i / 2).block(2 * (i % 2), 2 * (i % 2), 2, 2);
    const Vector means = averages.means.col(i);
    EXPECT_LT(relative_error(means, single.means.middleCols(2 * i, 2).rowwise().mean()), two_routes);
    EXPECT_NEAR(averages.sds.col(i).cwiseAbs2().mean() + (means.array() - means.mean()).square().mean(),
                C.mean(), two_routes * C.mean());
  }
}

TEST_P(PosteriorWith, GivesTheSameBitsForAnyNumberOfThreads) {
  const Posterior posterior = posterior_of(prior, data, "x1", sample_network(prior, data, 2, 5));
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
  NetworkChain chain(prior, data, 3, 0);
  PosteriorDraws draws = PosteriorDraws::allocate(prior, 2, 1, count);
  const Vector position = chain.position();
  for (Index i = 0; i < count; ++i) {
    chain.resume(position, static_cast<std::uint32_t>(i));
    chain.record(draws, i, 1);
  }
  const Gaussian before = prior.given(chain.layers()).output(Xs),
                 at_data = prior.given(chain.layers()).output(data.X);
  const Posterior posterior = posterior_of(prior, data, "0", std::move(draws));
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
    const PosteriorDraws draws = sample_network(*one, data, 2, 3);
    const Posterior posterior = posterior_of(*one, data, "0", draws);
    const Posterior shifted = posterior_of(*one, data, "x1^2", draws);
    for (Index k = 0; k < 2; ++k) {
      const Matrix functions = posterior.functions(Xs, k);
      Matrix sums = Matrix::Zero(6, 4);
      for (Index s = 0; s < 6; ++s) {
        const Network network = posterior.network(s);
        const HiddenLayer& hidden = network.hidden.first();
        for (Index j = 0; j < 4; ++j)
          for (Index i = 0; i < 6; ++i)
            sums(s, j) += network.output_weights(i, k) *
                          one->activation().phi_scalar(hidden.W.row(i).dot(Xs.row(j)) + hidden.b(i));
      }
      EXPECT_LT(relative_error(functions, sums), two_routes) << one->name();
      const Matrix with_offset = sums.rowwise() + Xs.col(0).cwiseAbs2().transpose();
      EXPECT_LT(relative_error(shifted.functions(Xs, k), with_offset), two_routes) << one->name();
    }
  }
}

TEST_P(PosteriorWith, PredictsTheSameInBlocksOfAnySize) {
  const Posterior posterior = posterior_of(prior, data, "x1", sample_network(prior, data, 2, 3));
  const Matrix asked = RandomStream{.seed = 8}.normals(11, 2);
  const PredictiveSummary whole = posterior.predict(asked);
  for (const Index block : {1, 2, 3, 7, 11, 100}) {
    const PredictiveSummary cut = posterior.predict(asked, {.row_block = block});
    EXPECT_LT(relative_error(cut.mean, whole.mean), two_routes) << block;
    EXPECT_LT(relative_error(cut.sd, whole.sd), two_routes) << block;
    EXPECT_LT(relative_error(cut.lower, whole.lower), two_routes) << block;
    EXPECT_LT(relative_error(cut.upper, whole.upper), two_routes) << block;
  }
}

// A response near 1e6 with noise 0.01: the spread is 1e-8 of the values.
TEST_P(PosteriorWith, EndsWhereTheSpreadIsSmallBesideTheValues) {
  Data large = data;
  large.Y.array() = 1e6 + 0.01 * data.Y.array();
  large.noise.setConstant(0.01);
  Data shifted = large;
  shifted.Y.array() -= 1e6;
  const PosteriorDraws draws = sample_network(prior, shifted, 1, 3);
  const Posterior posterior = posterior_of(prior, shifted, "1000000", draws),
                  near_zero = posterior_of(prior, shifted, "0", draws);
  for (const bool noise : {false, true}) {
    const PredictiveSummary far = posterior.predict(Xs, {.noise = noise}),
                            near = near_zero.predict(Xs, {.noise = noise});
    EXPECT_LT(relative_error(far.lower.array() - 1e6, near.lower), 1e-6);
    EXPECT_LT(relative_error(far.upper.array() - 1e6, near.upper), 1e-6);
    const PredictiveSummary network_reaches_up = posterior_of(prior, large, "0", draws).predict(Xs);
    EXPECT_TRUE((network_reaches_up.lower.array() < network_reaches_up.upper.array()).all());
  }
}

// Both operators, two and three layers, with and without skip connections; the prior is gone when the network
// is evaluated.
TEST(Posterior, GivesNetworksOfAnyDepthThatAreItsFunctionsWithoutThePrior) {
  const ThreadScope one_thread(1);
  const Data data = two_outputs(12);
  for (const std::string op : {"ridgelet", "least-squares"})
    for (const Index layers : {2, 3})
      for (const bool skip : {false, true}) {
        PriorOptions options = small_network().options();
        options.op.name = op;
        options.layers = layers;
        options.skip = skip;
        std::vector<Network> networks;
        std::vector<Matrix> functions;
        {
          const RidgeletPrior prior(options);
          const Posterior posterior = posterior_of(prior, data, "x1^2", sample_network(prior, data, 1, 3));
          for (Index s = 0; s < 3; ++s) networks.push_back(posterior.network(s));
          for (Index k = 0; k < 2; ++k) functions.push_back(posterior.functions(Xs, k));
        }
        for (Index s = 0; s < 3; ++s) {
          const Matrix outputs = networks[static_cast<std::size_t>(s)](Xs);
          for (Index k = 0; k < 2; ++k)
            EXPECT_LT(
                relative_error(outputs.col(k), functions[static_cast<std::size_t>(k)].row(s).transpose()),
                two_routes)
                << op << ", " << layers << " layers, draw " << s;
        }
      }
}

INSTANTIATE_TEST_SUITE_P(Data, PosteriorWith, ::testing::Values(4, 30));

TEST(Posterior, CountsTheMemoryOfAPrediction) {
  const ThreadScope two_threads(2);
  const RidgeletPrior prior = small_network();
  const Data data = two_outputs(30);
  const Posterior posterior = posterior_of(prior, data, "0", sample_network(prior, data, 2, 4));
  // A row of a summary takes 8 (1 + 4 outputs) bytes, and a block takes what it takes however many rows follow.
  const double million = posterior.prediction_bytes(1'000'000, {.row_block = 100}),
               hundred = posterior.prediction_bytes(100, {.row_block = 100});
  EXPECT_DOUBLE_EQ(million - hundred, 8.0 * 9 * (1'000'000 - 100));
  EXPECT_LT(posterior.prediction_bytes(1'000'000) - 8e6 * 9, 300e6);
  // [A m, G] of both threads and the moments of all draws: at least 8 (2 (1 + R) + 2 8 2) bytes a row.
  const double per_row = posterior.prediction_bytes(1000, {.row_block = 1000}) -
                         posterior.prediction_bytes(1000, {.row_block = 999});
  EXPECT_GT(per_row, 8 * (2 * (1 + 9) + 2 * 8 * 2));
  EXPECT_LT(per_row, 8 * (2 * (4 * 10 + 2 * 9 + 256) + 2 * 8 * 2));
}

TEST(Posterior, KeepsPriorAndDataAlive) {
  PredictiveSummary expected;
  std::optional<Posterior> posterior;
  {
    const auto prior = std::make_shared<const RidgeletPrior>(small_network());
    const auto data = std::make_shared<const Data>(two_outputs(6));
    posterior.emplace(prior, data, MeanFunction("0"), sample_network(*prior, *data, 1, 2));
    expected = posterior->predict(Xs);
  }
  EXPECT_EQ(posterior->predict(Xs).mean, expected.mean);
}

TEST(Posterior, RefusesWhatItCannotPredict) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = small_network();
  const Data data = two_outputs(4);
  const Posterior posterior = posterior_of(prior, data, "0", sample_network(prior, data, 2, 3));
  EXPECT_EQ(complaint_of([&] { posterior.predict(Matrix::Zero(3, 1)); }),
            "Xs: must have 2 columns, one for each input, got 1");
  EXPECT_EQ(complaint_of([&] { posterior.functions(Matrix::Zero(3, 3)); }),
            "Xs: must have 2 columns, one for each input, got 3");
  EXPECT_EQ(complaint_of([&] { posterior.predict(Matrix::Constant(1, 2, std::nan(""))); }),
            "Xs: must be finite, got nan in row 1, column 1");
  for (const double level : {0.0, 1.0, -0.5, 95.0, std::nan("")})
    EXPECT_EQ(complaint_of([&] { posterior.predict(Xs, {.level = level}); }).substr(0, 32),
              "level: must be between 0 and 1, ");
  EXPECT_EQ(complaint_of([&] { posterior.predict(Xs, {.row_block = -1}); }),
            "row_block: must be at least 0, got -1");
  EXPECT_EQ(complaint_of([&] { posterior.network(6); }), "draw: must be from 0 to 5, got 6");
  EXPECT_EQ(complaint_of([&] { posterior.network(-1); }), "draw: must be from 0 to 5, got -1");
  EXPECT_EQ(complaint_of([&] { posterior.functions(Xs, -1); }).substr(0, 25), "output: must be from 0 to");
  EXPECT_EQ(complaint_of([&] { posterior.network(5); }), "");
  EXPECT_EQ(complaint_of([&] { posterior_of(prior, data, "0", PosteriorDraws()); }),
            "draws: must be at least 1, got 0");
}

}  // namespace
}  // namespace ridgelet
