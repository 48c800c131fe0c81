/// Kernels from text: "se(amplitude=1, lengthscale=[1, 2.5]) * periodic(period=1.8) + 0.1*linear()".
///
///   sum     := product { '+' product }
///   product := factor { '*' factor }
///   factor  := number | '(' sum ')' | name '(' [ parameter '=' value { ',' parameter '=' value } ] ')'
///            | 'outer' '(' expression ')'
///   value   := number | '[' number { ',' number } ']'
///
/// Spaces and line breaks are free. At most 100 parentheses may stand inside each other, and the text may have at
/// most 10,000 characters, both as it is given and as Kernel::text writes it, so that a kernel that was read can
/// be written and read again. Errors name the column, counted from 1, and suggest the nearest name:
/// "kernel: unknown kernel 'sem' at column 5; did you mean 'se'?".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

Kernel parse_kernel(std::string_view text);

/// The names that parse_kernel knows.
std::vector<std::string> kernel_names();

struct KernelDescription {
  std::string name;
  std::string formula;
  std::string parameters;  ///< with their defaults
  std::string use;         ///< when to use it
};

/// Every kernel in the words of the registry.
std::vector<KernelDescription> kernel_descriptions();

}  // namespace ridgelet
