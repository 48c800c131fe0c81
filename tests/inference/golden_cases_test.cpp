// From a hidden layer and data to every number that follows, against an independent implementation.
#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "golden.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::as_matrix;
using testing::as_vector;
using testing::entrywise_error;
using testing::relative_error;
using testing::tolerance::golden_cases;

class GoldenCase : public ::testing::TestWithParam<std::size_t> {
 protected:
  static PriorOptions options_of(const nlohmann::json& c) {
    return {.target = {.kernel = parse_kernel(c.at("kernel").get<std::string>()),
                       .mean = MeanFunction(c.at("mean").get<std::string>())},
            .nodes = grid(c.at("half_width").get<double>(), c.at("points_per_axis").get<Index>(),
                          c.at("dimension").get<Index>(), c.at("support").get<double>()),
            .activation = c.at("activation").get<std::string>(),
            .units = c.at("units").get<Index>(),
            .hidden = {.sigma_w = c.at("sigma_w").get<double>(), .sigma_b = c.at("sigma_b").get<double>()},
            .op = {.name = c.at("operator").get<std::string>(),
                   .ridge = c.at("ridge").get<double>(),
                   .order = c.at("order").get<int>()}};
  }

  const nlohmann::json& golden = testing::golden().at("cases").at(GetParam());
  const RidgeletPrior prior{options_of(golden)};
  const GivenHidden given{prior, HiddenLayer{.W = as_matrix(golden.at("W")), .b = as_vector(golden.at("b"))}};
  const Matrix X = as_matrix(golden.at("X")), Xs = as_matrix(golden.at("Xs"));
  const Vector y = as_vector(golden.at("y"));
  const double noise = golden.at("noise").get<double>();
  const LinearGaussianPosterior posterior{given.output(X), y, noise};
  const GaussianProcessPosterior process{prior.options().target, X, y, noise};

  void expect_number(double value, const std::string& name) const {
    const double expected = golden.at(name).get<double>();
    EXPECT_NEAR(value, expected, golden_cases * std::abs(expected)) << name;
  }
};

TEST_P(GoldenCase, HasTheLayerItSays) {
  EXPECT_EQ(given.path().layers().first().units(), golden.at("units").get<Index>());
  EXPECT_EQ(given.path().layers().first().dimension(), golden.at("dimension").get<Index>());
}

TEST_P(GoldenCase, HasTheNetworkCovariance) {
  EXPECT_LT(relative_error(given.covariance(Xs, Xs), as_matrix(golden.at("network_covariance"))),
            golden_cases);
}

TEST_P(GoldenCase, HasTheErrorAgainstTheProcess) {
  EXPECT_LT(entrywise_error(given.rmse(Xs), as_vector(golden.at("rmse_at_Xs"))), golden_cases);
}

TEST_P(GoldenCase, HasTheLogMarginalLikelihood) {
  expect_number(posterior.log_marginal_likelihood(), "log_marginal_likelihood");
}

TEST_P(GoldenCase, HasThePredictions) {
  const Prediction prediction = posterior.predict(given.output(Xs));
  EXPECT_LT(entrywise_error(prediction.mean, as_vector(golden.at("predictive_mean"))), golden_cases);
  EXPECT_LT(entrywise_error(prediction.variance, as_vector(golden.at("predictive_variance"))), golden_cases);
}

TEST_P(GoldenCase, HasTheExactProcess) {
  expect_number(process.log_marginal_likelihood(), "gp_log_marginal_likelihood");
  EXPECT_LT(entrywise_error(process.mean(Xs), as_vector(golden.at("gp_mean"))), golden_cases);
  EXPECT_LT(entrywise_error(process.variance(Xs), as_vector(golden.at("gp_variance"))), golden_cases);
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenCase,
                         ::testing::Range(std::size_t{0}, testing::golden().at("cases").size()));

}  // namespace
}  // namespace ridgelet
