/// A fit to look at: functions before and after the data, predictions over the domain, and the exact process beside
/// them, all in the table's own units.
///
/// Nothing here is needed to predict. A results file shows it to people and to programs such as ArviZ.
#pragma once

#include <optional>
#include <vector>

#include "ridgelet/fitting/exact_process.hpp"
#include "ridgelet/fitting/fitted_model.hpp"

namespace ridgelet {

/// Rows of the data at which functions are watched, few enough to take little time beside a fit: all of them, or
/// evenly spaced ones if there are more than
///   min(most, max(100, 2e8 / (N (1 + R))))
/// for a network of N units and rank R.
std::vector<Index> watched_rows(const Regression& regression, Index most);

struct FitView {
  std::vector<Index> rows;  ///< numbers of the rows of the table that are watched
  Matrix watched;           ///< their inputs
  Matrix observed;          ///< their outputs
  Matrix domain;            ///< inputs of the predictions

  /// Functions and new observations at the watched inputs: for each draw a row for each output. Where the response is
  /// not Gaussian given the functions, there is a row for each function, and one of observations.
  struct Paths {
    Matrix functions;
    Matrix observations;
  };
  Paths prior;
  Paths posterior;
  Matrix
      log_likelihood;  ///< of what was observed there, given each function of the posterior: shaped like those

  PredictiveSummary predictions;  ///< 95 %, noise included

  /// The exact process at the watched inputs.
  struct Target {
    ProcessMoments prior;
    std::optional<ProcessMoments> posterior;
  };
  Target target;

  static constexpr Index prior_draws = 100;
};

/// `inputs` are those that the draws were monitored at, in the model's units; its paths are the inputs of `rows`.
/// Throws InvalidArgument about "draws" if they were not monitored there.
FitView view_fit(const FittedModel& model, std::vector<Index> rows, const MonitoredInputs& inputs);

}  // namespace ridgelet
