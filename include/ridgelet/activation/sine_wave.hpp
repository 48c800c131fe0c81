/// The sine.
///   phi(z)  = sin z
///   phi'(z) = cos z
/// Its network is a random Fourier expansion without the cosines: with biases that spread over many turns it
/// spans the same functions (Rahimi and Recht, NIPS 2007). Infinity gives NaN.
#pragma once

#include <cmath>

#include "ridgelet/activation/activation_function.hpp"

namespace ridgelet {

struct SineWave {
  static constexpr std::string_view name = "sine";

  static double phi(double z) { return std::sin(z); }

  static double derivative(double z) { return std::cos(z); }
};

static_assert(ActivationFunction<SineWave>);

}  // namespace ridgelet
