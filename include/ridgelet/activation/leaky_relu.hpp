/// The leaky rectified linear unit (Maas, Hannun and Ng, ICML 2013).
///   phi(z)  = z for z > 0, a z below, with the usual slope a = 0.01
///   phi'(z) = 1 for z > 0, else a
/// It is a z + (1 - a) max(0, z): ReLU and a little of the identity.
#pragma once

#include "ridgelet/activation/activation_function.hpp"

namespace ridgelet {

struct LeakyRelu {
  static constexpr std::string_view name = "leaky-relu";
  static constexpr double slope = 0.01;

  /// Written so that NaN gives NaN.
  static double phi(double z) { return z < 0 ? slope * z : z; }

  /// `slope` at the kink itself. Written so that NaN gives NaN.
  static double derivative(double z) { return z > 0 ? 1 : z <= 0 ? slope : z; }
};

static_assert(ActivationFunction<LeakyRelu>);

}  // namespace ridgelet
