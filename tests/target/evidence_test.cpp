#include "ridgelet/target/evidence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evidence_slopes.hpp"
#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::tolerance::two_routes;

const Matrix thirty_rows = RandomStream{.seed = 5}.normals(30, 3);
const Matrix Y = RandomStream{.seed = 6}.normals(30, 2);
const Vector noise = (Vector(2) << 0.4, 0.7).finished();

GaussianProcess process_with_evidence(const std::string& kernel, const std::string& mean = "0") {
  return {.kernel = parse_kernel(kernel), .mean = MeanFunction(mean)};
}

double log_evidence(const GaussianProcess& of, const Vector& noise_of) {
  return EvidenceFunction(thirty_rows, Y).at(of, noise_of)->log_evidence;
}

void expect_slopes(const GaussianProcess& of) {
  EvidenceFunction function(thirty_rows, Y);
  testing::expect_slopes_of_differences(function, of, noise);
}

TEST(Evidence, IsTheSumOfTheMarginalLikelihoodsOfTheOutputs) {
  for (const char* kernel : {"se(lengthscale=[1, 2, 0.7])", "matern12() * linear() + 0.3", "rq(alpha=0.4)"}) {
    const GaussianProcess of = process_with_evidence(kernel, "0.3*x - x2^2");
    double sum = 0;
    for (Index j = 0; j < 2; ++j)
      sum += GaussianProcessPosterior(of, thirty_rows, Y.col(j), noise(j)).log_marginal_likelihood();
    EXPECT_NEAR(log_evidence(of, noise), sum, two_routes * std::abs(sum)) << kernel;
  }
}

TEST(Evidence, HasTheSlopeOfItsDifferencesForEveryKernel) {
  for (const std::string& name : kernel_names()) {
    // Kernels with a period are kernels of one input.
    const bool repeats = name == "periodic" || name == "cosine";
    if (name != "outer")
      expect_slopes(process_with_evidence(name + (repeats ? "(period=1.3, active=[2])" : "()")));
  }
  expect_slopes(process_with_evidence("outer(x1 + sin(x2))"));
}

TEST(Evidence, HasTheSlopeOfItsDifferencesForALengthscaleForEachInput) {
  for (const char* name : {"se", "rq", "matern12", "matern32", "matern52"}) {
    expect_slopes(process_with_evidence(std::string(name) + "(amplitude=1.3, lengthscale=[0.8, 2.1, 1.4])"));
    expect_slopes(
        process_with_evidence(std::string(name) + "(amplitude=0.6, lengthscale=[0.8, 2.1], active=[3, 1])"));
  }
}

TEST(Evidence, HasTheSlopeOfItsDifferencesForSumsAndProducts) {
  expect_slopes(process_with_evidence("se(lengthscale=[1, 2, 3]) + linear(amplitude=0.4) + 0.2"));
  expect_slopes(process_with_evidence(
      "se(lengthscale=2) * periodic(period=1.7, active=[1]) + rq(lengthscale=[1, 2, 1.5])"));
  expect_slopes(process_with_evidence(
      "(matern32() + linear()) * (se(lengthscale=[2, 1, 3]) + cosine(period=2, active=[2]))"));
  expect_slopes(process_with_evidence("se() * matern52() * rq(alpha=2) + white(amplitude=0.3)"));
}

TEST(Evidence, HasTheSlopeOfItsDifferencesForTheMean) {
  expect_slopes(process_with_evidence("se()", "0.5 + 0.3*x1 - 0.2*x2^2"));
  expect_slopes(process_with_evidence("se()", "0.5*sin(1.3*x1 + 0.2) - exp(-0.4*x2)"));
}

TEST(Evidence, GivesTheSameWhenItsMemoryIsUsedAgain) {
  EvidenceFunction function(thirty_rows, Y);
  const auto first = function.at(process_with_evidence("se()", "0.1*x"), noise);
  function.at(process_with_evidence("linear() * matern12() + rq()", "2"), 2 * noise);
  const auto again = function.at(process_with_evidence("se()", "0.1*x"), noise);
  EXPECT_EQ(first->log_evidence, again->log_evidence);
  EXPECT_EQ(first->kernel_slope, again->kernel_slope);
  EXPECT_EQ(first->mean_slope, again->mean_slope);
  EXPECT_EQ(first->noise_slope, again->noise_slope);
}

TEST(Evidence, LeavesOutTheSlopesThatNobodyAskedFor) {
  const auto evidence =
      EvidenceFunction(thirty_rows, Y)
          .at(process_with_evidence("se()", "1"), noise, {.kernel = false, .mean = false, .noise = false});
  EXPECT_EQ(evidence->kernel_slope.size() + evidence->mean_slope.size() + evidence->noise_slope.size(), 0);
  EXPECT_EQ(evidence->log_evidence, log_evidence(process_with_evidence("se()", "1"), noise));
}

TEST(Evidence, IsNothingWhereTheCovarianceIsNotPositiveDefinite) {
  EvidenceFunction function(Matrix::Zero(20, 1), Matrix::Ones(20, 1));
  EXPECT_FALSE(function.at(process_with_evidence("constant(amplitude=1e6)"), Vector::Constant(1, 1e-6)));
  EXPECT_FALSE(function.at(process_with_evidence("se()", "log(x)"), Vector::Constant(1, 1)));
}

TEST(Evidence, RefusesDataAndNoiseThatDoNotFit) {
  EXPECT_EQ(complaint_of([] { EvidenceFunction(thirty_rows, Y.topRows(7)); }), "y: must have 30 rows, got 7");
  EXPECT_EQ(complaint_of(
                [] { EvidenceFunction(thirty_rows, Y).at(process_with_evidence("se()"), Vector::Zero(2)); }),
            "noise: must be positive and finite, got 0");
  EXPECT_EQ(complaint_of(
                [] { EvidenceFunction(thirty_rows, Y).at(process_with_evidence("se()"), Vector::Ones(3)); }),
            "noise: must have 2 rows, got 3");
}

}  // namespace
}  // namespace ridgelet
