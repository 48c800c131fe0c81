/// The logistic sigmoid.
///   phi(z)   = 1 / (1 + e^-z)
///   phi'(z)  = phi(z) (1 - phi(z))
///   phi^(xi) = -i sqrt(pi/2) csch(pi xi)   away from 0
///   base(z)  = exp(-z^2/2) sin(pi z)
///   C        as for tanh, with e^{pi^2/2} in place of e^{pi^2/8},  n >= d even
/// It is 1/2 + tanh(z/2)/2: the constant 1/2 has its Fourier transform at the origin, where psi's vanishes.
#pragma once

#include <cmath>
#include <numbers>

#include "ridgelet/activation/activation_function.hpp"

namespace ridgelet {

struct Sigmoid {
  static constexpr std::string_view name = "sigmoid";
  static constexpr bool bounded = true;
  static constexpr double frequency = std::numbers::pi;

  static double phi(double z) { return 1 / (1 + std::exp(-z)); }

  /// phi (1 - phi) = e / (1 + e)^2 with e = exp(-|z|): full precision in both tails.
  static double derivative(double z) {
    const double e = std::exp(-std::abs(z));
    return e / ((1 + e) * (1 + e));
  }

  static std::complex<double> phi_hat(double xi) {
    return {0, -std::sqrt(std::numbers::pi / 2) / std::sinh(std::numbers::pi * xi)};
  }

  static double constant(int d, int n) { return sine_base_constant(frequency, d, n); }

  static constexpr int least_order(int d) { return d; }
  static constexpr int default_order(int d) { return d - d % 2 + 2; }
  static constexpr int integrable_order(int d) { return d + 2; }
};

static_assert(RidgeletActivation<Sigmoid>);

}  // namespace ridgelet
