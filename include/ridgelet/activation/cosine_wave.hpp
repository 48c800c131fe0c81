/// The cosine, the feature of random Fourier expansions (Rahimi and Recht, NIPS 2007).
///   phi(z)  = cos z
///   phi'(z) = -sin z
/// Infinity gives NaN. (The struct is not called Cosine because that is a kernel.)
#pragma once

#include <cmath>

#include "ridgelet/activation/activation_function.hpp"

namespace ridgelet {

struct CosineWave {
  static constexpr std::string_view name = "cosine";

  static double phi(double z) { return std::cos(z); }

  static double derivative(double z) { return -std::sin(z); }
};

static_assert(ActivationFunction<CosineWave>);

}  // namespace ridgelet
