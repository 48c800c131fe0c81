/// Tolerances that many tests share, and the assertions that use them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/types.hpp"

namespace ridgelet::testing {

namespace tolerance {
/// Pairs, mollifier, kernels, gaussian_mmd2 (tests/golden/README.md).
inline constexpr double golden_values = 1e-10;
inline constexpr double golden_cases = 1e-6;         ///< cases (tests/golden/README.md)
inline constexpr double central_differences = 1e-6;  ///< a derivative against differences with a step of 1e-5
inline constexpr double two_routes = 1e-9;           ///< the same number by two formulas in double precision
/// Statistical tests: fixed seeds, at most this many standard errors.
inline constexpr double standard_errors = 4.5;
}  // namespace tolerance

/// Largest |a - b| relative to the largest |b|.
inline double relative_error(const MatrixView& a, const MatrixView& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  const double error = (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// Largest |a_ij - b_ij| / |b_ij|, entry by entry.
inline double entrywise_error(const MatrixView& a, const MatrixView& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  const double error = ((a - b).array() / b.array()).abs().maxCoeff();
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// Runs `action` and returns the message of the InvalidArgument that it throws, or "" if it throws none.
template <class Action>
std::string complaint_of(Action&& action) {
  try {
    action();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

}  // namespace ridgelet::testing
