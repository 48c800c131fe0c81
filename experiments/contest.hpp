/// Section 6.2: Bayesian neural networks with several priors, and the exact Gaussian process that they should
/// imitate, answer the same question from the same data.
///
///   process   GP(m, k); m is subtracted from the data and added to every prediction
///   network   N units of tanh; output weights by the prior's operator from the process at the nodes
///   iid       the same network with independent output weights of standard deviation 0.1 / sqrt(N)
/// Intervals hold 95 % and include the noise. Chains move the hidden layer; the rest is exact
/// (posterior.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "ridgelet/assess/fit_report.hpp"
#include "ridgelet/inference/sampling.hpp"

namespace ridgelet::experiments {

/// A network, and how long its chains run.
struct Contender {
  std::string key;    ///< in the JSON: "least-squares-100"
  std::string prior;  ///< an operator's name, or "iid"
  Index units;
  SamplingOptions sampling;
};

/// The question: what all models are told and asked.
struct Contest {
  const ExperimentOptions& options;
  GaussianProcess process;
  Nodes nodes;
  Nodes few_nodes;   ///< for operators that do not integrate over them
  double few_ridge;  ///< for these
  HiddenDistribution hidden;
  Data data;                                ///< less the process's mean
  Matrix asked;                             ///< where predictions are wanted
  std::vector<Index> held_out;              ///< the rows of `asked` that are scored
  Vector truth;                             ///< what is to be found there
  Index monitored;                          ///< number of rows of `asked`, from row 0, that are watched
  std::function<std::string(Index)> place;  ///< a row of `asked` in words: "in 1961.5"
  Matrix domain_points;                     ///< where the prior's error is measured
};

/// The held-out values. With mu and s the predictive mean and standard deviation (noise included) and those
/// of the exact process starred, over n values,
///   gp_distance = sqrt( sum [ (mu - mu*)^2 + (s - s*)^2 ] / (2 n) ).
struct Scores {
  double rmse = 0;      ///< of mu
  double coverage = 0;  ///< the share of values inside the interval
  double width = 0;     ///< mean width of the interval
  double gp_distance = 0;
};

/// What one model says.
struct Answer {
  std::string key;
  std::string name;  ///< "least-squares"
  PredictiveSummary predicted = {};
  Scores scores = {};
  std::optional<Index> units = {};  ///< the exact process has neither this nor the next two
  std::optional<SamplingOptions> sampling = {};
  std::optional<WorstDiagnostics> diagnostics = {};       ///< of f at the monitored rows
  std::optional<FitReport::PriorError> prior_error = {};  ///< of priors that imitate the process
  std::vector<std::string> warnings = {};
  double seconds = 0;
};

/// The networks in their order, except the one that is left out, then the process ("gp").
std::vector<Answer> run_contest(const Contest& contest, const std::vector<Contender>& contenders);

const Answer& find_answer(const std::vector<Answer>& answers, const std::string& key);

/// Rows of a summary.
PredictiveSummary rows(const PredictiveSummary& all, Index first, Index count);

std::string_view colour_of(const Answer& answer);

/// An object for each model under its key.
nlohmann::ordered_json contest_json(const std::vector<Answer>& answers, std::uint64_t seed);

/// A table with a line for each model, then the warnings.
std::string contest_report(const std::vector<Answer>& answers);

}  // namespace ridgelet::experiments
