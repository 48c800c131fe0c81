/// Can a fit be trusted? What its chains, and the prior it started from, say about it.
///
/// Chains are judged by the function at some inputs, for weights are not identified: two networks whose units are
/// the same in another order are the same function.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ridgelet/assess/certificate.hpp"
#include "ridgelet/assess/chain_distance.hpp"
#include "ridgelet/assess/diagnostics.hpp"
#include "ridgelet/assess/replicates.hpp"
#include "ridgelet/inference/mixed_cost.hpp"
#include "ridgelet/inference/posterior_draws.hpp"

namespace ridgelet {

/// Draws of the noise-free function: one draws x points Matrix for each output, chain after chain.
struct MonitoredFunctions {
  Matrix X;
  std::vector<Matrix> values;
};

/// How far predictions are from those of the exact process, root mean squares relative to the sd of the response.
struct ExactDistance {
  double mean = 0;
  double sd = 0;
};

/// For a response that is not Gaussian given the functions: how good the normal distribution about the mode is.
struct LaplaceReport {
  double log_evidence = 0;  ///< Laplace's own; FitReport::log_evidence is corrected by weights
  double shape = 0;         ///< of the weights (inference/pareto_smoothing.hpp): the worst network's
  double effective = 0;     ///< draws that the proposals are worth: the worst network's
  bool exact = false;       ///< coordinates were sampled by chains instead
  double rhat = 1;          ///< of these chains: the worst over functions of the mixture
  double bulk = 0;          ///< of these chains: the smallest effective sample size, likewise

  /// What is good enough. Four chains of 125 draws, the default, have an R-hat of up to 1.03 somewhere among hundreds
  /// of functions even if every draw is independent, so the rule for longer chains (diagnostics.hpp) is not for them.
  static constexpr double good_rhat = 1.05, good_bulk = 100;
  bool chains_agree() const { return rhat <= good_rhat && bulk >= good_bulk; }
};

/// What a table has but a fit leaves out.
struct LeftOut {
  Index rows = 0;                         ///< for a missing value
  Index of_rows = 0;                      ///< rows of the table, these included
  std::vector<std::string> columns = {};  ///< without values, or without variation
};

struct FitReport {
  Certificate certificate;
  std::optional<double> log_evidence = {};  ///< fixed hidden layers: of the data, averaged over networks
  std::optional<double> spread = {};        ///< of the means of several networks, relative to the process
  std::optional<ExactDistance> from_exact = {};  ///< where the exact process can be had
  /// Gaussian noise: how far rounding moves predictions, in their standard deviations (inference/linear_gaussian.hpp).
  std::optional<double> rounding = {};
  std::optional<MixedCost> mixed = {};  ///< where the rows were to be passed over in mixed precision
  /// Where the response is not Gaussian and the hidden layers are not sampled by chains.
  std::optional<LaplaceReport> laplace = {};
  std::vector<std::string> learned = {};  ///< what learning has to say, a line each
  /// Log evidence of the exact process at the rows on which it was learned, if it was, in the model's units.
  std::optional<double> learned_evidence = {};

  // Chains; none if the hidden layers are fixed.
  Index chains = 0;
  Index draws = 0;  ///< of each chain
  double rhat_max = 0;
  double bulk_min = 0;
  double tail_min = 0;
  double standard_error_max = 0;  ///< Monte Carlo error of the function's mean, where it is largest
  double evaluations_per_step = 0;
  Index divergences = 0;  ///< draws whose trajectory diverged; elliptical slices have none
  Index longest = 0;      ///< draws whose trajectory had the greatest length before it turned back

  /// For a normal distribution in the place of the posterior (inference/variational.hpp): its lower bound of the log
  /// evidence, that of the prior, and the bound at every step of the search.
  struct Elbo {
    double value = 0;
    double standard_error = 0;
    double of_prior = 0;
    Vector trace = {};
    bool settled = false;

    /// Whether the search gained nothing, so that the prior stands for the posterior.
    bool is_prior() const { return !(value > of_prior); }
  };
  std::optional<Elbo> elbo = {};
  std::optional<ChainDistance> from_chains = {};  ///< of its draws; unknown in files of older fits

  /// Error of the prior against its process over the domain, and the standard deviation of what varies of the
  /// process to compare with (replicates.hpp).
  struct PriorError {
    double mean = 0;
    double max = 0;  ///< over the domain, averaged over replicates
    double process_sd = 0;
  };
  PriorError prior_error = {};

  std::optional<LeftOut> left_out = {};    ///< unknown in files of older fits
  std::vector<std::string> warnings = {};  ///< what falls short, in plain words, with what to do
  bool converged = false;  ///< R-hat and effective sample sizes are past their thresholds; or no chains
};

/// A prior error above this part of the process's standard deviation is worth a warning.
inline constexpr double large_prior_error = 0.1;

/// The error at the rows of `points`.
FitReport::PriorError measure_prior_error(const RidgeletPrior& prior, const Matrix& points,
                                          const ReplicateOptions& options);

/// Draws of chains may disagree and follow one another; independent ones, of a normal distribution that stands for the
/// posterior, may only be few.
enum class DrawsAre { of_chains, independent };

/// `domain_points` are where the prior's error is measured, over hidden layers drawn from `seed`. A warning
/// names a monitored input by its row of `places`, which may be in other units.
FitReport report_fit(const RidgeletPrior& prior, const PosteriorDraws& draws,
                     const MonitoredFunctions& functions, const Matrix& places, const Matrix& domain_points,
                     std::uint64_t seed, DrawsAre draws_are = DrawsAre::of_chains);

/// "the prior error is large: the network differs ...", or an empty text if it is not.
std::string prior_error_finding(const FitReport::PriorError& error);

/// The same with what to do, or an empty text if it is not. `reach` has the largest |x_k| of the domain for
/// each input k: beyond a few times sigma_b / sigma_w there are hardly any hidden units.
std::string prior_error_warning(const FitReport::PriorError& error, const RidgeletPrior& prior,
                                const VectorView& reach);

}  // namespace ridgelet
