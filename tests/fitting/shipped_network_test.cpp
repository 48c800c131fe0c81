#include "ridgelet/fitting/shipped_network.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/fitting/fit.hpp"
#include "ridgelet/fitting/response.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;

RegressionTable shipped_table(Index outputs = 1) {
  const Matrix X = RandomStream{.seed = 4}.normals(60, 2);
  Matrix Y(60, outputs);
  for (Index k = 0; k < outputs; ++k)
    Y.col(k) = X.col(0).array().sin() + (0.5 + static_cast<double>(k)) * X.col(1).array();
  Y += 0.1 * RandomStream{.seed = 5}.normals(60, outputs);
  RegressionTable made{.inputs = {"a", "b"}, .outputs = {}, .X = X, .Y = Y};
  for (Index k = 0; k < outputs; ++k) made.outputs.push_back("y" + std::to_string(k));
  return made;
}

FitSettings small() {
  FitSettings settings;
  settings.regression.model.kernel = "se(lengthscale=2)";
  settings.regression.model.noise = Vector::Constant(1, 0.1);
  settings.regression.model.units = 60;
  return settings;
}

/// The network without the prior says what the model says with it, with noise and without.
void expect_the_same(const FittedModel& model, const ShippingOptions& options = {}) {
  const PredictiveNetwork network = ship_network(model, options).network;
  const Matrix Xs = model.regression().input_scaling().undo(1.3 * RandomStream{.seed = 9}.normals(40, 2));
  for (const bool noise : {true, false}) {
    const PredictiveSummary expected = model.predict(Xs, {.noise = noise});
    const PredictiveMoments got = network(Xs, noise);
    EXPECT_LT(relative_error(got.mean, expected.mean), 1e-12);
    EXPECT_LT(testing::entrywise_error(got.sd, expected.sd), 1e-10);
  }
}

TEST(ShippedNetwork, OfAFixedHiddenLayerPredictsWithoutThePrior) {
  expect_the_same(fit(shipped_table(), small()).model);
}

TEST(ShippedNetwork, OfSeveralNetworksIsTheirMixture) {
  FitSettings settings = small();
  settings.networks = 3;
  settings.regression.model.units = 20;
  const Fit fitted = fit(shipped_table(), settings);
  EXPECT_EQ(ship_network(fitted.model).network.components.size(), 3U);
  expect_the_same(fitted.model);
}

TEST(ShippedNetwork, OfADeepNetworkCrossesItsBridges) {
  for (const bool skip : {false, true}) {
    FitSettings settings = small();
    settings.regression.model.layers = 3;
    settings.regression.model.skip = skip;
    expect_the_same(fit(shipped_table(), settings).model);
  }
}

TEST(ShippedNetwork, OfStandardisedColumnsSpeaksTheTablesUnits) {
  RegressionTable odd = shipped_table(2);
  odd.X.col(0) = 1e3 * odd.X.col(0).array() + 2000;
  odd.Y.col(1) = 10 * odd.Y.col(1).array() + 300;
  FitSettings settings = small();
  settings.regression.model.standardise = true;
  settings.regression.model.noise = Vector{{0.1, 0.3}};
  settings.regression.model.mean = "0.3*x1 + 0.1";
  expect_the_same(fit(odd, settings).model);
}

TEST(ShippedNetwork, KeepsItsDigitsWhereTheMeanPassesThroughTheNetwork) {
  FitSettings settings = small();
  settings.regression.model.mean = "100 + x1^2";
  settings.regression.network_mean = true;
  RegressionTable high = shipped_table();
  high.Y.array() += 100 + high.X.col(0).array().square();
  expect_the_same(fit(high, settings).model);
}

TEST(ShippedNetwork, OfALogarithmPredictsTheResponseItself) {
  RegressionTable prices = shipped_table();
  prices.encoding = TableEncoding::of_numbers({"a", "b"}, {"price"});
  prices.encoding.outputs[0].transform = ResponseTransform::log;
  prices.outputs = {"log(price)"};
  const Fit fitted = fit(prices, small());
  const Matrix Xs = RandomStream{.seed = 9}.normals(40, 2);
  const PredictiveMixture mixture = fitted.model.mixture(Xs);
  const ResponseSummary expected =
      summarise_response(mixture.means, mixture.sds, ResponseTransform::log, Vector{{0.5}});
  const PredictiveMoments got = ship_network(fitted.model).network(Xs);
  EXPECT_LT(testing::entrywise_error(got.mean, expected.mean), 1e-12);
  EXPECT_LT(testing::entrywise_error(got.sd, expected.sd), 1e-10);
}

