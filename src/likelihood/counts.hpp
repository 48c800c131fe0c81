/// What likelihoods of counts share.
#pragma once

#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace ridgelet {

/// Infinities instead of exceptions, and the smallest count y with P(Y <= y) >= u.
using CountPolicy = boost::math::policies::policy<
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::discrete_quantile<boost::math::policies::integer_round_up>>;

/// log Gamma, by any thread: std::lgamma writes to a global variable.
inline double log_gamma(double x) {
  return boost::math::lgamma(x, CountPolicy());
}

/// Means beyond e^700 are infinite, and below e^-700 they are that: log p is then finite for a count of zero.
inline double exp_of(double f) {
  return std::exp(std::max(f, -700.0));
}

}  // namespace ridgelet
