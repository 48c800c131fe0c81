/// Forecasts of Section 6.2: the first months of a series are the data, the next are held out, and a Bayesian
/// neural network is asked to predict as the Gaussian process of its prior does.
///
/// sigma_w = 3 and sigma_b = 12; D = 200 nodes are the left-endpoint grid on [-5, 5] without a mollifier
/// (contest.hpp has the models). Least squares needs no cubature rule: 72 evenly spaced nodes, the edges included, with
/// a ridge of 1e-8 leave a smaller error than the grid with 1e-6, at a third of the price (docs/performance.md). Scores
/// are in standardised units.
#pragma once

#include <string>
#include <vector>

#include "experiments/contest.hpp"
#include "experiments/monthly_series.hpp"

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

struct Forecast {
  ForecastTask task;
  StandardisedSeries series;
  Vector curve;                ///< x of the curves, a regular grid on [-5, 5]
  std::vector<Answer> models;  ///< asked about every month, then along the curve

  Index held_out() const { return task.used - task.train; }
  PredictiveSummary at_months(const Answer& model) const { return rows(model.predicted, 0, task.used); }
  PredictiveSummary along_curve(const Answer& model) const {
    return rows(model.predicted, task.used, curve.size());
  }
};

/// Runs the four models, and least squares with 100 units too.
Forecast run_forecast(const ForecastTask& task, const ExperimentOptions& options);

/// Table, JSON, figure and report.
ExperimentResult forecast_result(const Forecast& forecast, const ExperimentOptions& options);

}  // namespace ridgelet::experiments