TEST(ShippedNetwork, DrawsTheFunctionsOfTheFit) {
  FitSettings settings = small();
  settings.networks = 2;
  const Fit fitted = fit(shipped_table(), settings);
  const Matrix Xs = RandomStream{.seed = 9}.normals(10, 2);
  EXPECT_LT(relative_error(ship_network(fitted.model).network.functions(Xs, 7, 3),
                           fitted.model.functions(Xs, 7, 3)),
            1e-10);
}

/// Two classes or counts along the first input, with more networks than are shipped by default with Gaussian noise.
Fit many_networks(const std::string& likelihood, HiddenLayersAre hidden = HiddenLayersAre::fixed) {
  RegressionTable table = shipped_table();
  table.encoding = TableEncoding::of_numbers({"a", "b"}, {"y0"});
  if (likelihood == "bernoulli") table.encoding.outputs[0].levels = {"low", "high"};
  table.Y = (table.X.col(0).array() > 0.3).cast<double>();
  FitSettings settings = small();
  settings.regression.model.noise.reset();
  settings.regression.model.units = 20;
  settings.regression.model.likelihood = likelihood;
  settings.hidden = hidden;
  if (hidden == HiddenLayersAre::fixed) settings.networks = 25;
  settings.sampling = {.chains = 2, .warmup = 5, .draws = 12};
  settings.force = true;
  return fit(std::move(table), settings);
}

