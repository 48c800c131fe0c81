#include "ridgelet/fitting/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "ridgelet/assess/certificate.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/fitting/closed_form_fit.hpp"
#include "ridgelet/fitting/kept_rows.hpp"
#include "ridgelet/fitting/latent_fit.hpp"
#include "ridgelet/fitting/remedies.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {

namespace {

/// Calls `save` every now and then from a thread of its own, as long as it lives.
class PeriodicSaver {
 public:
  PeriodicSaver(const FitHandlers& handlers, const Sampling& chains) {
    if (!handlers.save) return;
    thread_ = std::thread([this, &handlers, &chains] {
      std::unique_lock lock(mutex_);
      while (!ended_.wait_for(lock, handlers.save_interval, [this] { return over_; })) {
        try {
          handlers.save(chains);
        } catch (...) {
          failure_ = std::current_exception();
          return;
        }
      }
    });
  }

  /// Ends the thread, and throws what saving threw.
  void finish() {
    join();
    if (failure_) std::rethrow_exception(failure_);
  }

  ~PeriodicSaver() { join(); }
  PeriodicSaver(const PeriodicSaver&) = delete;
  PeriodicSaver& operator=(const PeriodicSaver&) = delete;

 private:
  void join() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    ended_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

PosteriorDraws sample(const Regression& regression, const FitSettings& settings,
                      const MonitoredInputs& inputs, const FitHandlers& handlers) {
  Sampling chains(regression.shared_prior(), regression.shared_data(), settings.sampling, inputs);
  if (handlers.restore) handlers.restore(chains);
  PeriodicSaver saver(handlers, chains);
  chains.run([&] { return handlers.stop && handlers.stop(); },
             [&](Index done, Index total) {
               if (handlers.progress) handlers.progress(done, total);
             });
  saver.finish();
  // Also of chains that are done: the report takes its time, and a signal meanwhile must lose nothing.
  if (handlers.save) handlers.save(chains);
  if (!chains.finished()) throw FitStopped(chains.steps_done(), chains.steps_in_all());
  return chains.take_draws();
}

/// Draws of the closest normal distribution, and what its ELBO was on the way.
PosteriorDraws approximate(const Regression& regression, const FitSettings& settings,
                           const MonitoredInputs& inputs, const FitHandlers& handlers,
                           FitReport::Elbo& elbo) {
  VariationalOptions options = settings.variational;
  options.seed = settings.sampling.seed;
  std::vector<std::shared_ptr<DifferentiableLogDensity>> workspaces;
  for (int i = 0; i < team_size(options.draws); ++i)
    workspaces.push_back(
        std::make_shared<CollapsedDensity>(regression.shared_prior(), regression.shared_data()));
  const VariationalFit found = fit_variational(workspaces, options, [&](Index step, double) {
    if (handlers.stop && handlers.stop()) throw FitStopped(step, options.steps);
    if (handlers.progress) handlers.progress(step + 1, options.steps);
  });
  elbo = {.value = found.elbo.value,
          .standard_error = found.elbo.standard_error,
          .of_prior = found.prior_elbo.value,
          .trace = found.trace,
          .settled = found.settled};
  return draw_posterior(found.q, regression.shared_prior(), regression.shared_data(), settings.sampling.draws,
                        settings.sampling.seed, inputs);
}

/// The plan with what the report and the view take beside the draws.
SamplingPlan plan(const Regression& regression, const FitSettings& settings, const MonitoredInputs& inputs) {
  SamplingPlan planned =
      plan_sampling(regression.shared_prior(), regression.shared_data(), settings.sampling, inputs);
  const auto draws = static_cast<double>(settings.sampling.chains * settings.sampling.draws);
  const auto outputs = static_cast<double>(regression.data().outputs());
  // Functions, observations and log likelihoods in the view, and the first two once more on their way into it.
  planned.bytes += 8 * 5 * outputs * draws * static_cast<double>(inputs.paths.rows());
  require_memory(planned.bytes, "draws",
                 fmt::format("a fit of {} draws", settings.sampling.chains * settings.sampling.draws));
  return planned;
}

MonitoredFunctions monitored(const PosteriorDraws& draws, const Matrix& paths, Index outputs) {
  MonitoredFunctions functions{.X = paths, .values = {}};
  for (Index k = 0; k < outputs; ++k)
    functions.values.push_back(draws.functions.middleCols(k * paths.rows(), paths.rows()));
  return functions;
}

/// What the table itself gives reason to say.
std::vector<std::string> warnings_about(const Regression& regression) {
  std::vector<std::string> warnings;
  const Index rows = regression.table().X.rows();
  const bool some = regression.table().whole.has_value();
  if (const Index outside = regression.rows_outside_domain(regression.table().X); outside > 0)
    warnings.push_back(
        fmt::format("{} of {} rows of the data{} lie outside of --domain, where the network "
                    "need not resemble its process",
                    outside, rows, some ? " that were looked at" : ""));
  if (some) return warnings;  // A sample says nothing of rows that repeat others.
  if (const Index repeated = repeated_rows(regression.table()); repeated > 0)
    warnings.push_back(fmt::format(
        "{} of {} rows repeat an earlier one in every column; each counts as a measurement", repeated, rows));
  return warnings;
}

FitReport report(const Regression& regression, const Posterior& posterior, const MonitoredInputs& inputs,
                 std::uint64_t seed) {
  FitReport judged = report_fit(regression.prior(), posterior,
                                monitored(posterior.draws(), inputs.paths, regression.data().outputs()),
                                regression.input_scaling().undo(inputs.paths), inputs.points, seed);
  for (std::string& warning : warnings_about(regression)) judged.warnings.push_back(std::move(warning));
  return judged;
}

MonitoredInputs monitored_inputs(const Regression& regression, const std::vector<Index>& rows,
                                 const FitSettings& settings) {
  return {.paths = regression.data().X(rows, Eigen::all),
          .points = evaluation_points(regression.domain(), settings.domain_points, settings.sampling.seed)};
}

void announce(const FitHandlers& handlers, const std::string& what) {
  if (handlers.stage) handlers.stage(what);
}

std::optional<double> evidence_of(const LearnedSettings& learned) {
  if (!learned.target) return std::nullopt;
  return learned.target->log_evidence;
}

/// How far predictions at the watched inputs are from the exact process, in units of the response's spread.
std::optional<ExactDistance> distance_from_exact(const FitView& view, const Matrix& mean, const Matrix& sd,
                                                 const Regression& regression) {
  if (!view.target.posterior) return std::nullopt;
  const auto relative = [&](const Matrix& ours, const Matrix& exact) {
    const Matrix difference =
        (ours - exact).array().rowwise() / column_sds(regression.table().Y).transpose().array();
    return difference.norm() / std::sqrt(static_cast<double>(difference.size()));
  };
  return ExactDistance{.mean = relative(mean, view.target.posterior->mean),
                       .sd = relative(sd, view.target.posterior->sd)};
}

/// Root mean square over rows and outputs of the sd between networks, relative to the process.
std::optional<double> spread_of_networks(const FittedModel& model, const Matrix& watched) {
  if (model.closed_form().networks().size() < 2) return std::nullopt;
  const Matrix means = model.closed_form().moments(watched).means;
  const Matrix centred = means.rowwise() - means.colwise().mean();
  return centred.norm() / std::sqrt(static_cast<double>(centred.size())) /
         process_sd(model.regression().prior(), watched);
}

/// A kernel that is given: found wrong before anything is learned.
void validate_kernel(const std::string& kernel, Index inputs) {
  if (kernel.empty() || kernel == best_of_a_list) return;
  parse_kernel(kernel).validate_dimension(inputs);
}

/// Those of the fit, or a few like them.
Index certified_networks(const FitSettings& settings) {
  constexpr Index few = 4;
  return settings.hidden == HiddenLayersAre::fixed ? std::min(settings.networks, few) : few;
}

std::string certificate_warning(const Certificate& certificate, const std::string& advice) {
  if (certificate.worst() <= large_relative_error) return "";
  return fmt::format(
      "the network follows its process to {} of its size at the data and {} between them, where 10 % is "
      "good; {}",
      percent(certificate.data), percent(certificate.between), advice);
}

void require_resemblance(const Certificate& certificate, const std::string& advice, bool force) {
  if (force || certificate.worst() < hopeless_relative_error) return;
  throw InvalidArgument(
      "kernel",
      fmt::format(
          "the network cannot carry this process: it is off by {} of its size, whatever the data say; {}; "
          "or --force to go on",
          percent(certificate.worst()), advice));
}

void announce_choice(const FitHandlers& handlers, const Regression& regression,
                     const Certificate& certificate, const std::string& advice) {
  if (handlers.chosen) handlers.chosen(regression, certificate);
  if (handlers.advice && !advice.empty()) handlers.advice(advice);
}

Fit fit_sampled(const std::shared_ptr<const Regression>& regression, const Certificate& certificate,
                const std::string& advice, const LearnedSettings& learned, const FitSettings& settings,
                const FitHandlers& handlers) {
  const std::vector<Index> rows = watched_rows(*regression, settings.most_watched);
  const MonitoredInputs inputs = monitored_inputs(*regression, rows, settings);
  const SamplingPlan planned = plan(*regression, settings, inputs);
  announce_choice(handlers, *regression, certificate, advice);
  if (handlers.plan) handlers.plan(planned);
  Posterior posterior = regression->posterior(sample(*regression, settings, inputs, handlers));
  announce(handlers, "judging the chains");
  FitReport judged = report(*regression, posterior, inputs, settings.sampling.seed);
  judged.certificate = certificate;
  judged.learned = findings(learned, regression->table().inputs);
  judged.learned_evidence = evidence_of(learned);
  FittedModel model(regression, std::move(posterior), settings.sampling, std::move(judged));
  FitView view = view_fit(model, rows, inputs);
  return {.model = std::move(model), .view = std::move(view)};
}

Fit fit_variational(const std::shared_ptr<const Regression>& regression, const Certificate& certificate,
                    const std::string& advice, const LearnedSettings& learned, const FitSettings& settings,
                    const FitHandlers& handlers) {
  const std::vector<Index> rows = watched_rows(*regression, settings.most_watched);
  const MonitoredInputs inputs = monitored_inputs(*regression, rows, settings);
  announce_choice(handlers, *regression, certificate, advice);
  announce(handlers, "looking for the normal distribution closest to the posterior");
  FitReport::Elbo elbo;
  Posterior posterior = regression->posterior(approximate(*regression, settings, inputs, handlers, elbo));
  FitReport judged = report(*regression, posterior, inputs, settings.sampling.seed);
  judged.certificate = certificate;
  judged.learned = findings(learned, regression->table().inputs);
  judged.learned_evidence = evidence_of(learned);
  judged.elbo = std::move(elbo);
  judged.converged = judged.elbo->settled;
  if (!judged.converged)
    judged.warnings.push_back(fmt::format("the ELBO was still rising after {} steps; allow more of them",
                                          settings.variational.steps));
  const SamplingOptions one_chain{
      .chains = 1, .warmup = 0, .draws = settings.sampling.draws, .seed = settings.sampling.seed};
  FittedModel model(regression, std::move(posterior), one_chain, std::move(judged));
  FitView view = view_fit(model, rows, inputs);
  return {.model = std::move(model), .view = std::move(view)};
}

Fit fit_fixed(const std::shared_ptr<const Regression>& chosen, const TableRows* rows_of_all,
              const Certificate& certificate, const std::string& advice, const LearnedSettings& learned,
              const FitSettings& settings, const FitHandlers& handlers) {
  announce_choice(handlers, *chosen, certificate, advice);
  announce(handlers, "passing over the rows");
  const ClosedFormSettings how{.networks = settings.networks,
                               .polish_noise = learned.noise,
                               .polish_amplitude = learned.kernel,
                               .seed = settings.sampling.seed,
                               .progress = handlers.progress};
  const ClosedFormFit closed =
      rows_of_all ? fit_closed_form(chosen, *rows_of_all, how) : fit_closed_form(chosen, how);
  announce(handlers, "judging the fit");
  FitReport report{.certificate = certificate,
                   .learned = findings(learned, closed.regression->table().inputs),
                   .learned_evidence = evidence_of(learned),
                   .converged = true};
  for (const ClosedFormNetwork& network : closed.posterior->networks())
    report.log_evidence += network.log_evidence / static_cast<double>(settings.networks);
  report.warnings = warnings_about(*closed.regression);
  if (const std::string warning = certificate_warning(certificate, advice); !warning.empty())
    report.warnings.insert(report.warnings.begin(), warning);
  const std::vector<Index> rows = watched_rows(*closed.regression, settings.most_watched);
  const MonitoredInputs inputs = monitored_inputs(*closed.regression, rows, settings);
  FittedModel model(closed.regression, closed.posterior, report);
  FitView view = view_fit(model, rows, inputs);
  report.spread = spread_of_networks(model, inputs.paths);
  const PredictiveSummary latent = model.predict(view.watched, {.noise = false});
  report.from_exact = distance_from_exact(view, latent.mean, latent.sd, *closed.regression);
  return {.model = FittedModel(closed.regression, closed.posterior, std::move(report)),
          .view = std::move(view)};
}

LatentFit latent_posterior(const Regression& regression, const FitSettings& settings,
                           const FitHandlers& handlers) {
  if (settings.hidden == HiddenLayersAre::fixed) {
    announce(handlers, "going to the mode");
    return fit_latent(regression, settings.networks, settings.latent, settings.sampling.seed);
  }
  announce(handlers, "sampling hidden layers and functions");
  std::optional<LatentFit> sampled =
      sample_latent(regression, settings.sampling, {.progress = handlers.progress, .stop = handlers.stop});
  if (!sampled)
    throw FitStopped(0, settings.sampling.chains * (settings.sampling.warmup + settings.sampling.draws));
  return std::move(*sampled);
}

Fit fit_latent_responses(const std::shared_ptr<const Regression>& regression, const Certificate& certificate,
                         const std::string& advice, const LearnedSettings& learned,
                         const FitSettings& settings, const FitHandlers& handlers) {
  announce_choice(handlers, *regression, certificate, advice);
  const LatentFit latent = latent_posterior(*regression, settings, handlers);
  announce(handlers, "judging the fit");
  FitReport report{.certificate = certificate,
                   .log_evidence = latent.log_evidence,
                   .laplace = latent.laplace,
                   .learned = findings(learned, regression->table().inputs),
                   .learned_evidence = evidence_of(learned),
                   .warnings = warnings_about(*regression),
                   .converged = true};
  if (!latent.warning.empty()) report.warnings.insert(report.warnings.begin(), latent.warning);
  if (const std::string warning = certificate_warning(certificate, advice); !warning.empty())
    report.warnings.insert(report.warnings.begin(), warning);
  const std::vector<Index> rows = watched_rows(*regression, settings.most_watched);
  const MonitoredInputs inputs = monitored_inputs(*regression, rows, settings);
  FittedModel model(regression, latent.posterior, std::move(report));
  FitView view = view_fit(model, rows, inputs);
  return {.model = std::move(model), .view = std::move(view)};
}

/// Chains of responses that are not Gaussian have no gradient, and cannot be shared or taken up again.
void require_known_posterior(const FitSettings& settings) {
  if (settings.hidden == HiddenLayersAre::variational)
    throw InvalidArgument("hidden",
                          "variational is for Gaussian noise; use fixed or sampled for this likelihood");
  if (settings.hidden == HiddenLayersAre::sampled && settings.sampling.sampler == Sampler::nuts)
    throw InvalidArgument("sampler", "nuts is for Gaussian noise; leave it out for this likelihood");
  if (settings.sampling.ranks && settings.sampling.ranks->size() > 1)
    throw InvalidArgument("likelihood", "several processes can share a fit with Gaussian noise only");
}

/// What can be known to be wrong before any row is looked at.
void validate(const FitSettings& settings, Index inputs) {
  validate(settings.regression.model, inputs);
  validate_kernel(settings.regression.model.kernel, inputs);
  require_at_least(settings.networks, 1, "networks");
  require_at_least(settings.kept_rows, 2, "kept_rows");
  validate(settings.variational);
}

Index most_kept(const FitSettings& settings) {
  return std::max(settings.kept_rows, settings.learning.rows);
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
  const auto regression = std::make_shared<const Regression>(learned.settings, std::move(table));
  const ReplicateOptions networks{.replicates = certified_networks(settings), .seed = settings.sampling.seed};
  const Certificate certificate = certify(regression->prior(), regression->data().X, networks);
  std::string advice;
  if (certificate.worst() > large_relative_error) {
    announce(handlers, "measuring what would bring the network nearer to its process");
    advice = advice_text(measure_remedies(learned.settings, *regression, networks), certificate);
  }
  if (!gaussian) return fit_latent_responses(regression, certificate, advice, learned, settings, handlers);
  if (settings.hidden == HiddenLayersAre::fixed)
    return fit_fixed(regression, rows, certificate, advice, learned, settings, handlers);
  require_resemblance(certificate, advice, settings.force);
  if (settings.hidden == HiddenLayersAre::variational)
    return fit_variational(regression, certificate, advice, learned, settings, handlers);
  return fit_sampled(regression, certificate, advice, learned, settings, handlers);
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

/// With the likelihood that the response asks for, where none is named.
FitSettings with_likelihood(FitSettings settings, const TableEncoding& encoding) {
  std::string& likelihood = settings.regression.model.likelihood;
  if (likelihood.empty()) likelihood = default_likelihood(encoding.outputs.front());
  return settings;
}

/// Whether the posterior needs all rows in memory.
bool needs_all_rows(const FitSettings& settings) {
  return settings.hidden != HiddenLayersAre::fixed || !is_gaussian(settings.regression.model.likelihood);
}

}  // namespace

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
    validate(table, rows.name());
    return fit_kept(std::move(table), nullptr, settings, handlers);
  }
  if (rows.rows() > most_kept(settings)) announce(handlers, "choosing rows to learn from");
  RegressionTable kept = keep_rows(rows, most_kept(settings), settings.sampling.seed);
  return fit_kept(std::move(kept), &rows, settings, handlers);
}

}  // namespace ridgelet
