/// Means of correlated series, such as a chain's, with standard errors that know of the correlation.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "expectations.hpp"

namespace ridgelet::testing {

/// The mean of a series and its standard error, from the means of 50 batches.
struct Estimate {
  double mean, standard_error;

  explicit Estimate(const Vector& series) {
    const Index batches = 50;
    const Vector means = series.reshaped(series.size() / batches, batches).colwise().mean();
    mean = means.mean();
    standard_error = std::sqrt((means.array() - mean).square().sum() / (batches * (batches - 1)));
  }

  /// How far two are apart, in standard errors of the difference.
  double distance(const Estimate& other) const {
    return std::abs(mean - other.mean) / std::hypot(standard_error, other.standard_error);
  }
};

inline void expect_mean(const Vector& series, double mean, const std::string& of) {
  const Estimate estimate(series);
  EXPECT_NEAR(estimate.mean, mean, tolerance::standard_errors * estimate.standard_error) << of;
}

}  // namespace ridgelet::testing
