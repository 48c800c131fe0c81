/// The rectified linear unit.
///   phi(z)   = max(0, z)
///   phi'(z)  = 1 for z > 0, else 0
///   phi^(xi) = -1 / (sqrt(2 pi) xi^2)   away from 0
///   base(z)  = exp(-z^2/2)
///   C        = -(-1)^{n/2} (2 pi)^{1/2} / ( (2 pi)^{d/2} 2^{(n-d-1)/2} Gamma((n-d-1)/2) ),  n >= d + 2 even
/// It is unbounded, so of the paper's Theorem 1 only the version in the appendix, for unbounded phi, applies.
#pragma once

#include <cmath>
#include <numbers>

#include "ridgelet/activation/activation_function.hpp"

namespace ridgelet {

struct Relu {
  static constexpr std::string_view name = "relu";
  static constexpr bool bounded = false;
  static constexpr double frequency = 0;

  /// Written so that NaN gives NaN.
  static double phi(double z) { return z < 0 ? 0 : z; }

  /// 0 at the kink itself. Written so that NaN gives NaN.
  static double derivative(double z) { return z > 0 ? 1 : z <= 0 ? 0 : z; }

  static std::complex<double> phi_hat(double xi) { return -1 / (std::sqrt(2 * std::numbers::pi) * xi * xi); }

  static double constant(int d, int n) {
    const double half = (n - d - 1) / 2.0;
    return -derivative_sign(n) * std::sqrt(2 * std::numbers::pi) /
           (std::pow(2 * std::numbers::pi, d / 2.0) * std::pow(2, half) * std::tgamma(half));
  }

  static constexpr int least_order(int d) { return d + 2; }
  static constexpr int default_order(int d) { return d + d % 2 + 2; }
  static constexpr int integrable_order(int d) { return d + 4; }
};

static_assert(RidgeletActivation<Relu>);

}  // namespace ridgelet
