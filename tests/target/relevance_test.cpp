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
  EXPECT_EQ(irrelevant_inputs(values), std::vector<Index>{2});
}

TEST(Relevance, CountsEveryTermAndTheMeanButNotWhiteNoise) {
  const Vector y = unit_response();
  EXPECT_EQ(irrelevant_inputs(relevance("se(lengthscale=[1, 99, 99]) + se(lengthscale=[99, 99, 1])", y)),
            std::vector<Index>{1});
  EXPECT_EQ(irrelevant_inputs(relevance("se(lengthscale=[1, 99, 99])", y, "x3")), std::vector<Index>{1});
  EXPECT_EQ(irrelevant_inputs(relevance("se(active=[1]) + white()", y)), (std::vector<Index>{1, 2}));
  EXPECT_EQ(irrelevant_inputs(relevance("linear(active=[2])", y)), (std::vector<Index>{0, 2}));
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
  EXPECT_EQ(irrelevant_inputs(input_relevance(learned.process, columns, y / sd)),
            (std::vector<Index>{5, 6, 7, 8, 9}));
}

}  // namespace
}  // namespace ridgelet
