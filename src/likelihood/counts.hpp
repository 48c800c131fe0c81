/// What likelihoods of counts share.
#pragma once

#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <cmath>
#include <numbers>

namespace ridgelet {

/// Infinities instead of exceptions.
using CountPolicy =
    boost::math::policies::policy<boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::domain_error<boost::math::policies::ignore_error>>;

/// From this count on, sums whose terms grow with the count are taken in another form, in which these terms have been
/// cancelled on paper.
constexpr double large_count = 100;

/// log Gamma, safe for several threads at once: std::lgamma writes to a global variable.
inline double log_gamma(double x) {
  return boost::math::lgamma(x, CountPolicy());
}

/// What Stirling's formula leaves: log Gamma(x) - (x - 1/2) log x + x - log(2 pi) / 2.
inline double stirling_rest(double x) {
  if (x < large_count)
    return log_gamma(x) - (x - 0.5) * std::log(x) + x - 0.5 * std::log(2 * std::numbers::pi);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / (1260 * x * x)) / (x * x)) / x;
}

/// log(1 + x) - x, without cancellation for small x.
inline double log1p_rest(double x) {
  return boost::math::log1pmx(x, CountPolicy());
}

/// e^f as a mean: never below e^-700, so never 0, and infinite where doubles overflow, beyond e^709.
inline double exp_of(double f) {
  return std::exp(std::max(f, -700.0));
}

}  // namespace ridgelet
