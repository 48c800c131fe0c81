#include "ridgelet/target/relevance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ridgelet/core/random.hpp"
#include "ridgelet/target/kernel_choice.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/learning.hpp"

namespace ridgelet {
namespace {

const Matrix three_inputs = RandomStream{.seed = 1}.normals(200, 3);

Vector relevance(const std::string& kernel, const Vector& y, const std::string& mean = "0") {
  return input_relevance({.kernel = parse_kernel(kernel), .mean = MeanFunction(mean)}, three_inputs, y);
}

/// The inputs whose relevance alone is small.
std::vector<Index> flat(const Vector& relevance) {
  std::vector<Index> inputs;
  for (Index k = 0; k < relevance.size(); ++k)
    if (relevance(k) < hardly_relevant) inputs.push_back(k);
  return inputs;
}

/// The inputs that hardly matter for y, by this process with this noise.
std::vector<Index> irrelevant(const GaussianProcess& process, double noise, const Matrix& X,
                              const Vector& y) {
  return irrelevant_inputs(process, Vector{{noise}}, X, y, input_relevance(process, X, y));
}

/// As many values as there are rows, with mean 0 and standard deviation 1.
Vector unit_response() {
  Vector y(three_inputs.rows());
  for (Index i = 0; i < y.size(); ++i) y(i) = i % 2 == 0 ? 1 : -1;
  return y;
}

double column_sd(Index k) {
  return std::sqrt((three_inputs.col(k).array() - three_inputs.col(k).mean()).square().mean());
}

TEST(Relevance, IsOneMinusTheCorrelationAtTwoStandardDeviations) {
  const Vector values = relevance("se(lengthscale=[1, 5, 100])", unit_response());
  for (const auto& [k, l] : {std::pair{0, 1.0}, {1, 5.0}, {2, 100.0}}) {
    const double distance = 2 * column_sd(k) / l;
    EXPECT_NEAR(values(k), 1 - std::exp(-distance * distance / 2), 1e-12);
  }
  EXPECT_EQ(flat(values), std::vector<Index>{2});
}

TEST(Relevance, CountsEveryTermAndTheMeanButNotWhiteNoise) {
  const Vector y = unit_response();
  EXPECT_EQ(flat(relevance("se(lengthscale=[1, 99, 99]) + se(lengthscale=[99, 99, 1])", y)),
            std::vector<Index>{1});
  EXPECT_EQ(flat(relevance("se(lengthscale=[1, 99, 99])", y, "x3")), std::vector<Index>{1});
  EXPECT_EQ(flat(relevance("se(active=[1]) + white()", y)), (std::vector<Index>{1, 2}));
  EXPECT_EQ(flat(relevance("linear(active=[2])", y)), (std::vector<Index>{0, 2}));
}

TEST(Relevance, SeesAPeriodThatDividesTheDistance) {
  const Vector values =
      relevance("periodic(period=" + std::to_string(column_sd(0)) + ", active=[1])", unit_response());
  EXPECT_GT(values(0), 0.5);
}

TEST(Relevance, NamesTheFiveInputsThatFriedmansFunctionDoesNotUse) {
  constexpr Index rows = 500;
  Matrix inputs(rows, 10);
  const RandomStream uniform{.seed = 2};
  for (Index i = 0; i < inputs.size(); ++i)
    inputs(i % rows, i / rows) = uniform.uniform(static_cast<std::uint64_t>(i));
  const auto x = [&](Index k) { return inputs.col(k).array(); };
  Vector y = 10 * (std::numbers::pi * x(0) * x(1)).sin() + 20 * (x(2) - 0.5).square() + 10 * x(3) + 5 * x(4);
  y += RandomStream{.seed = 3}.normals(rows);
  y.array() -= y.mean();
  const double sd = std::sqrt(y.squaredNorm() / rows);
  const Matrix columns = (inputs.array() - 0.5) * std::sqrt(12.0);
  const LearnedTarget learned = learn_target({default_kernel(10)}, columns, y / sd, {.starts = 1});
  EXPECT_EQ(irrelevant(learned.process, learned.noise(0), columns, y / sd),
            (std::vector<Index>{5, 6, 7, 8, 9}));
}

/// 10 x1 + x2, in its standard deviations.
const Vector large_and_small_slope = (10 * three_inputs.col(0) + three_inputs.col(1)) / std::sqrt(101.0);
const GaussianProcess nearly_linear = {.kernel =
                                           parse_kernel("se(amplitude=10, lengthscale=[10, 200, 10000])")};

TEST(Relevance, AnInputWithASmallEffectBesideTheResponseMattersIfItIsLargeBesideTheNoise) {
  EXPECT_EQ(flat(input_relevance(nearly_linear, three_inputs, large_and_small_slope)),
            (std::vector<Index>{1, 2}));
  EXPECT_EQ(irrelevant(nearly_linear, 0.005, three_inputs, large_and_small_slope), std::vector<Index>{2});
  EXPECT_EQ(irrelevant(nearly_linear, 0.5, three_inputs, large_and_small_slope), (std::vector<Index>{1, 2}));
}

TEST(Relevance, TheEffectOfALinearInputIsTwiceTheSquareOfItsSlopeOverTheNoise) {
  const double noise = 0.005, slope = column_sd(1) / std::sqrt(101.0);
  const Vector effect =
      input_effects(nearly_linear, Vector{{noise}}, three_inputs, large_and_small_slope, {1});
  EXPECT_NEAR(effect(0) / (2 * slope * slope / (noise * noise)), 1, 0.05);
}

TEST(Relevance, AWhiteTermOfTheKernelIsNoise) {
  const GaussianProcess with_white = {.kernel = nearly_linear.kernel + parse_kernel("white(amplitude=0.4)")};
  EXPECT_EQ(irrelevant(with_white, 0.3, three_inputs, large_and_small_slope), (std::vector<Index>{1, 2}));
  const Vector all_noise =
      input_effects(nearly_linear, Vector{{0.5}}, three_inputs, large_and_small_slope, {1});
  const Vector split = input_effects(with_white, Vector{{0.3}}, three_inputs, large_and_small_slope, {1});
  EXPECT_NEAR(split(0), all_noise(0), 1e-6 * all_noise(0));
}

TEST(Relevance, NoInputIsCalledIrrelevantWhereThePosteriorDoesNotExist) {
  const Vector rough = unit_response();
  const GaussianProcess smooth = {.kernel = parse_kernel("se(lengthscale=[10, 1000, 1000])")};
  EXPECT_EQ(flat(input_relevance(smooth, three_inputs, rough)), (std::vector<Index>{1, 2}));
  EXPECT_TRUE(irrelevant(smooth, 1e-9, three_inputs, rough).empty());
}

}  // namespace
}  // namespace ridgelet
