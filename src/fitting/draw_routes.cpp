/// Routes of a fit that end in draws of hidden layers.
#include <fmt/format.h>

#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "fit_routes.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/fitting/latent_fit.hpp"
#include "ridgelet/prior/given_hidden.hpp"

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

PosteriorDraws sample(const SampledPosterior& posterior, const FitSettings& settings,
                      const MonitoredInputs& inputs, const FitHandlers& handlers) {
  Sampling chains(posterior, settings.sampling, inputs);
  if (handlers.restore) handlers.restore(chains);
  PeriodicSaver saver(handlers, chains);
  chains.run([&] { return handlers.stop && handlers.stop(); },
             [&](Index done, Index total) {
               if (handlers.progress) handlers.progress(done, total);
             });
  saver.finish();
  // Also when the chains are done: the report takes its time, and a signal in the meantime must lose nothing.
  if (handlers.save) handlers.save(chains);
  if (!chains.finished()) throw FitStopped(chains.steps_done(), chains.steps_in_all());
  return chains.take_draws();
}

/// The plan, with the memory that each draw takes besides itself.
SamplingPlan plan(const SampledPosterior& posterior, const FitSettings& settings,
                  const MonitoredInputs& inputs, double bytes_beside_a_draw) {
  SamplingPlan planned = plan_sampling(posterior, settings.sampling, inputs);
  const Index draws = settings.sampling.chains * settings.sampling.draws;
  planned.bytes += static_cast<double>(draws) * bytes_beside_a_draw;
  require_memory(planned.bytes, "draws", fmt::format("a fit of {} draws", draws));
  return planned;
}

/// As judged_rounding(), before there is any draw: by hidden layers of the prior.
double rounding_before(const Regression& regression, const Watched& watched, const FitSettings& settings) {
  const GivenHidden given(regression.prior(), settings.sampling.seed, 0);
  const Gaussian output = given.output(watched.inputs.paths);
  const Data& data = regression.data();
  Matrix means(watched.inputs.paths.rows(), data.outputs());
  for (Index k = 0; k < data.outputs(); ++k) {
    const Vector y = data.Y.col(k)(watched.rows);
    means.col(k) =
        output.mean + output.factor * LinearGaussianPosterior(output, y, data.noise(k)).coordinates_mean();
  }
  return judged_rounding(regression, watched, means, settings.force);
}

MonitoredFunctions monitored(const PosteriorDraws& draws, const Matrix& paths, Index functions) {
  MonitoredFunctions at_paths{.X = paths, .values = {}};
  for (Index k = 0; k < functions; ++k)
    at_paths.values.push_back(draws.functions.middleCols(k * paths.rows(), paths.rows()));
  return at_paths;
}

/// What the draws themselves say at the paths that they were monitored at, and the prior at points of the domain.
FitReport judged_draws(const Regression& regression, const PosteriorDraws& draws, const Matrix& paths,
                       const Matrix& points, std::uint64_t seed, DrawsAre draws_are = DrawsAre::of_chains) {
  return report_fit(regression.prior(), draws, monitored(draws, paths, regression.functions()),
                    regression.input_scaling().undo(paths), points, seed, draws_are);
}

/// The fit with its view, and how far it is from the exact process.
Fit compared_fit(FittedModel model, const Watched& watched) {
  FitView view = view_fit(model, watched.rows, watched.inputs);
  FitReport report = model.report();
  add_distance_from_exact(report, model, view);
  model.set_report(std::move(report));
  return {.model = std::move(model), .view = std::move(view)};
}

}  // namespace

VariationalFit closest_normal(const std::function<std::shared_ptr<DifferentiableLogDensity>()>& make_density,
                              const FitSettings& settings, const FitHandlers& handlers) {
  announce(handlers, "looking for the normal distribution closest to the posterior");
  VariationalOptions options = settings.variational;
  options.seed = settings.sampling.seed;
  std::vector<std::shared_ptr<DifferentiableLogDensity>> workspaces;
  for (Index i = 0; i < team_size(options.draws); ++i) workspaces.push_back(make_density());
  return fit_variational(workspaces, options, [&](Index step, double) {
    if (handlers.stop && handlers.stop()) throw FitStopped(step, options.steps);
    if (handlers.progress) handlers.progress(step + 1, options.steps);
  });
}

void add_elbo(FitReport& report, const VariationalFit& found) {
  report.elbo = {.value = found.elbo.value,
                 .standard_error = found.elbo.standard_error,
                 .of_prior = found.prior_elbo.value,
                 .trace = found.trace,
                 .settled = found.settled};
  if (report.elbo->is_prior())
    report.warnings.emplace_back(
        "no normal distribution was found that is closer to the posterior of the hidden layers than their "
        "prior, "
        "whose draws were taken instead; --hidden sampled draws from the posterior itself");
  if (found.settled) return;
  report.converged = false;
  report.warnings.push_back(fmt::format(
      "the ELBO was still rising after {} steps; --steps allows more of them", found.trace.size()));
}

PosteriorDraws short_chains(const SampledPosterior& posterior, const Matrix& X, const FitSettings& settings,
                            const FitHandlers& handlers) {
  // About a tenth of the evaluations of a search that takes all its steps.
  constexpr Index chains = 4, warmup = 100, draws = 100;
  announce(handlers, "comparing with short chains");
  Sampling run(posterior,
               {.chains = chains, .warmup = warmup, .draws = draws, .seed = settings.sampling.seed},
               {.paths = X, .points = {}});
  run.run([&] { return handlers.stop && handlers.stop(); },
          [&](Index done, Index total) {
            if (handlers.progress) handlers.progress(done, total);
          });
  if (!run.finished()) throw FitStopped(run.steps_done(), run.steps_in_all());
  return run.take_draws();
}

