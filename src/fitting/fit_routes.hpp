/// How a fit goes on once its model is chosen: a route for each kind of posterior, and what they have in common.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/assess/certificate.hpp"
#include "ridgelet/fitting/fit.hpp"

namespace ridgelet {

/// Where all routes begin.
struct ChosenModel {
  std::shared_ptr<const Regression> regression;
  LearnedSettings learned;
  Certificate certificate;
  std::string advice;  ///< what would help, where the certificate is bad
  std::string taken;   ///< a remedy that was taken in place of the usual choice, and why
};

void announce(const FitHandlers& handlers, const std::string& what);
void announce_choice(const FitHandlers& handlers, const ChosenModel& chosen);

/// Rows of the table at which functions are looked at, and inputs in the model's units.
struct Watched {
  std::vector<Index> rows;
  MonitoredInputs inputs;
};
Watched watched_inputs(const Regression& regression, const FitSettings& settings);

/// Adds what is known whatever the posterior is: certificate, what learning found, and warnings about the table.
void add_what_is_known(FitReport& report, const ChosenModel& chosen);

/// The same with a warning where the network does not follow its process; that goes first.
void add_what_is_known_and_warn(FitReport& report, const ChosenModel& chosen);

/// How far rounding moves predictions, in their standard deviations, where the posterior has these means at the watched
/// rows (rows x outputs, in the model's units). Throws InvalidArgument about "noise" where that is 1 or more, unless
/// `force`.
double judged_rounding(const Regression& regression, const Watched& watched, const Matrix& means, bool force);

/// Adds this rounding to the report, with a warning where digits are lost.
void add_rounding(FitReport& report, double rounding);

/// Adds how far predictions of the function at the watched inputs are from the exact process, in units of the
/// response's sd, where the view has that process; with a warning where they are far from it.
void add_distance_from_exact(FitReport& report, const FittedModel& model, const FitView& view);

/// The normal distribution closest to the posterior of hidden layers; `make_density` makes a workspace of their log
/// density for each of the draws that are evaluated side by side.
VariationalFit closest_normal(const std::function<std::shared_ptr<DifferentiableLogDensity>()>& make_density,
                              const FitSettings& settings, const FitHandlers& handlers);

/// Adds the ELBO that was found, and a warning where it was still rising.
void add_elbo(FitReport& report, const VariationalFit& found);

/// Short chains on the posterior itself, to compare with: MonitoredInputs::paths are the inputs X, in the model's units.
PosteriorDraws short_chains(const SampledPosterior& posterior, const Matrix& X, const FitSettings& settings,
                            const FitHandlers& handlers);

/// Adds how far draws from the normal distribution are from these chains, with a warning where that is far.
void add_distance_from_chains(FitReport& report, const ChainDistance& distance);

/// Hidden layers that stay fixed, in closed form, from one pass over the rows: those of `rows_of_all` where only some
/// are in memory.
Fit fit_fixed(const ChosenModel& chosen, const TableRows* rows_of_all, const FitSettings& settings,
              const FitHandlers& handlers);

/// Responses that are not Gaussian given the functions, with hidden layers that stay or are drawn from a normal
/// distribution.
Fit fit_latent_responses(const ChosenModel& chosen, const FitSettings& settings, const FitHandlers& handlers);

/// Chains over hidden layers; the same where the response is not Gaussian; and the normal distribution closest to the
/// posterior of hidden layers.
Fit fit_sampled(const ChosenModel& chosen, const FitSettings& settings, const FitHandlers& handlers);
Fit fit_latent_sampled(const ChosenModel& chosen, const FitSettings& settings, const FitHandlers& handlers);
Fit fit_variational(const ChosenModel& chosen, const FitSettings& settings, const FitHandlers& handlers);

}  // namespace ridgelet
