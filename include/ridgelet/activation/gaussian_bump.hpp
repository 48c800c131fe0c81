/// The Gaussian bump.
///   phi(z)   = exp(-z^2/2)
///   phi'(z)  = -z exp(-z^2/2)
///   phi^(xi) = exp(-xi^2/2)
///   base(z)  = exp(-z^2/2)
///   C        = (-1)^{n/2} / ( (2 pi)^{d/2} Gamma((n-d+1)/2) ),  n >= d even
/// Special value: C = -0.3989 for d = 1, n = 2. The constant in the paper's Table 1 is off by a
/// factor of 1.13 or 1.77.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ridgelet/activation/activation_function.hpp"

namespace ridgelet {

struct GaussianBump {
  static constexpr std::string_view name = "gaussian";
  static constexpr bool bounded = true;
  static constexpr double frequency = 0;

  static double phi(double z) { return std::exp(-z * z / 2); }

  /// Beyond 40 phi is 0 in double precision; stopping there keeps infinity times 0 out.
  static double derivative(double z) {
    const double x = std::clamp(z, -40.0, 40.0);
    return -x * std::exp(-x * x / 2);
  }

  static std::complex<double> phi_hat(double xi) { return std::exp(-xi * xi / 2); }

  static double constant(int d, int n) {
    return derivative_sign(n) / (std::pow(2 * std::numbers::pi, d / 2.0) * std::tgamma((n - d + 1) / 2.0));
  }

  static constexpr int least_order(int d) { return d; }
  static constexpr int default_order(int d) { return d + d % 2; }
  static constexpr int integrable_order(int d) { return d + 2; }
};

static_assert(RidgeletActivation<GaussianBump>);

}  // namespace ridgelet
