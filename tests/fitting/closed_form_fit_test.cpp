#include "ridgelet/fitting/closed_form_fit.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/fitting/fit.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::two_routes;

RegressionTable wavy_table(Index rows = 80) {
  const Matrix X = RandomStream{.seed = 4}.normals(rows, 2);
  Matrix Y(rows, 1);
  Y.col(0) = X.col(0).array().sin() + 0.5 * X.col(1).array();
  Y += 0.1 * RandomStream{.seed = 5}.normals(rows, 1);
  return {.inputs = {"a", "b"}, .outputs = {"y"}, .X = X, .Y = Y};
}

FitSettings fixed_settings(double noise = 0.1) {
  FitSettings settings;
  settings.regression.model.kernel = "se(lengthscale=2)";
  settings.regression.model.noise = Vector::Constant(1, noise);
  return settings;
}

std::shared_ptr<const Regression> regression(double noise = 0.1) {
  return std::make_shared<const Regression>(fixed_settings(noise).regression, wavy_table());
}

TEST(ClosedFormFit, AgreesWithTheDenseFormulas) {
  const ClosedFormFit fitted = fit_closed_form(regression(), {.seed = 2});
  const Data& data = fitted.regression->data();
  const GivenHidden network(fitted.regression->prior(), 2, 0);
  const Matrix Xs = RandomStream{.seed = 9}.normals(10, 2);
  const Matrix C = network.covariance(data.X, data.X) + 0.01 * Matrix::Identity(80, 80);
  const Matrix k = network.covariance(Xs, data.X);
  const PredictiveSummary summary = fitted.posterior->predict(Xs, {.noise = false});
  EXPECT_LT(relative_error(summary.mean, k * C.ldlt().solve(data.Y)), 1e-8);
  const Vector variance = (network.covariance(Xs, Xs) - k * C.ldlt().solve(k.transpose())).diagonal();
  EXPECT_LT(relative_error(summary.sd.cwiseAbs2(), variance), 1e-8);
}

TEST(ClosedFormFit, IsNearTheExactProcess) {
  const Fit fitted = fit(wavy_table(), fixed_settings());
  ASSERT_TRUE(fitted.model.report().from_exact);
  EXPECT_LT(fitted.model.report().from_exact->mean, 0.01);
  EXPECT_LT(fitted.model.report().from_exact->sd, 0.01);
  EXPECT_LT(fitted.model.report().certificate.worst(), 0.02);
}

TEST(ClosedFormFit, PolishesOnlyWhatItMay) {
  const auto start = regression(0.3);
  const ClosedFormFit kept = fit_closed_form(start, {});
  EXPECT_EQ(kept.regression, start);
  const ClosedFormFit noise = fit_closed_form(start, {.polish_noise = true});
  EXPECT_NEAR(noise.regression->data().noise(0), 0.1, 0.03);
  EXPECT_EQ(parse_kernel(noise.regression->settings().model.kernel).text(),
            parse_kernel("se(lengthscale=2)").text());
  const ClosedFormFit both = fit_closed_form(start, {.polish_noise = true, .polish_amplitude = true});
  EXPECT_GE(both.posterior->networks()[0].log_evidence, noise.posterior->networks()[0].log_evidence);
}

TEST(ClosedFormFit, CarriesThePolishedAmplitudeIntoTheKernel) {
  const ClosedFormFit fitted = fit_closed_form(regression(), {.polish_amplitude = true});
  const GivenHidden again(fitted.regression->prior(), 0, 0);
  const Data& data = fitted.regression->data();
  const LinearGaussianPosterior exact(again.output(data.X), data.Y.col(0), data.noise(0));
  EXPECT_NEAR(fitted.posterior->networks()[0].log_evidence, exact.log_marginal_likelihood(), 1e-6);
}

TEST(ClosedFormFit, KeepsItsDigitsWhereTheNoiseIsSmallBesideTheFunction) {
  RegressionSettings settings = fixed_settings().regression;
  settings.model.kernel = "se(amplitude=1e6, lengthscale=2)";
  settings.model.noise = Vector::Constant(1, 1e-2);
  const auto large = std::make_shared<const Regression>(settings, wavy_table());
  const ClosedFormFit fitted = fit_closed_form(large, {});
  GivenHidden network(large->prior(), 0, 0);
  const RowSpectrum by_root = row_spectrum(network, large->data(), {.by_root = true});
  EXPECT_NEAR(fitted.posterior->networks()[0].log_evidence, by_root.log_evidence(0, 1e-2), 1e-6);
}

TEST(ClosedFormFit, InMixedPrecisionMovesPredictionsByLessThanAHundredthOfTheirSd) {
  const auto rows = std::make_shared<const Regression>(fixed_settings().regression, wavy_table(5000));
  for (const bool polish : {false, true}) {
    const ClosedFormSettings in_double{.networks = 2, .polish_noise = polish, .polish_amplitude = polish};
    ClosedFormSettings mixed = in_double;
    mixed.arithmetic = Arithmetic::mixed;
    const ClosedFormFit fitted = fit_closed_form(rows, mixed), exact = fit_closed_form(rows, in_double);
    ASSERT_TRUE(fitted.mixed && fitted.mixed->negligible());
    EXPECT_FALSE(exact.mixed);
    const PredictiveSummary ours = fitted.posterior->predict(rows->data().X, {.noise = false}),
                            expected = exact.posterior->predict(rows->data().X, {.noise = false});
    EXPECT_NE(ours.mean, expected.mean);
    EXPECT_LT((ours.mean - expected.mean).cwiseQuotient(expected.sd).cwiseAbs().maxCoeff(), 0.01);
    EXPECT_LT(relative_error(ours.sd, expected.sd), 0.01);
  }
}