TEST(ShippedNetwork, OfClassesHasTheProbabilitiesOfTheFitHoweverManyNetworksItHas) {
  const Fit fitted = many_networks("bernoulli");
  const Matrix Xs = RandomStream{.seed = 9}.normals(40, 2);
  const Vector expected = fitted.model.predict(Xs).mean;
  const ShippedNetwork all = ship_network(fitted.model);
  EXPECT_EQ(all.network.components.size(), 25U);
  EXPECT_LT((all.network.probabilities(Xs).col(1) - expected).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_FALSE(all.loss);
}

TEST(ShippedNetwork, OfSomeDrawsOfClassesStatesWhatTheProbabilitiesLose) {
  const Fit fitted = many_networks("bernoulli", HiddenLayersAre::sampled);
  const ShippedNetwork all = ship_network(fitted.model), few = ship_network(fitted.model, {.draws = 5});
  EXPECT_EQ(all.network.components.size(), 24U);
  EXPECT_EQ(few.network.components.size(), 5U);
  const Matrix& X = fitted.model.regression().table().X;
  const Matrix lost = all.network.probabilities(X) - few.network.probabilities(X);
  ASSERT_TRUE(few.loss);
  EXPECT_GT(few.loss->largest, 1e-3);
  EXPECT_NEAR(few.loss->largest, lost.cwiseAbs().maxCoeff(), 1e-12);
}

// Where a network has fewer draws than coordinates, the draws themselves are shipped, and with them their moments.
TEST(ShippedNetwork, OfCountsHasTheMomentsOfTheDrawsOfEveryNetwork) {
  const Fit fitted = many_networks("poisson");
  const Matrix Xs = RandomStream{.seed = 9}.normals(40, 2);
  const ShippedNetwork shipped = ship_network(fitted.model);
  const Matrix F = fitted.model.latent_functions(Xs);
  const Index S = F.rows() / 25;
  ASSERT_EQ(shipped.network.components.size(), 25U);
  Vector mean = Vector::Zero(40);
  for (Index i = 0; i < 25; ++i) {
    const Matrix f = F.middleRows(i * S, S);
    const Eigen::ArrayXd centre = f.colwise().mean().transpose();
    const Eigen::ArrayXd variance =
        (f.array().rowwise() - centre.transpose()).square().colwise().mean().transpose();
    mean.array() += (centre + variance / 2).exp() / 25;
  }
  EXPECT_LT(testing::entrywise_error(shipped.network(Xs).mean, mean), 1e-10);
}

TEST(ShippedNetwork, OfCountsStatesHowFarItsRatesAreFromThoseOfTheDraws) {
  const Fit fitted = many_networks("poisson");
  const ShippedNetwork shipped = ship_network(fitted.model);
  ASSERT_TRUE(shipped.rate_differences);
  EXPECT_FALSE(ship_network(many_networks("bernoulli").model).rate_differences);
  const Matrix& X = fitted.model.regression().table().X;
  Matrix outside = X;
  for (Index k = 0; k < X.cols(); ++k) {
    const double middle = (X.col(k).minCoeff() + X.col(k).maxCoeff()) / 2;
    outside.col(k) = middle + 1.5 * (X.col(k).array() - middle);
  }
  for (const auto& [Xs, stated] :
       {std::pair(X, shipped.rate_differences->data), {outside, shipped.rate_differences->outside}}) {
    const Matrix rates = fitted.model.latent_functions(Xs).array().exp();
    const Eigen::RowVectorXd mean = rates.colwise().mean();
    const Eigen::RowVectorXd sd = (rates.rowwise() - mean).array().square().colwise().mean().sqrt();
    const PredictiveMoments got = shipped.network(Xs);
    EXPECT_GT(stated.sd, 1e-4);
    EXPECT_NEAR(stated.mean, (got.mean.transpose() - mean).cwiseAbs().cwiseQuotient(mean).maxCoeff(), 1e-10);
    EXPECT_NEAR(stated.sd, (got.sd.transpose() - sd).cwiseAbs().cwiseQuotient(sd).maxCoeff(), 1e-10);
  }
}

TEST(ShippedNetwork, OfSampledHiddenLayersIsTheMixtureOfTheDraws) {
  FitSettings settings = small();
  settings.hidden = HiddenLayersAre::sampled;
  settings.sampling.chains = 2;
  settings.sampling.warmup = 5;
  settings.sampling.draws = 5;
  const Fit fitted = fit(shipped_table(), settings);
  expect_the_same(fitted.model, {.draws = 10});
  const Matrix Xs = RandomStream{.seed = 9}.normals(10, 2);
  const PredictiveMoments few = ship_network(fitted.model, {.draws = 4}).network(Xs);
  EXPECT_LT(relative_error(few.mean, fitted.model.predict(Xs, {.most_draws = 4}).mean), 1e-12);
}

TEST(ShippedNetwork, SaysWhatAPersonElsewhereMustKnow) {
  const Fit fitted = fit(shipped_table(), small());
  const ShippedNetwork shipped = ship_network(fitted.model, {.rank = 5});
  EXPECT_EQ(shipped.columns.input_names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(shipped.kernel, fitted.model.regression().settings().model.kernel);
  EXPECT_EQ(shipped.certificate.data, fitted.model.report().certificate.data);
  EXPECT_LT((shipped.domain.lower - shipped_table().X.colwise().minCoeff().transpose()).norm(), 1e-12);
  EXPECT_EQ(shipped.network.rank(), 5);
  ASSERT_TRUE(shipped.loss);
  EXPECT_GE(shipped.loss->largest, shipped.loss->root_mean_square);
  EXPECT_FALSE(ship_network(fitted.model).loss);
}

TEST(ShippedNetwork, RefusesNoDraws) {
  const Fit fitted = fit(shipped_table(), small());
  EXPECT_EQ(complaint_of([&] { ship_network(fitted.model, {.draws = 0}); }),
            "draws: must be at least 1, got 0");
}

TEST(ShippedNetwork, OfFixedHiddenLayersRefusesANumberOfDraws) {
  FitSettings settings = small();
  settings.networks = 3;
  const Fit fitted = fit(shipped_table(), settings);
  EXPECT_EQ(complaint_of([&] { ship_network(fitted.model, {.draws = 2}); }),
            "draws: are of sampled hidden layers, and those of this fit are fixed: all of its networks (3) "
            "leave; leave it out, got 2");
}

}  // namespace
}  // namespace ridgelet
