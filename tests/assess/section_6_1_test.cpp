// The example of the paper's Section 6.1: the squared exponential of lengthscale 1.5 on [-5, 5], tanh,
// bandwidths 3 and 12, 200 nodes. The expected errors are those of an independent implementation.
#include <gtest/gtest.h>

#include <string>

#include "expectations.hpp"
#include "ridgelet/assess/approximation.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

double mean_mrmse(const OperatorSettings& op, Index units, UnitsFrom units_from = UnitsFrom::independent,
                  Index replicates = 100) {
  const ThreadScope threads(2);
  const RidgeletPrior prior({.target = {.kernel = parse_kernel("se(amplitude=1, lengthscale=1.5)")},
                             .nodes = grid(6, 200, 1, 5),
                             .units = units,
                             .hidden = {.sigma_w = 3, .sigma_b = 12, .units_from = units_from},
                             .op = op});
  const Matrix points = Vector::LinSpaced(200, -5, 5);
  const double mrmse =
      assess_approximation(prior, points, points, {.replicates = replicates, .seed = 1}).mrmse.mean;
  ::testing::Test::RecordProperty("mrmse_" + std::to_string(units), std::to_string(mrmse));
  return mrmse;
}

TEST(Section61, ErrorOfTheRidgeletOperatorFallsAsInThePaper) {
  const struct {
    Index units;
    double mrmse;
  } expected[] = {{100, 5.3}, {300, 2.9}, {1000, 1.7}, {5000, 0.80}, {30000, 0.385}};
  for (const auto& [units, mrmse] : expected)
    EXPECT_NEAR(mean_mrmse({.name = "ridgelet"}, units), mrmse, 0.1 * mrmse) << units << " units";
}

// What the bandwidths leave is about 0.22, so that the units add little more.
TEST(Section61, EightThousandSobolUnitsDoBetterThanThirtyThousandIndependentOnes) {
  EXPECT_LE(mean_mrmse({.name = "ridgelet"}, 8192, UnitsFrom::sobol, 20), 0.30);
}

TEST(Section61, LeastSquaresNeedsAHundredUnitsForWhatTheRidgeletOperatorCannotDoWithThirtyThousand) {
  EXPECT_LE(mean_mrmse({.name = "least-squares", .ridge = 1e-6}, 100), 0.03);
  EXPECT_LE(mean_mrmse({.name = "least-squares", .ridge = 1e-6}, 300), 0.002);
}

}  // namespace
}  // namespace ridgelet
