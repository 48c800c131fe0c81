#include "ridgelet/inference/pareto_smoothing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

/// Log weights of a Pareto tail u^-shape.
Vector pareto_log_weights(double shape, Index count) {
  Vector weights(count);
  for (Index i = 0; i < count; ++i)
    weights(i) = -shape * std::log(RandomStream{.seed = 3}.uniform(static_cast<std::uint64_t>(i)));
  return weights;
}

TEST(ParetoSmoothing, FindsTheShapeOfATail) {
  for (const double shape : {0.2, 0.5, 0.9})
    EXPECT_NEAR(smooth_weights(pareto_log_weights(shape, 20'000)).shape, shape, 0.12) << shape;
}

TEST(ParetoSmoothing, LeavesEqualWeightsAlone) {
  const SmoothedWeights smoothed = smooth_weights(Vector::Constant(100, 1234.5));
  EXPECT_EQ(smoothed.shape, -std::numeric_limits<double>::infinity());
  EXPECT_LT((smoothed.weights.array() - 0.01).abs().maxCoeff(), 1e-15);
  EXPECT_NEAR(smoothed.log_mean, 1234.5, 1e-9);
  EXPECT_NEAR(smoothed.effective, 100, 1e-9);
}

TEST(ParetoSmoothing, DoesNotTrustWeightsOfWhichNearlyAllVanish) {
  Vector raw = Vector::LinSpaced(100, -4e5, -3e5);
  raw(17) = 0;
  EXPECT_EQ(smooth_weights(raw).shape, std::numeric_limits<double>::infinity());
}

TEST(ParetoSmoothing, KeepsTheOrderOfWeightsAndCutsAtTheLargest) {
  const Vector raw = pareto_log_weights(0.8, 500);
  const SmoothedWeights smoothed = smooth_weights(raw);
  EXPECT_NEAR(smoothed.weights.sum(), 1, 1e-12);
  for (Index i = 1; i < raw.size(); ++i)
    EXPECT_TRUE(raw(i) <= raw(i - 1) || smoothed.weights(i) >= smoothed.weights(i - 1) - 1e-15) << i;
}

TEST(ParetoSmoothing, TakesWhatIsNotANumberForImpossible) {
  Vector raw = Vector::Zero(10);
  raw(3) = std::numeric_limits<double>::quiet_NaN();
  raw(7) = -std::numeric_limits<double>::infinity();
  const SmoothedWeights smoothed = smooth_weights(raw);
  EXPECT_EQ(smoothed.weights(3), 0);
  EXPECT_EQ(smoothed.weights(7), 0);
  EXPECT_NEAR(smoothed.weights(0), 1.0 / 8, 1e-15);
}

TEST(ParetoSmoothing, RefusesWeightsThatAreAllZero) {
  EXPECT_EQ(testing::complaint_of(
                [] { smooth_weights(Vector::Constant(5, -std::numeric_limits<double>::infinity())); }),
            "weights: must have one that is positive and finite");
}

TEST(Resampling, TakesEveryIndexAsOftenAsItsWeightAsksFor) {
  const Vector weights{{0.5, 0, 0.125, 0.375}};
  EXPECT_EQ(resample(weights, 8, 0.5), (std::vector<Index>{0, 0, 0, 0, 2, 3, 3, 3}));
  EXPECT_EQ(resample(weights, 3, 0.999).size(), 3u);
}

}  // namespace
}  // namespace ridgelet
