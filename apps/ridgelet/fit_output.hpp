/// What `fit` reports and `summary` repeats, for people and as JSON.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fitted_table.hpp"
#include "ridgelet/fitting/fit.hpp"
#include "ridgelet/fitting/latent_score.hpp"
#include "ridgelet/fitting/score.hpp"
#include "values.hpp"

namespace ridgelet::app {

/// What only the run itself knows; it is not in a results file, which has the same bytes for the same fit.
struct OfTheRun {
  std::optional<double> seconds = std::nullopt;
  std::vector<Score> held_out = {};  ///< of each output, if rows were held out
  std::optional<LatentScore> held_out_latent = std::nullopt;
  Json learning = nullptr;  ///< learning_json(), if something was learned
};

class FitOutput {
 public:
  /// The model must outlive this.
  explicit FitOutput(const FittedModel& model, OfTheRun run = {}) : model_(model), run_(std::move(run)) {}

  std::string text() const;
  std::string json() const;

 private:
  const FittedModel& model_;
  OfTheRun run_;
};

/// What was learned, and where each start of the learning ended.
std::string learning_text(const LearnedSettings& learned);

/// "x1, x2, x3", and of more than ten "x1, x2, ... x100 (100 inputs)".
std::string input_list(const std::vector<std::string>& inputs);

/// The network that was chosen, and how well it follows its process.
std::string choice_text(const Regression& regression, const Certificate& certificate);

/// To the standard error, whatever else is printed.
void tell_warnings(const FitReport& report);

}  // namespace ridgelet::app
