#include "ridgelet/likelihood/smallest_count.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ridgelet {
namespace {

/// P(Y <= y) of a count whose value y is q^y times as likely as 0, and whose quantiles are therefore logarithms.
struct Geometric {
  double q;
  double operator()(double y) const { return -std::expm1((y + 1) * std::log(q)); }
  double mean() const { return q / (1 - q); }
};

TEST(SmallestCount, IsTheFirstThatReachesTheProbability) {
  for (const double q : {1e-6, 0.3, 0.9, 0.999, 1 - 1e-9})
    for (const double probability : {1e-12, 0.025, 0.5, 0.975, 0.999999}) {
      const Geometric cdf{q};
      const double y = smallest_count(cdf, probability, cdf.mean());
      EXPECT_GE(cdf(y), probability) << q;
      EXPECT_LT(cdf(y - 1), probability) << q;
      EXPECT_EQ(y, std::floor(y));
    }
}

TEST(SmallestCount, BetweenEndsIsTheSameInAsManyStepsAsTheirDistanceHasDigits) {
  const Geometric cdf{1 - 1e-9};
  const double y = smallest_count(cdf, 0.5, cdf.mean());
  for (const double before : {1.0, 100.0, 1000.0}) {
    int steps = 0;
    const auto counted = [&](double c) { return ++steps, cdf(c); };
    EXPECT_EQ(smallest_count_between(y - before, y + 24, counted, 0.5), y);
    EXPECT_LE(steps, std::ceil(std::log2(before + 24))) << before;
  }
}

// Doubles there are more than one apart: a search for neighbouring counts would not end.
TEST(SmallestCount, IsADoubleWhereDoublesDoNotCountAnyMore) {
  for (const double mean : {1e16, 1e20, 1e100, 1e300})
    for (const double probability : {0.025, 0.5, 0.975}) {
      const double y = smallest_count([&](double c) { return -std::expm1(-c / mean); }, probability, mean);
      EXPECT_NEAR(y / (-mean * std::log1p(-probability)), 1, 1e-13) << mean;
    }
}

TEST(SmallestCount, NeedsEightyStepsAtMost) {
  for (const double scale : {1e-3, 1.0, 1e6, 1e15, 1e300}) {
    int steps = 0;
    // Nearly always 0, and once in a while the scale: the ends are as far apart as doubles allow.
    smallest_count([&](double y) { return ++steps, y < scale ? 0.9 : 1.0; }, 0.95, 0.1 * scale);
    EXPECT_LE(steps, 80) << scale;
  }
}

}  // namespace
}  // namespace ridgelet
