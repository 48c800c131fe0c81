/// The softplus, a smooth ReLU.
///   phi(z)  = log(1 + e^z) = max(0, z) + log(1 + e^-|z|)
///   phi'(z) = 1 / (1 + e^-z)
/// The second form neither overflows at 1000 nor loses the digits of e^z at -30. Special value: log 2 at 0.
#pragma once

#include <cmath>

#include "ridgelet/activation/activation_function.hpp"
#include "ridgelet/activation/sigmoid.hpp"

namespace ridgelet {

struct Softplus {
  static constexpr std::string_view name = "softplus";

  static double phi(double z) { return (z > 0 ? z : 0) + std::log1p(std::exp(-std::abs(z))); }

  static double derivative(double z) { return Sigmoid::phi(z); }
};

static_assert(ActivationFunction<Softplus>);

}  // namespace ridgelet
