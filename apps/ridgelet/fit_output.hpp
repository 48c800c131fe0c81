/// What `fit` reports and `summary` repeats, for people and as JSON.
#pragma once

#include <optional>
#include <string>

#include "ridgelet/assess/fit_report.hpp"
#include "ridgelet/inference/sampling.hpp"
#include "ridgelet/io/regression.hpp"

namespace ridgelet::app {

struct FitOutput {
  RegressionSettings settings;
  RegressionTable table;
  SamplingOptions sampling;
  FitReport report;
  std::optional<double> seconds;  ///< not in a results file, which is the same for the same fit

  std::string text() const;
  std::string json() const;
};

}  // namespace ridgelet::app
