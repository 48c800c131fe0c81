#include "ridgelet/fitting/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fit_routes.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/fitting/kept_rows.hpp"
#include "ridgelet/fitting/remedies.hpp"
#include "ridgelet/fitting/skewed_columns.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {

namespace {

/// Finds errors in a kernel that is given, before anything is learned.
void validate_kernel(const std::string& kernel, Index inputs) {
  if (kernel.empty() || kernel == best_of_a_list) return;
  parse_kernel(kernel).validate_dimension(inputs);
}

/// The number of networks to certify: those of the fit, or a few like them.
Index certified_networks(const FitSettings& settings) {
  constexpr Index few = 4;
  return settings.hidden == HiddenLayersAre::fixed ? std::min(settings.networks, few) : few;
}

bool is_hopeless(const Certificate& certificate) {
  return certificate.worst() >= hopeless_relative_error;
}

/// Under Poisson's law a large count says much of its rate, and the process follows every one of them.
std::string advice_for_counts(const Regression& regression) {
  const bool poisson = regression.likelihood() && regression.likelihood()->name() == "poisson";
  return poisson ? "; counts that vary more than their mean need --likelihood negative-binomial" : "";
}

void require_resemblance(const ChosenModel& chosen, bool force) {
  if (force || !is_hopeless(chosen.certificate)) return;
  throw InvalidArgument(
      "kernel",
      fmt::format(
          "the network cannot carry this process: it is off by {} of its size, whatever the data say; {}{}; "
          "or --force to go on",
          percent(chosen.certificate.worst()), chosen.advice, advice_for_counts(*chosen.regression)));
}

/// Chains of responses that are not Gaussian have no gradient, and cannot be shared.
void require_known_posterior(const FitSettings& settings) {
  if (settings.hidden == HiddenLayersAre::sampled && settings.sampling.sampler == Sampler::nuts)
    throw InvalidArgument("sampler", "nuts is for Gaussian noise; leave it out for this likelihood");
  if (settings.arithmetic == Arithmetic::mixed)
    throw InvalidArgument("precision", "mixed is for Gaussian noise; leave it out for this likelihood");
  if (settings.sampling.ranks && settings.sampling.ranks->size() > 1)
    throw InvalidArgument("likelihood", "several processes can share a fit with Gaussian noise only");
}

/// What can be known to be wrong before any row is looked at.
void validate(const FitSettings& settings, Index inputs) {
  validate(settings.regression.model, inputs);
  validate_kernel(settings.regression.model.kernel, inputs);
  require_at_least(settings.networks, 1, "networks");
  require_at_least(settings.kept_rows, 2, "kept_rows");
  if (settings.learning.period) require_positive(*settings.learning.period, "period");
  validate(settings.variational);
  if (settings.arithmetic == Arithmetic::mixed && settings.hidden != HiddenLayersAre::fixed)
    throw InvalidArgument("precision", "mixed is for hidden layers that stay fixed");
}

Index most_kept(const FitSettings& settings) {
  return std::max(settings.kept_rows, settings.learning.most_rows());
}

/// What would bring the network nearer to its process.
std::string advice_on(const ChosenModel& chosen, const std::vector<Remedy>& remedies) {
  const std::string logarithms = logarithm_advice(skewed_columns(chosen.regression->table()));
  const std::string measured = advice_text(remedies, chosen.certificate);
  return logarithms.empty() ? measured : logarithms + "; " + measured;
}

/// The network for what was learned, with its error and, where that is large, what would help.
ChosenModel choose_model(LearnedSettings learned, RegressionTable table, const FitSettings& settings,
                         const FitHandlers& handlers) {
  const auto regression = std::make_shared<const Regression>(learned.settings, std::move(table));
  const ReplicateOptions networks{.replicates = certified_networks(settings), .seed = settings.sampling.seed};
  ChosenModel chosen{.regression = regression,
                     .learned = std::move(learned),
                     .certificate = certify(regression->prior(), regression->data().X, networks),
                     .advice = {},
                     .taken = {}};
  if (chosen.certificate.worst() <= large_relative_error) return chosen;
  const auto before = [&](const std::string& flags) {
    announce(handlers, "measuring what would bring the network nearer to its process: " + flags);
  };
  std::vector<Remedy> remedies = measure_remedies(chosen.learned.settings, *regression, networks, before);
  // A wider network costs a pass over the rows little, and chains as much more as it is wider.
  const bool affordable = settings.hidden == HiddenLayersAre::fixed || is_hopeless(chosen.certificate);
  if (const auto remedy = affordable ? take_remedy(remedies, chosen.certificate) : std::nullopt) {
    chosen.taken =
        fmt::format("taken: {}, which leaves the network off by {} of its process's size, not {}",
                    remedy->flags, percent(remedy->certificate.worst()), percent(chosen.certificate.worst()));
    announce(handlers, chosen.taken);
    chosen.regression = remedy->network;
    chosen.certificate = remedy->certificate;
  }
  if (chosen.certificate.worst() > large_relative_error) chosen.advice = advice_on(chosen, remedies);
  return chosen;
}

/// `rows` are those of the whole table, if only some are in memory.
Fit fit_kept(RegressionTable table, const TableRows* rows, const FitSettings& settings,
             const FitHandlers& handlers) {
  RegressionSettings wanted = settings.regression;
  wanted.seed = settings.sampling.seed;
  const bool gaussian = is_gaussian(wanted.model.likelihood);
  if (!gaussian) require_known_posterior(settings);
  // A chain's layers are draws of the prior, so the error of their prior is that of independent units.
  if (settings.hidden != HiddenLayersAre::fixed) wanted.model.units_from = UnitsFrom::independent;
  if (leaves_open(wanted.model, settings.learning)) announce(handlers, "learning the process");
  LearnSettings how = settings.learning;
  if (rows) how.ranks = &rows->ranks();
  const LearnedSettings learned = learn_settings(table, std::move(wanted), how);
  if (learned.target && handlers.learned) handlers.learned(learned);
  const ChosenModel chosen = choose_model(learned, std::move(table), settings, handlers);
  require_resemblance(chosen, settings.force);
  if (settings.hidden == HiddenLayersAre::sampled)
    return gaussian ? fit_sampled(chosen, settings, handlers)
                    : fit_latent_sampled(chosen, settings, handlers);
  if (!gaussian) return fit_latent_responses(chosen, settings, handlers);
  if (settings.hidden == HiddenLayersAre::fixed) return fit_fixed(chosen, rows, settings, handlers);
  return fit_variational(chosen, settings, handlers);
}

}  // namespace

