/// The error function.
///   phi(z)  = erf z = 2 / sqrt(pi) integral_0^z exp(-t^2) dt
///   phi'(z) = 2 / sqrt(pi) exp(-z^2)
/// A step like tanh, with Gaussian tails. A network of infinitely many such units has a covariance in closed
/// form (prior/infinite_width.hpp; Williams, NIPS 1996).
#pragma once

#include <cmath>
#include <numbers>

#include "ridgelet/activation/activation_function.hpp"

namespace ridgelet {

struct Erf {
  static constexpr std::string_view name = "erf";

  static double phi(double z) { return std::erf(z); }

  static double derivative(double z) { return 2 * std::numbers::inv_sqrtpi * std::exp(-z * z); }
};

static_assert(ActivationFunction<Erf>);

}  // namespace ridgelet
