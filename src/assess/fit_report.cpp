#include "ridgelet/assess/fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgelet {

namespace {

constexpr Index hidden_layers_for_prior_error = 10;

/// Quantity q is the function of output q / points at monitored input q % points; its draws, chain by chain.
Matrix draws_of(const MonitoredFunctions& functions, Index chains, Index q) {
  const Index points = functions.X.rows();
  const Matrix& values = functions.values[static_cast<std::size_t>(q / points)];
  return values.col(q % points).reshaped(values.rows() / chains, chains);
}

std::string name_of(const MonitoredFunctions& functions, const Matrix& places, Index q) {
  const Index point = q % places.rows();
  std::string place;
  for (Index k = 0; k < places.cols(); ++k)
    place += fmt::format("{}{:.5g}", k == 0 ? "" : ", ", places(point, k));
  if (functions.values.size() == 1) return fmt::format("f({})", place);
  return fmt::format("f_{}({})", q / places.rows() + 1, place);
}

/// What to say of independent draws: where chains would be asked for as many of them, no fewer will do.
std::vector<std::string> few_draws_warning(Index draws) {
  if (static_cast<double>(draws) >= effective_samples_per_chain) return {};
  return {fmt::format(
      "{} independent draws, below {:.0f}: 5% and 95% quantiles are imprecise; draw more with --draws", draws,
      effective_samples_per_chain)};
}

}  // namespace

FitReport::PriorError measure_prior_error(const RidgeletPrior& prior, const Matrix& points,
                                          const ReplicateOptions& options) {
  const ErrorOverReplicates error = error_over_replicates(prior, points, options);
  return {.mean = error.mean(), .max = error.largest().mean, .process_sd = process_sd(prior, points)};
}

std::string prior_error_finding(const FitReport::PriorError& error) {
  if (error.mean <= large_prior_error * error.process_sd) return "";
  return fmt::format(
      "the prior error is large: the network differs from its process by {:.2g} on average over the domain, "
      "where the process has standard deviation {:.2g}",
      error.mean, error.process_sd);
}

std::string prior_error_warning(const FitReport::PriorError& error, const RidgeletPrior& prior,
                                const VectorView& reach) {
  const std::string finding = prior_error_finding(error);
  if (finding.empty()) return "";
  const HiddenDistribution& hidden = prior.options().hidden;
  Index farthest = 0;
  for (Index k = 1; k < reach.size(); ++k)
    if (hidden.sigma_w[k] * reach(k) > hidden.sigma_w[farthest] * reach(farthest)) farthest = k;
  const bool out_of_reach = hidden.sigma_w[farthest] * reach(farthest) > 5 * hidden.sigma_b;
  const std::string remedy =
      out_of_reach ? fmt::format(
                         "inputs as large as {:.4g} are out of the hidden units' reach: use --standardise, "
                         "or a larger --sigma-b",
                         reach(farthest))
                   : operator_traits(prior.options().op.name).advice;
  return finding + "; " + remedy;
}

FitReport report_fit(const RidgeletPrior& prior, const PosteriorDraws& draws,
                     const MonitoredFunctions& functions, const Matrix& places, const Matrix& domain_points,
                     std::uint64_t seed, DrawsAre draws_are) {
  const Index quantities = functions.X.rows() * static_cast<Index>(functions.values.size());
  const auto draws_of_quantity = [&](Index q) { return draws_of(functions, draws.chains, q); };
  const WorstDiagnostics worst = worst_diagnostics(quantities, draws_of_quantity);
  FitReport report{.certificate = {},
                   .chains = draws.chains,
                   .draws = draws.draws_per_chain(),
                   .rhat_max = worst.rhat.value,
                   .bulk_min = worst.bulk.value,
                   .tail_min = worst.tail.value,
                   .standard_error_max = 0,
                   .evaluations_per_step = draws.evaluations_per_step(),
                   .divergences = draws.divergences(),
                   .longest = draws.longest(),
                   .prior_error = measure_prior_error(
                       prior, domain_points, {.replicates = hidden_layers_for_prior_error, .seed = seed}),
                   .warnings = draws_are == DrawsAre::independent ? few_draws_warning(draws.size())
                                                                  : convergence_warnings(worst, [&](Index q) {
                                                                      return name_of(functions, places, q);
                                                                    })};
  report.converged = draws_are == DrawsAre::independent || report.warnings.empty();
  for (Index q = 0; q < quantities; ++q)
    report.standard_error_max =
        std::max(report.standard_error_max, mean_standard_error(draws_of_quantity(q)));
  if (report.divergences > 0)
    report.warnings.push_back(
        fmt::format("{} of {} trajectories diverged: there are places that steps of this size cannot enter; "
                    "use --sampler slice",
                    report.divergences, draws.size()));
  if (report.longest > 0)
    report.warnings.push_back(
        fmt::format("{} of {} trajectories reached the greatest length, {} steps, before they turned back: "
                    "they are slow, "
                    "and draws may depend on each other; compare with --sampler slice",
                    report.longest, draws.size(), NutsOptions{}.most_steps()));
  const std::string about_prior = prior_error_warning(
      report.prior_error, prior, domain_points.cwiseAbs().colwise().maxCoeff().transpose());
  if (!about_prior.empty()) report.warnings.push_back(about_prior);
  return report;
}

}  // namespace ridgelet
