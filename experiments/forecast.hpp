/// Forecasts of Section 6.2: the first months of a series are the data, the next are held out, and a Bayesian
/// neural network is asked to predict as the Gaussian process of its prior does.
///
///   process   GP(m, k), k periodic; m is subtracted from the data and added to every prediction
///   network   N units of tanh, sigma_w = 3, sigma_b = 12; output weights by the prior's operator from the
///             process at D = 200 nodes, the left-endpoint grid on [-5, 5] without a mollifier
///   iid       the same network with independent output weights of standard deviation 0.1 / sqrt(N)
/// Intervals hold 95 % and include the noise. Chains move the hidden layer; the rest is exact
/// (posterior.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "experiments/monthly_series.hpp"
#include "ridgelet/assess/fit_report.hpp"
#include "ridgelet/inference/sampling.hpp"

namespace ridgelet::experiments {

struct ForecastTask {
  std::string title;     ///< of the figure
  std::string response;  ///< the axis of the response, with its unit
  std::string unit;      ///< after a number
  std::string file;
  std::string column;
  Index train = 0;  ///< months that are data
  Index used = 0;   ///< months that are data or held out
  double months_per_unit = 12;
  std::string mean;
  std::string kernel;
  double noise = 0;
};

/// The held-out months, scored in standardised units. With mu and s the predictive mean and standard
/// deviation (noise included) and those of the exact process starred, over n months,
///   gp_distance = sqrt( sum [ (mu - mu*)^2 + (s - s*)^2 ] / (2 n) ).
struct Scores {
  double rmse = 0;      ///< of mu
  double coverage = 0;  ///< the share of months inside the interval
  double width = 0;     ///< mean width of the interval
  double gp_distance = 0;
};

/// What one model says of every month and of the curve between them.
struct ModelForecast {
  std::string key;   ///< in the JSON: "least-squares-100"
  std::string name;  ///< "least-squares"
  PredictiveSummary months = {};
  PredictiveSummary curve = {};
  Scores scores = {};
  std::optional<Index> units = {};  ///< none for the exact process, as the next two
  std::optional<SamplingOptions> sampling = {};
  std::optional<WorstDiagnostics> diagnostics = {};       ///< of f at every month
  std::optional<FitReport::PriorError> prior_error = {};  ///< of priors that imitate the process
  std::vector<std::string> warnings = {};
  double seconds = 0;
};

struct Forecast {
  ForecastTask task;
  StandardisedSeries series;
  Vector curve;  ///< x of the curves, a regular grid on [-5, 5]
  std::vector<ModelForecast> models;

  Index held_out() const { return task.used - task.train; }
};

/// Runs the four models, least squares with 100 units too.
Forecast run_forecast(const ForecastTask& task, const ExperimentOptions& options);

/// Table, JSON, figure and report.
ExperimentResult forecast_result(const Forecast& forecast, const ExperimentOptions& options);

}  // namespace ridgelet::experiments
