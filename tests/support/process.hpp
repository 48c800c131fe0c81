/// A process from the texts of its kernel and mean.
#pragma once

#include <string>

#include "ridgelet/target/gaussian_process.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::testing {

inline GaussianProcess process_of(const std::string& kernel, const std::string& mean = "0") {
  return {.kernel = parse_kernel(kernel), .mean = MeanFunction(mean)};
}

}  // namespace ridgelet::testing
