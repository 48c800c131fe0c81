/// The Gaussian error linear unit (Hendrycks and Gimpel, arXiv:1606.08415), exactly: not its approximation
/// by tanh. With the standard normal distribution function Phi and its density p,
///   phi(z)  = z Phi(z) = z erfc(-z / sqrt 2) / 2
///   phi'(z) = Phi(z) + z p(z)
/// Its least value is -0.17, at z = -0.75. In the left tail, where phi is of size |z| exp(-z^2/2), the
/// relative error grows like z^2 times the unit roundoff, as it does for exp(-z^2/2) itself.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ridgelet/activation/activation_function.hpp"

namespace ridgelet {

struct Gelu {
  static constexpr std::string_view name = "gelu";

  /// Below -40 phi is 0 in double precision; stopping there keeps infinity times 0 out.
  static double phi(double z) { return (z < -40 ? -40 : z) * normal_distribution(z); }

  static double derivative(double z) {
    const double x = std::clamp(z, -40.0, 40.0);
    return normal_distribution(z) + x * std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  }

 private:
  static double normal_distribution(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }
};

static_assert(ActivationFunction<Gelu>);

}  // namespace ridgelet