HiddenLayersAre parse_hidden_layers(const std::string& text) {
  if (text == "fixed") return HiddenLayersAre::fixed;
  if (text == "sampled") return HiddenLayersAre::sampled;
  if (text == "variational") return HiddenLayersAre::variational;
  throw InvalidArgument("hidden", "must be fixed, sampled or variational, got '" + text + "'");
}

FitStopped::FitStopped(Index done, Index total)
    : std::runtime_error(fmt::format("stopped after {} of {} steps", done, total)),
      done_(done),
      total_(total) {}

namespace {

/// The settings with the likelihood that the response asks for, where none is named.
FitSettings with_likelihood(FitSettings settings, const TableEncoding& encoding) {
  ModelSettings& model = settings.regression.model;
  model.likelihood = chosen_likelihood(model, encoding);
  return settings;
}

/// Whether the posterior needs all rows in memory.
bool needs_all_rows(const FitSettings& settings) {
  return settings.hidden != HiddenLayersAre::fixed || !is_gaussian(settings.regression.model.likelihood);
}

}  // namespace

ConstantResponses constant_responses(const FitSettings& settings) {
  const ModelSettings& model = settings.regression.model;
  return is_of_counts(model.likelihood) && !learns_kernel(model, settings.learning)
             ? ConstantResponses::allowed
             : ConstantResponses::refused;
}

Fit fit(RegressionTable table, const FitSettings& wanted, const FitHandlers& handlers) {
  const FitSettings settings = with_likelihood(wanted, encoding_of(table));
  validate(settings, table.X.cols());
  if (!needs_all_rows(settings) && table.X.rows() > most_kept(settings))
    return fit(TableInMemory(std::move(table)), settings, handlers);
  return fit_kept(std::move(table), nullptr, settings, handlers);
}

Fit fit(const TableRows& rows, const FitSettings& wanted, const FitHandlers& handlers) {
  const FitSettings settings = with_likelihood(wanted, rows.encoding());
  validate(settings, rows.encoding().width());
  if (needs_all_rows(settings)) {
    RegressionTable table = all_rows(rows);
    validate(table, rows.name(), constant_responses(settings));
    return fit_kept(std::move(table), nullptr, settings, handlers);
  }
  if (rows.rows() > most_kept(settings)) announce(handlers, "choosing rows to learn from");
  RegressionTable kept = keep_rows(rows, most_kept(settings), settings.sampling.seed);
  return fit_kept(std::move(kept), &rows, settings, handlers);
}

}  // namespace ridgelet
