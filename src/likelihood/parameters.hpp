/// What likelihoods with parameters share.
#pragma once

#include <cmath>
#include <string>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/likelihood/likelihood.hpp"

namespace ridgelet {

/// Throws InvalidArgument about "likelihood" unless the value is finite and above `least`.
inline double above(double least, double value, const std::string& parameter) {
  if (!(value > least) || !std::isfinite(value))
    throw InvalidArgument("likelihood",
                          parameter + " must be above " + shortest(least) + ", got " + shortest(value));
  return value;
}

/// The parameter `scale`, whose bounds are in units of the response's standard deviation.
inline LikelihoodParameter scale_parameter(double value) {
  return {.name = "scale", .value = value, .lower = 1e-4, .upper = 10, .is_scale = true};
}

}  // namespace ridgelet