void add_distance_from_chains(FitReport& report, const ChainDistance& distance) {
  report.from_chains = distance;
  if (!distance.far()) return;
  report.warnings.push_back(fmt::format(
      "the normal distribution is far from what short chains sample: means by {:.2g} of their sd, sds by "
      "{:.0f} %; {}",
      distance.mean, 100 * std::expm1(distance.sd),
      distance.chains_agree() ? "use --hidden sampled"
                              : "use more --units, since the chains disagree themselves"));
}

Fit fit_sampled(const ChosenModel& chosen, const FitSettings& settings, const FitHandlers& handlers) {
  const Regression& regression = *chosen.regression;
  const Watched watched = watched_inputs(regression, settings);
  const MonitoredInputs& inputs = watched.inputs;
  const double rounding = rounding_before(regression, watched, settings);
  const SampledPosterior sampled =
      SampledPosterior::collapsed(regression.shared_prior(), regression.shared_data(), settings.sampling);
  // Functions, observations and log likelihoods in the view, and the first two once more on their way into it.
  const double view_bytes = 8 * 5 * static_cast<double>(regression.data().outputs() * inputs.paths.rows());
  const SamplingPlan planned = plan(sampled, settings, inputs, view_bytes);
  announce_choice(handlers, chosen);
  if (handlers.plan) handlers.plan(planned);
  Posterior posterior = regression.posterior(sample(sampled, settings, inputs, handlers));
  announce(handlers, "judging the chains");
  FitReport judged =
      judged_draws(regression, posterior.draws(), inputs.paths, inputs.points, settings.sampling.seed);
  add_rounding(judged, rounding);
  add_what_is_known(judged, chosen);
  FittedModel model(chosen.regression, std::move(posterior), settings.sampling, std::move(judged));
  return compared_fit(std::move(model), watched);
}

Fit fit_latent_sampled(const ChosenModel& chosen, const FitSettings& settings, const FitHandlers& handlers) {
  const Regression& regression = *chosen.regression;
  const RidgeletPrior& prior = regression.prior();
  const auto sampled = SampledPosterior::latent(regression.shared_prior(), regression.shared_latent_data());
  const MonitoredInputs compared{.paths = compared_rows(regression)};
  // Each draw becomes a network too: its layers and coordinates again, and its output weights.
  const double network_bytes =
      8 * static_cast<double>(prior.parameters() + sampled.functions * (prior.rank() + prior.units()));
  const SamplingPlan planned = plan(sampled, settings, compared, network_bytes);
  announce_choice(handlers, chosen);
  if (handlers.plan) handlers.plan(planned);
  const PosteriorDraws draws = sample(sampled, settings, compared, handlers);
  announce(handlers, "judging the chains");
  const Watched watched = watched_inputs(regression, settings);
  FitReport judged =
      judged_draws(regression, draws, compared.paths, watched.inputs.points, settings.sampling.seed);
  add_what_is_known(judged, chosen);
  FittedModel model(chosen.regression, sampled_networks(regression, draws), std::move(judged),
                    settings.sampling);
  FitView view = view_fit(model, watched.rows, watched.inputs);
  return {.model = std::move(model), .view = std::move(view)};
}

Fit fit_variational(const ChosenModel& chosen, const FitSettings& settings, const FitHandlers& handlers) {
  const Regression& regression = *chosen.regression;
  const Watched watched = watched_inputs(regression, settings);
  const MonitoredInputs& inputs = watched.inputs;
  const double rounding = rounding_before(regression, watched, settings);
  const Index side_by_side = team_size(settings.variational.draws);
  require_memory(static_cast<double>(side_by_side) *
                         (CollapsedLikelihood::bytes(regression.prior(), regression.data()) +
                          CollapsedLikelihood::gradient_bytes(regression.prior(), regression.data())) +
                     PosteriorDraws::bytes(regression.prior(), regression.data().outputs(),
                                           settings.sampling.draws, inputs),
                 "draws", fmt::format("{} gradients side by side", side_by_side));
  announce_choice(handlers, chosen);
  const VariationalFit found = closest_normal(
      [&] { return std::make_shared<CollapsedDensity>(regression.shared_prior(), regression.shared_data()); },
      settings, handlers);
  Posterior posterior =
      regression.posterior(draw_posterior(found.q, regression.shared_prior(), regression.shared_data(),
                                          settings.sampling.draws, settings.sampling.seed, inputs));
  // Whether q is good is for the ELBO to say.
  FitReport judged = judged_draws(regression, posterior.draws(), inputs.paths, inputs.points,
                                  settings.sampling.seed, DrawsAre::independent);
  add_rounding(judged, rounding);
  add_what_is_known(judged, chosen);
  add_elbo(judged, found);
  const auto sampled = SampledPosterior::collapsed(regression.shared_prior(), regression.shared_data(), {});
  const PosteriorDraws chains = short_chains(sampled, inputs.paths, settings, handlers);
  add_distance_from_chains(
      judged, distance_from_chains(posterior.draws().functions, chains.functions, chains.chains));
  const SamplingOptions one_chain{
      .chains = 1, .warmup = 0, .draws = settings.sampling.draws, .seed = settings.sampling.seed};
  FittedModel model(chosen.regression, std::move(posterior), one_chain, std::move(judged));
  return compared_fit(std::move(model), watched);
}

}  // namespace ridgelet
