/// The exact process given the data of a regression: what its network is compared with.
///
/// Cost M^3 / 3 for M rows, so it is available for few rows only.
#pragma once

#include <optional>

#include "ridgelet/fitting/regression.hpp"
#include "ridgelet/target/gaussian_process.hpp"

namespace ridgelet {

/// A column for each output, without noise, in the table's units.
struct ProcessMoments {
  Matrix mean;
  Matrix sd;
};

inline constexpr Index most_rows_of_exact_process = 2000;

/// The process of the regression, in the model's units.
GaussianProcess process_of(const Regression& regression);

/// The process before the data, at inputs in the model's units.
ProcessMoments process_before_data(const Regression& regression, const Matrix& X);

/// The process given the data. Nothing for more than `most_rows` rows, where only some of the rows are in memory, or
/// where the exact posterior does not exist in double precision although the network's does.
std::optional<ProcessMoments> process_given_data(const Regression& regression, const Matrix& X,
                                                 Index most_rows = most_rows_of_exact_process);

}  // namespace ridgelet
