/// The sigmoid linear unit, also called swish. With the logistic function s(z) = 1 / (1 + e^-z),
///   phi(z)  = z s(z)
///   phi'(z) = s(z) + z s(z) (1 - s(z))
/// Its least value is -0.28, at z = -1.28.
#pragma once

#include <algorithm>

#include "ridgelet/activation/activation_function.hpp"
#include "ridgelet/activation/sigmoid.hpp"

namespace ridgelet {

struct Silu {
  static constexpr std::string_view name = "silu";

  /// Below -750 phi is 0 in double precision; stopping there keeps infinity times 0 out.
  static double phi(double z) { return (z < -750 ? -750 : z) * Sigmoid::phi(z); }

  static double derivative(double z) {
    return Sigmoid::phi(z) + std::clamp(z, -750.0, 750.0) * Sigmoid::derivative(z);
  }
};

static_assert(ActivationFunction<Silu>);

}  // namespace ridgelet
