/// The hyperbolic tangent.
///   phi(z)   = tanh z
///   phi'(z)  = 1 - tanh(z)^2
///   phi^(xi) = -i sqrt(pi/2) csch(pi xi / 2)
///   base(z)  = exp(-z^2/2) sin(pi z / 2)
///   C        = (-1)^{n/2} e^{pi^2/8} / ( (2 pi)^{d/2} (pi/2)^{1/2} 2^{(n-d+1)/2} Gamma((n-d+1)/2) )
/// for even n >= d.
/// Special value: C = -0.5465 for d = 1, n = 2. The paper's Table 1 omits the sign.
#pragma once

#include <cmath>
#include <numbers>

#include "ridgelet/activation/activation_function.hpp"

namespace ridgelet {

struct Tanh {
  static constexpr std::string_view name = "tanh";
  static constexpr bool bounded = true;
  static constexpr double frequency = std::numbers::pi / 2;

  static double phi(double z) { return std::tanh(z); }

  /// 1 - tanh(z)^2 = 4 e / (1 + e)^2 with e = exp(-2 |z|): full precision where tanh is close to 1.
  static double derivative(double z) {
    const double e = std::exp(-2 * std::abs(z));
    return 4 * e / ((1 + e) * (1 + e));
  }

  static std::complex<double> phi_hat(double xi) {
    return {0, -std::sqrt(std::numbers::pi / 2) / std::sinh(std::numbers::pi / 2 * xi)};
  }

  static double constant(int d, int n) { return sine_base_constant(frequency, d, n); }

  static constexpr int least_order(int d) { return d; }
  static constexpr int default_order(int d) { return d - d % 2 + 2; }
  static constexpr int integrable_order(int d) { return d + 2; }
};

static_assert(RidgeletActivation<Tanh>);

}  // namespace ridgelet
