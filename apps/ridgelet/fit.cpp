#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "commands.hpp"
#include "fit_output.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "outcomes.hpp"
#include "progress.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/io/checkpoint.hpp"
#include "ridgelet/io/csv.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/results.hpp"
#include "signals.hpp"

namespace ridgelet::app {

namespace {

using Clock = std::chrono::steady_clock;

/// How long a run goes on before it saves what it has.
constexpr std::chrono::seconds checkpoint_interval(5);
/// Inputs of the data at which the function is watched, and of the domain at which the prior is judged.
constexpr Index most_watched = 100;
constexpr Index domain_points = 100;

struct Fit {
  CommonOptions common;
  ModelFlags model;
  std::string data;
  std::string x;
  std::string y;
  std::string noise;
  std::string out;
  SamplingOptions sampling;
  bool standardise = false;
  bool network_mean = false;
  bool resume = false;
  bool strict = false;

  void run();
  RegressionSettings settings() const;
  RegressionTable table() const;
  void start_or_resume(Sampling& chains, const std::string& description) const;
  void sample(Sampling& chains, const std::string& description) const;
  void stop_if_signalled(const Sampling& chains, const std::string& description) const;
  void say(const std::string& line) const;

  std::filesystem::path checkpoint() const { return out + ".checkpoint"; }
};

std::vector<std::string> columns(const std::string& list, const std::string& argument) {
  try {
    return split_columns(list);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(argument, error.complaint());
  }
}

Matrix watched_inputs(const Matrix& X) {
  const Index count = std::min(most_watched, X.rows());
  Matrix watched(count, X.cols());
  for (Index i = 0; i < count; ++i) watched.row(i) = X.row(count == 1 ? 0 : i * (X.rows() - 1) / (count - 1));
  return watched;
}

void Fit::say(const std::string& line) const {
  if (!common.quiet && !common.json) tell(line + "\n");
}

RegressionSettings Fit::settings() const {
  RegressionSettings settings{.model = model.settings(),
                              .noise = read_numbers("noise", noise),
                              .standardise = standardise,
                              .network_mean = network_mean};
  if (settings.model.kernel.empty())
    throw InvalidArgument("kernel", "is required, e.g. \"se(amplitude=1, lengthscale=1.5)\"");
  return settings;
}

RegressionTable Fit::table() const {
  return read_regression_table(data, columns(x, "x"), columns(y, "y"));
}

void Fit::stop_if_signalled(const Sampling& chains, const std::string& description) const {
  if (!SignalWatch::stop_requested()) return;
  write_checkpoint(checkpoint(), description, chains);
  throw Interrupted(SignalWatch::signal(),
                    fmt::format("interrupted after {} of {} steps, which are saved in '{}'; the same "
                                "command with --resume goes on from there",
                                chains.steps_done(), chains.steps_in_all(), checkpoint().string()));
}

/// Runs the chains, saving what there is every few seconds and when a signal comes.
void Fit::sample(Sampling& chains, const std::string& description) const {
  Progress progress("steps", common.quiet);
  while (!chains.finished()) {
    const auto deadline = Clock::now() + checkpoint_interval;
    chains.run([&] { return Clock::now() > deadline || SignalWatch::stop_requested(); },
               [&](Index done, Index total) { progress.update(done, total); });
    stop_if_signalled(chains, description);
    if (!chains.finished()) write_checkpoint(checkpoint(), description, chains);
  }
}

void Fit::start_or_resume(Sampling& chains, const std::string& description) const {
  const bool saved = std::filesystem::exists(checkpoint());
  if (resume && saved) {
    resume_from(checkpoint(), description, chains);
    say(fmt::format("resumed after {} of {} steps", chains.steps_done(), chains.steps_in_all()));
  } else if (resume) {
    say(fmt::format("no checkpoint '{}': starting from the beginning", checkpoint().string()));
  } else if (saved) {
    say(fmt::format("the checkpoint '{}' of an earlier run will be replaced", checkpoint().string()));
  }
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

void Fit::run() {
  const ThreadScope threads(common.thread_count());
  const auto start = Clock::now();
  sampling.seed = common.seed;
  const RegressionSettings wanted = settings();
  const Regression regression(wanted, table());
  require_separate_files({data, model.file()}, {{"out", out}, {"out", checkpoint().string()}});
  { const OutputFile writable(out); }
  const std::string description = describe_run(regression, sampling);
  const Matrix watched = watched_inputs(regression.data().X);
  SamplingPlan plan = plan_sampling(regression.shared_prior(), regression.shared_data(), sampling);
  plan.bytes += results_bytes(regression, sampling, watched.rows());
  require_memory(plan.bytes, "draws", fmt::format("a fit of {} draws", sampling.chains * sampling.draws));
  Sampling chains(regression.prior(), regression.data(), sampling);
  {
    const GracefulStop graceful(
        "interrupted; the same command with --resume goes on from what was saved last");
    say("plan: " + plan.text());
    start_or_resume(chains, description);
    sample(chains, description);
  }
  const Index outputs = regression.data().outputs();
  const Posterior posterior = regression.posterior(chains.take_draws());
  const MonitoredFunctions functions = monitor(posterior, watched, outputs);
  FitReport report =
      report_fit(regression.prior(), posterior, functions, regression.input_scaling().undo(watched),
                 evaluation_points(regression.domain(), domain_points, common.seed), common.seed);
  for (const std::string& warning : warnings_about(regression)) report.warnings.push_back(warning);
  write_results(out, regression, sampling, posterior, functions, report);
  std::error_code ignored;
  std::filesystem::remove(checkpoint(), ignored);

  const FitOutput output{.settings = wanted,
                         .table = regression.table(),
                         .sampling = sampling,
                         .report = report,
                         .seconds = std::chrono::duration<double>(Clock::now() - start).count()};
  if (common.json)
    fmt::print("{}\n", output.json());
  else if (!common.quiet)
    fmt::print("{}wrote {}\n", output.text(), out);
  if (strict && !report.converged) throw NotConverged(report.warnings.front());
}

}  // namespace

void add_fit(CLI::App& program) {
  CLI::App* command = program.add_subcommand("fit", "Posterior of a network, given a table of data");
  const auto fit = std::make_shared<Fit>();
  command->add_option("DATA", fit->data, "table with a header line")->required()->type_name("FILE.csv");
  command->add_option("--x", fit->x, "columns of the inputs, in the order x1, x2, ...")
      ->required()
      ->type_name("A,B,...");
  command->add_option("--y", fit->y, "column of the response, or several")->required()->type_name("Y,...");
  command->add_option("--noise", fit->noise, "standard deviation of the noise, one or one for each response")
      ->required()
      ->type_name("S,...");
  command->add_option("--out", fit->out, "results file, NetCDF (default model.nc)")
      ->default_val("model.nc")
      ->default_str("")
      ->type_name("FILE.nc");
  add_whole_number<Index>(*command, "chains", fit->sampling.chains, 1, "independent chains (default 4)",
                          1000);
  add_whole_number<Index>(*command, "warmup", fit->sampling.warmup, 0,
                          "first steps of each chain, thrown away (default 200)", 100'000'000);
  add_whole_number<Index>(*command, "draws", fit->sampling.draws, 4, "draws kept of each chain (default 500)",
                          100'000'000);
  command->add_flag("--standardise", fit->standardise,
                    "every column to mean 0 and sd 1 first; kernel, mean and noise then speak of those");
  command->add_flag("--network-mean", fit->network_mean,
                    "the mean passes through the network (default: it is subtracted from the data)");
  command->add_flag("--resume", fit->resume, "go on from the checkpoint of an interrupted run");
  command->add_flag("--strict", fit->strict, "exit with code 4 if the chains have not converged");
  fit->common.add_to(*command);
  fit->model.add_to(*command);
  command->callback([fit] { fit->run(); });
  command->footer(
      "Example, the trend of airline passengers over the years, in the data of the project's folder data:\n"
      "  ridgelet fit airline_passengers.csv --x year --y passengers --standardise --noise 0.4 --units 100 "
      "--kernel "
      "\"linear() + se(amplitude=0.5)\" --domain 1949:1962 --out model.nc");
}

}  // namespace ridgelet::app
