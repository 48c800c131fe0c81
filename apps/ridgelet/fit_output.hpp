/// What `fit` reports and `summary` repeats, for people and as JSON.
#pragma once

#include <optional>
#include <string>

#include "ridgelet/fitting/fitted_model.hpp"

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

}  // namespace ridgelet::app
