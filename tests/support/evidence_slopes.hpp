/// Slopes of an evidence against central differences.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "ridgelet/target/evidence.hpp"

namespace ridgelet::testing {

inline Vector parameters_of(const Kernel& kernel) {
  std::vector<double> values;
  for (const KernelParameter& parameter : kernel.parameters()) values.push_back(parameter.value);
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

/// Every slope in kernel, mean and noise, relative to the difference where that is larger than 1.
inline void expect_slopes_of_differences(ProcessEvidence& function, const GaussianProcess& of,
                                         const Vector& noise) {
  constexpr double step = 1e-5;
  const auto evidence = function.at(of, noise, {});
  ASSERT_TRUE(evidence) << of.kernel.text();
  const auto expect = [&](double slope, const GaussianProcess& more, const GaussianProcess& less,
                          const Vector& more_noise, const Vector& less_noise, const std::string& of_what) {
    const double difference =
        (function.at(more, more_noise, {})->log_evidence - function.at(less, less_noise, {})->log_evidence) /
        (2 * step);
    EXPECT_NEAR(slope, difference, tolerance::central_differences * std::max(1.0, std::abs(difference)))
        << of_what;
  };
  const Vector values = parameters_of(of.kernel);
  ASSERT_EQ(evidence->kernel_slope.size(), values.size());
  for (Index p = 0; p < values.size(); ++p) {
    Vector more = values, less = values;
    more(p) *= std::exp(step);
    less(p) *= std::exp(-step);
    expect(evidence->kernel_slope(p), {of.kernel.with_parameters(more), of.mean},
           {of.kernel.with_parameters(less), of.mean}, noise, noise,
           of.kernel.parameters()[static_cast<std::size_t>(p)].name + " of " + of.kernel.text());
  }
  const Vector coefficients = of.mean.coefficients();
  ASSERT_EQ(evidence->mean_slope.size(), coefficients.size());
  for (Index c = 0; c < coefficients.size(); ++c) {
    Vector more = coefficients, less = coefficients;
    more(c) += step;
    less(c) -= step;
    expect(evidence->mean_slope(c), {of.kernel, of.mean.with_coefficients(more)},
           {of.kernel, of.mean.with_coefficients(less)}, noise, noise, "a coefficient of " + of.mean.text());
  }
  for (Index j = 0; j < noise.size(); ++j) {
    Vector more = noise, less = noise;
    more(j) *= std::exp(step);
    less(j) *= std::exp(-step);
    expect(evidence->noise_slope(j), of, of, more, less, "noise with " + of.kernel.text());
  }
}

}  // namespace ridgelet::testing
