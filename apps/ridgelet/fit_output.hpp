/// What `fit` reports and `summary` repeats, for people and as JSON.
#pragma once

#include <optional>
#include <string>

#include "ridgelet/fitting/fit.hpp"

namespace ridgelet::app {

class FitOutput {
 public:
  /// The model must outlive this. `seconds` are not in a results file, which is the same for the same fit.
  explicit FitOutput(const FittedModel& model, std::optional<double> seconds = std::nullopt)
      : model_(model), seconds_(seconds) {}

  std::string text() const;
  std::string json() const;

 private:
  const FittedModel& model_;
  std::optional<double> seconds_;
};

/// What was learned, and where each start of the learning ended.
std::string learning_text(const LearnedSettings& learned);

/// The network that was chosen, and how well it follows its process.
std::string choice_text(const Regression& regression, const Certificate& certificate);

/// To the standard error, whatever else is printed.
void tell_warnings(const FitReport& report);

}  // namespace ridgelet::app
