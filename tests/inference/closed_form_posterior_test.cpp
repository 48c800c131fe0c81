#include "ridgelet/inference/closed_form_posterior.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/inference/mixture.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "small_posterior.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::small_network;
using testing::two_outputs;
using testing::tolerance::standard_errors;
using testing::tolerance::two_routes;

RidgeletPrior ten_units(Index layers = 1) {
  return small_network(10, layers);
}

ClosedFormPosterior closed_form_of(const RidgeletPrior& prior, const Data& data, std::uint32_t networks,
                                   const std::string& offset = "0") {
  std::vector<ClosedFormNetwork> all;
  for (std::uint32_t i = 0; i < networks; ++i) {
    GivenHidden given(prior, 1, i);
    all.push_back(closed_form_network(given.layers(), row_spectrum(given, data), data.noise));
  }
  return {testing::borrowed<LayerPrior>(prior), data.noise, MeanFunction(offset), std::move(all)};
}

const Matrix new_sites = 1.5 * RandomStream{.seed = 7}.normals(6, 2);

TEST(ClosedFormPosterior, IsThePosteriorGivenTheHiddenLayersAtAnyDepth) {
  for (const Index layers : {1, 2}) {
    const RidgeletPrior prior = ten_units(layers);
    const Data data = two_outputs(15);
    const ClosedFormPosterior posterior = closed_form_of(prior, data, 1);
    const GivenHidden given(prior, 1, 0);
    const PredictiveSummary summary = posterior.predict(new_sites, {.noise = false});
    for (Index k = 0; k < 2; ++k) {
      const LinearGaussianPosterior exact(given.output(data.X), data.Y.col(k), data.noise(k));
      const Prediction expected = exact.predict(given.output(new_sites));
      EXPECT_LT(relative_error(summary.mean.col(k), expected.mean), two_routes) << layers;
      EXPECT_LT(relative_error(summary.sd.col(k).cwiseAbs2(), expected.variance), two_routes) << layers;
    }
  }
}

TEST(ClosedFormPosterior, HasTheJointCovarianceOfItsNetworks) {
  const RidgeletPrior prior = ten_units();
  const Data data = two_outputs(15);
  const ClosedFormPosterior posterior = closed_form_of(prior, data, 3, "x1");
  const PredictiveMixture moments = posterior.moments(new_sites);
  for (Index k = 0; k < 2; ++k) {
    const Matrix means = moments.means.middleCols(6 * k, 6);
    const Matrix centred = means.rowwise() - means.colwise().mean();
    Matrix expected = centred.transpose() * centred / 3;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const GivenHidden given(prior, 1, i);
      const Matrix G = given.output(new_sites).factor, at_data = given.output(data.X).factor;
      const double s2 = data.noise(k) * data.noise(k);
      const Matrix P = Matrix::Identity(G.cols(), G.cols()) + at_data.transpose() * at_data / s2;
      expected += G * P.inverse() * G.transpose() / 3;
    }
    EXPECT_LT(relative_error(posterior.covariance(new_sites, k), expected), two_routes);
  }
  EXPECT_NE(complaint_of([&] { posterior.covariance(new_sites, 2); }).find("output: must be from 0 to 1"),
            std::string::npos);
}

TEST(ClosedFormPosterior, HasTheMomentsOfAveragesByItsJointCovariance) {
  const RidgeletPrior prior = ten_units();
  const ClosedFormPosterior posterior = closed_form_of(prior, two_outputs(15), 3, "x1");
  const PredictiveMixture averages = posterior.moments(new_sites, 3), single = posterior.moments(new_sites);
  ASSERT_EQ(averages.means.cols(), 4);  // two averages of each output
  for (Index i = 0; i < 4; ++i) {
    const Matrix C = posterior.covariance(new_sites, i / 2).block(3 * (i % 2), 3 * (i % 2), 3, 3);
    const Vector means = averages.means.col(i);
    EXPECT_LT(relative_error(means, single.means.middleCols(3 * i, 3).rowwise().mean()), two_routes);
    EXPECT_NEAR(averages.sds.col(i).cwiseAbs2().mean() + (means.array() - means.mean()).square().mean(),
                C.mean(), two_routes * C.mean());
  }
}

TEST(ClosedFormPosterior, AddsTheNoiseOfEachOutputAndTheOffset) {
  const RidgeletPrior prior = ten_units();
  const Data data = two_outputs(15);
  const ClosedFormPosterior plain = closed_form_of(prior, data, 1),
                            shifted = closed_form_of(prior, data, 1, "5*x2");
  const PredictiveSummary latent = plain.predict(new_sites, {.noise = false}),
                          noisy = shifted.predict(new_sites);
  for (Index k = 0; k < 2; ++k) {
    const Vector added = noisy.sd.col(k).cwiseAbs2() - latent.sd.col(k).cwiseAbs2();
    EXPECT_LT(relative_error(added, Vector::Constant(6, data.noise(k) * data.noise(k))), two_routes);
    EXPECT_LT(relative_error(noisy.mean.col(k), latent.mean.col(k) + 5 * new_sites.col(1)), two_routes);
    EXPECT_LT(relative_error(noisy.upper.col(k), noisy.mean.col(k) + 1.959963984540054 * noisy.sd.col(k)),
              1e-9);
  }
}

