/// A fit to look at: functions before and after the data, predictions over the domain, and the exact process beside
/// them, all in the table's own units.
///
/// Nothing here is needed to predict. A results file shows it to people and to programs such as ArviZ.
#pragma once

#include <optional>

#include "ridgelet/fitting/exact_process.hpp"
#include "ridgelet/fitting/fitted_model.hpp"

namespace ridgelet {

/// Inputs of the data that are watched: all of them, or evenly spaced rows if there are more than `most`.
Matrix watched_inputs(const Matrix& X, Index most);

struct FitView {
  Matrix watched;  ///< inputs at which functions are shown
  Matrix domain;   ///< inputs of the predictions

  /// Functions and new observations at the watched inputs: for each draw a row for each output.
  struct Paths {
    Matrix functions;
    Matrix observations;
  };
  Paths prior;
  Paths posterior;

  PredictiveSummary predictions;  ///< 95 %, noise included

  /// The exact process at the watched inputs.
  struct Target {
    ProcessMoments prior;
    std::optional<ProcessMoments> posterior;
  };
  Target target;

  static constexpr Index prior_draws = 100;
};

/// `inputs` are those that the draws were monitored at, in the model's units. Throws InvalidArgument about "draws" if
/// they were not.
FitView view_fit(const FittedModel& model, const MonitoredInputs& inputs);

}  // namespace ridgelet
