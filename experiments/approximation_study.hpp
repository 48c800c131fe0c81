/// How well network priors imitate a Gaussian process, for the figures of Section 6.1 and of the appendix
/// "Comparison of Prior Predictive with Different Settings".
///
/// A replicate is a fresh hidden layer. One pass over its units gives G, the factor of the outputs at the
/// points x, and all that is measured comes from it (c are the kriging coordinates of f(x)):
///   error        max_x rmse(x),  rmse(x)^2 = floor(x)^2 + |c(x) - G(x)|^2
///   covariance   G(x) . G(0), whose mean over replicates is E[f(x) f(0)]
///   sample path  G z, where path j of every prior and of the process has the same z: the network's attempt
///                at that draw of the process
#pragma once

#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "experiments/prior_setting.hpp"

namespace ridgelet::experiments {

/// A prior, and how many hidden layers of it are drawn.
struct StudyCase {
  PriorSetting prior;
  Index replicates = 100;
};

struct StudyOutcome {
  PriorSetting setting;  ///< with the model "gp" for the process, of which the kernel alone counts
  Vector x;
  Estimate mrmse = {};        ///< max_x rmse(x)
  Estimate variance = {};     ///< E f(0)^2
  Vector covariance = {};     ///< E[f(x) f(0)]
  Vector covariance_se = {};  ///< its standard error
  Matrix paths = {};          ///< points x paths

  bool is_process() const { return setting.model == "gp"; }
};

/// A regular grid on [-5, 5] with 0 in the middle: 101 points, fewer if fast.
Vector study_points(const ExperimentOptions& options);

/// Replicates that keep the work of a case bounded: `most`, but no more than 3,000,000 units in all and no
/// fewer than 100. With `fast`, a few.
Index affordable_replicates(Index units, Index most, const ExperimentOptions& options);

/// Replicates run in parallel; the numbers do not depend on the number of threads.
StudyOutcome run_case(const StudyCase& study, const Vector& x, const ExperimentOptions& options);
std::vector<StudyOutcome> run_cases(const std::vector<StudyCase>& cases, const Vector& x,
                                    const ExperimentOptions& options);

/// k(x, 0) and paths of the process.
StudyOutcome run_process(const std::string& kernel, const Vector& x, const ExperimentOptions& options);

/// The largest |E[f(x) f(0)] - k(x, 0)|.
double covariance_error(const StudyOutcome& outcome);

/// Rows of quantity mrmse, covariance and path; `draw` counts paths.
LongTable study_table(const std::vector<StudyOutcome>& outcomes);

/// {mean, sd, standard_error, replicates}.
nlohmann::ordered_json estimate_json(const Estimate& estimate);

/// The setting with its mrmse, variance and covariance_error; the process is left out.
nlohmann::ordered_json study_json(const std::vector<StudyOutcome>& outcomes);

/// A line for each prior: its units, bandwidths, error, variance and covariance error. `first` is the heading of a
/// first column with name(outcome), for what else varies; there is none if it is empty.
std::string study_report(const std::vector<StudyOutcome>& outcomes, const std::string& first = "",
                         const std::function<std::string(const StudyOutcome&)>& name = nullptr);

}  // namespace ridgelet::experiments
