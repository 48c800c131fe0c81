/// The root mean square of all entries of a matrix or vector.
#pragma once

#include <cmath>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

inline double root_mean_square(const MatrixView& values) {
  return values.norm() / std::sqrt(static_cast<double>(values.size()));
}

}  // namespace ridgelet
