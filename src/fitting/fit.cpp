#include "ridgelet/fitting/fit.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "ridgelet/core/memory.hpp"
#include "ridgelet/cubature/evaluation.hpp"

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

/// The plan with what the report and the view take beside the draws.
SamplingPlan plan(const Regression& regression, const FitSettings& settings, const MonitoredInputs& inputs) {
  SamplingPlan planned =
      plan_sampling(regression.shared_prior(), regression.shared_data(), settings.sampling, inputs);
  const auto draws = static_cast<double>(settings.sampling.chains * settings.sampling.draws);
  const auto outputs = static_cast<double>(regression.data().outputs());
  // Functions and observations, each once in the view and once more on their way into it.
  planned.bytes += 8 * 4 * outputs * draws * static_cast<double>(inputs.paths.rows());
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
  if (const Index outside = regression.rows_outside_domain(regression.table().X); outside > 0)
    warnings.push_back(fmt::format(
        "{} of {} rows of the data lie outside of --domain, where the network need not resemble its process",
        outside, rows));
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

}  // namespace

FitStopped::FitStopped(Index done, Index total)
    : std::runtime_error(fmt::format("stopped after {} of {} steps", done, total)),
      done_(done),
      total_(total) {}

Fit fit(RegressionTable table, const FitSettings& settings, const FitHandlers& handlers) {
  const auto regression = std::make_shared<const Regression>(settings.regression, std::move(table));
  const MonitoredInputs inputs{
      .paths = watched_inputs(regression->data().X, settings.most_watched),
      .points = evaluation_points(regression->domain(), settings.domain_points, settings.sampling.seed)};
  const SamplingPlan planned = plan(*regression, settings, inputs);
  if (handlers.plan) handlers.plan(planned);

  Posterior posterior = regression->posterior(sample(*regression, settings, inputs, handlers));
  FitReport judged = report(*regression, posterior, inputs, settings.sampling.seed);
  FittedModel model(regression, std::move(posterior), settings.sampling, std::move(judged));
  FitView view = view_fit(model, inputs);
  return {.model = std::move(model), .view = std::move(view)};
}

}  // namespace ridgelet