TEST(ClosedFormFit, GoesBackToDoublePrecisionWhereMixedCostsSomething) {
  RegressionSettings settings = fixed_settings().regression;
  settings.model.kernel = "se(amplitude=1e6, lengthscale=2)";
  settings.model.noise = Vector::Constant(1, 1e-2);
  const auto large = std::make_shared<const Regression>(settings, wavy_table());
  const ClosedFormFit fitted = fit_closed_form(large, {.arithmetic = Arithmetic::mixed}),
                      exact = fit_closed_form(large, {});
  ASSERT_TRUE(fitted.mixed);
  EXPECT_FALSE(fitted.mixed->negligible());
  EXPECT_EQ(fitted.posterior->networks()[0].means, exact.posterior->networks()[0].means);
  EXPECT_EQ(fitted.posterior->networks()[0].roots[0], exact.posterior->networks()[0].roots[0]);
}

TEST(ClosedFormFit, InMixedPrecisionIsForFixedLayersAndGaussianNoise) {
  FitSettings settings = fixed_settings();
  settings.arithmetic = Arithmetic::mixed;
  settings.hidden = HiddenLayersAre::sampled;
  EXPECT_NE(complaint_of([&] { fit(wavy_table(), settings); }).find("precision"), std::string::npos);
  settings.hidden = HiddenLayersAre::fixed;
  settings.regression.model.noise.reset();
  settings.regression.model.likelihood = "student";
  EXPECT_NE(complaint_of([&] { fit(wavy_table(), settings); }).find("precision"), std::string::npos);
  EXPECT_NE(complaint_of([] { parse_arithmetic("single"); }), "");
}

TEST(ClosedFormFit, IsTheSameForOneAndTwoThreads) {
  const auto mean = [](int threads) {
    const ThreadScope scope(threads);
    FitSettings settings;  // everything learned
    return fit(wavy_table(), settings).model.predict(wavy_table().X).mean.eval();
  };
  EXPECT_EQ(mean(1), mean(2));
}

TEST(ClosedFormFit, OfSeveralNetworksReportsHowFarTheyAreApart) {
  FitSettings settings = fixed_settings();
  settings.regression.model.units = 20;
  settings.networks = 4;
  const Fit narrow = fit(wavy_table(), settings);
  settings.regression.model.units = 200;
  const Fit wide = fit(wavy_table(), settings);
  ASSERT_TRUE(narrow.model.report().spread && wide.model.report().spread);
  EXPECT_LT(*wide.model.report().spread, 0.5 * *narrow.model.report().spread);
  EXPECT_EQ(wide.model.closed_form().networks().size(), 4U);
}

TEST(ClosedFormFit, DoesNotDependOnTheUnitsOfTheColumns) {
  RegressionTable odd = wavy_table();
  odd.X.col(0) *= 1e6;
  odd.X.col(1) *= 1e-6;
  odd.Y = (1e-6 * odd.Y).array() + 10;
  const Matrix plain = fit(wavy_table(), {}).model.predict(wavy_table().X).mean;
  const Matrix scaled = fit(odd, {}).model.predict(odd.X).mean;
  EXPECT_LT(relative_error((1e6 * (scaled.array() - 10)).matrix(), plain), 1e-6);
}

TEST(FittedModel, HasNoErrorOrAnInfiniteOneWhereTheProcessDoesNotVary) {
  FitSettings settings = fixed_settings();
  settings.regression.model.kernel = "outer(max(x1, 0))";
  settings.force = true;
  const Vector error = fit(wavy_table(), settings).model.relative_error(Matrix{{-1, 0}, {0, 0}, {1, 0}});
  for (const double each : error.head(2)) EXPECT_TRUE(each == 0 || std::isinf(each)) << each;
  EXPECT_TRUE(std::isfinite(error(2)));
}

TEST(FittedModel, HasALargerErrorWhereThereAreNoNodes) {
  const Fit fitted = fit(wavy_table(), fixed_settings());
  Matrix Xs(2, 2);
  Xs << 0, 0, 30, 30;
  const Vector error = fitted.model.relative_error(Xs);
  EXPECT_LT(error(0), 0.05);
  EXPECT_GT(error(1), 0.5);
  EXPECT_EQ(fitted.model.regression().outside_domain(Xs), (std::vector<bool>{false, true}));
}

TEST(FittedModel, IsAPlainNetworkInTheUnitsOfTheTable) {
  RegressionTable odd = wavy_table();
  odd.X.col(0) *= 1e3;
  odd.Y = (10 * odd.Y).array() + 300;
  const Fit fitted = fit(odd, {});
  EXPECT_LT(relative_error(fitted.model.network()(odd.X), fitted.model.predict(odd.X).mean), two_routes);
}

TEST(ClosedFormFit, RefusesNoNetworks) {
  EXPECT_NE(complaint_of([] { fit_closed_form(regression(), {.networks = 0}); }), "");
}

}  // namespace
}  // namespace ridgelet