TEST(ClosedFormPosterior, OfSeveralNetworksIsTheirEqualMixture) {
  const RidgeletPrior prior = ten_units();
  const Data data = two_outputs(15);
  const ClosedFormPosterior several = closed_form_of(prior, data, 3);
  const PredictiveMixture moments = several.moments(new_sites);
  ASSERT_EQ(moments.means.rows(), 3);
  const PredictiveSummary summary = several.predict(new_sites, {.noise = false, .level = 0.8});
  for (Index i = 0; i < new_sites.rows(); ++i) {
    const Vector mu = moments.means.col(i), sd = moments.sds.col(i);
    EXPECT_NEAR(summary.mean(i, 0), mu.mean(), 1e-12);
    const double variance = sd.cwiseAbs2().mean() + (mu.array() - mu.mean()).square().mean();
    EXPECT_NEAR(summary.sd(i, 0), std::sqrt(variance), 1e-12);
    EXPECT_NEAR(summary.lower(i, 0), mixture_quantile(mu, sd, 0.1), 1e-10);
  }
  const PredictiveSummary first = closed_form_of(prior, data, 1).predict(new_sites, {.noise = false});
  EXPECT_LT(relative_error(moments.means.row(0).head(6).transpose(), first.mean.col(0)), two_routes);
}

TEST(ClosedFormPosterior, DrawsFunctionsWithItsOwnMomentsFromEveryNetwork) {
  const RidgeletPrior prior = ten_units();
  const ClosedFormPosterior posterior = closed_form_of(prior, two_outputs(15), 2, "x1");
  const Index count = 4000;
  const Matrix functions = posterior.functions(new_sites, count, 3, 1);
  for (const Index block : {1, 4})
    EXPECT_LT((posterior.functions(new_sites, count, 3, 1, block) - functions).cwiseAbs().maxCoeff(),
              two_routes);
  const PredictiveMixture moments = posterior.moments(new_sites);
  for (Index s = 0; s < 2; ++s)
    for (Index i = 0; i < new_sites.rows(); ++i) {
      double sum = 0, squares = 0;
      for (Index j = s; j < count; j += 2) {
        const double deviation = functions(j, i) - moments.means(s, 6 + i);
        sum += deviation;
        squares += deviation * deviation;
      }
      const double n = count / 2, sd = moments.sds(s, 6 + i);
      EXPECT_LT(std::abs(sum / n), standard_errors * sd / std::sqrt(n));
      EXPECT_LT(std::abs(squares / n - sd * sd), standard_errors * sd * sd * std::sqrt(2 / n));
    }
}

TEST(ClosedFormPosterior, IsPredictedByThePlainNetworkOfItsMean) {
  const RidgeletPrior prior = ten_units(2);
  const ClosedFormPosterior posterior = closed_form_of(prior, two_outputs(15), 2, "x1*x2");
  const PredictiveMixture moments = posterior.moments(new_sites);
  for (Index s = 0; s < 2; ++s) {
    const Matrix values = posterior.network(s)(new_sites);
    for (Index k = 0; k < 2; ++k)
      EXPECT_LT(relative_error(values.col(k), moments.means.row(s).segment(6 * k, 6).transpose()),
                two_routes);
  }
}

TEST(ClosedFormPosterior, IsTheSameHoweverNewRowsAreCut) {
  const RidgeletPrior prior = ten_units();
  const ClosedFormPosterior posterior = closed_form_of(prior, two_outputs(15), 2);
  const PredictiveSummary whole = posterior.predict(new_sites);
  for (const Index block : {1, 2, 5}) {
    const PredictiveSummary cut = posterior.predict(new_sites, {.row_block = block});
    EXPECT_LT(relative_error(cut.mean, whole.mean), two_routes);
    EXPECT_LT(relative_error(cut.sd, whole.sd), two_routes);
  }
}

TEST(ClosedFormPosterior, RefusesNetworksOfAnotherSizeAndInputsOfAnotherWidth) {
  const RidgeletPrior prior = ten_units();
  const ClosedFormPosterior posterior = closed_form_of(prior, two_outputs(15), 1);
  EXPECT_NE(complaint_of([&] { posterior.predict(Matrix::Zero(2, 3)); }), "");
  EXPECT_NE(complaint_of([&] { posterior.predict(new_sites, {.level = 1}); }), "");
  std::vector<ClosedFormNetwork> networks = posterior.networks();
  networks[0].means.conservativeResize(1, 2);
  EXPECT_NE(complaint_of([&] {
              ClosedFormPosterior(testing::borrowed<LayerPrior>(prior), Vector{{0.3, 0.6}}, MeanFunction("0"),
                                  networks);
            }),
            "");
}

}  // namespace
}  // namespace ridgelet
