#include "ridgelet/fitting/fit.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "commands.hpp"
#include "fit_output.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "outcomes.hpp"
#include "progress.hpp"
#include "ridgelet/core/stopwatch.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/io/checkpoint.hpp"
#include "ridgelet/io/csv.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/results.hpp"
#include "ridgelet/io/table_file.hpp"
#include "signals.hpp"

namespace ridgelet::app {

namespace {

struct FitCommand {
  CommonOptions common;
  ModelFlags model;
  std::string data;
  std::optional<std::string> x;
  std::string y;
  std::string noise;
  std::string missing = "refuse";
  std::string out;
  SamplingOptions sampling;
  bool standardise = false;
  bool network_mean = false;
  bool resume = false;
  bool strict = false;

  void run() const;
  FitSettings settings() const;
  Fit run_fit(RegressionTable table, const FitSettings& settings, Checkpoint& checkpoint) const;
  void start_or_resume(Checkpoint& checkpoint, Sampling& chains) const;
  void save(Checkpoint& checkpoint, const Sampling& chains) const;
  void say(const std::string& line) const;

  std::string checkpoint_path() const { return out + ".checkpoint"; }
};

std::vector<std::string> columns(const std::string& list, const std::string& argument) {
  try {
    return split_columns(list);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(argument, error.complaint());
  }
}

void FitCommand::say(const std::string& line) const {
  if (!common.quiet && !common.json) tell(line + "\n");
}

FitSettings FitCommand::settings() const {
  FitSettings settings{.regression = {.model = model.settings(),
                                      .noise = read_numbers("noise", noise),
                                      .standardise = standardise,
                                      .network_mean = network_mean},
                       .sampling = sampling};
  settings.sampling.seed = common.seed;
  if (settings.regression.model.kernel.empty())
    throw InvalidArgument("kernel", "is required, e.g. \"se(amplitude=1, lengthscale=1.5)\"");
  return settings;
}

void FitCommand::start_or_resume(Checkpoint& checkpoint, Sampling& chains) const {
  const bool saved = std::filesystem::exists(checkpoint_path());
  if (resume && saved) {
    checkpoint.resume(chains);
    say(fmt::format("resumed after {} of {} steps", chains.steps_done(), chains.steps_in_all()));
  } else if (resume) {
    say(fmt::format("no checkpoint '{}': starting from the beginning", checkpoint_path()));
  } else if (saved) {
    say(fmt::format("the checkpoint '{}' of an earlier run will be replaced", checkpoint_path()));
  }
}

/// A disk that is full now may have room later, and the fit itself lacks nothing.
void FitCommand::save(Checkpoint& checkpoint, const Sampling& chains) const {
  try {
    checkpoint.save(chains);
  } catch (const IoError& error) {
    warn(fmt::format("the run goes on, but could not save itself: {}", error.what()));
  }
}

Fit FitCommand::run_fit(RegressionTable table, const FitSettings& settings, Checkpoint& checkpoint) const {
  // Planning has nothing to save: a signal ends it at once.
  std::optional<GracefulStop> graceful;
  Progress progress("steps", common.quiet);
  try {
    return fit(std::move(table), settings,
               {.plan =
                    [&](const SamplingPlan& plan) {
                      graceful.emplace(
                          "interrupted; the same command with --resume goes on from what was saved last");
                      say("plan: " + plan.text());
                    },
                .progress = [&](Index done, Index total) { progress.update(done, total); },
                .stop = [] { return SignalWatch::stop_requested(); },
                .restore = [&](Sampling& chains) { start_or_resume(checkpoint, chains); },
                .save = [&](const Sampling& chains) { save(checkpoint, chains); }});
  } catch (const FitStopped& stopped) {
    throw Interrupted(SignalWatch::signal(),
                      fmt::format("interrupted after {} of {} steps, which are saved in '{}'; the same "
                                  "command with --resume goes on from there",
                                  stopped.done(), stopped.total(), checkpoint_path()));
  }
}

void FitCommand::run() const {
  const ThreadScope threads(common.thread_count());
  const Stopwatch watch;
  const FitSettings wanted = settings();
  TableFile file = read_table(data, {.inputs = x ? columns(*x, "x") : std::vector<std::string>{},
                                     .outputs = columns(y, "y"),
                                     .missing = parse_missing_values(missing)});
  for (const std::string& note : file.notes) say("note: " + note);
  RegressionTable table = std::move(file.table);
  require_separate_files({data, model.file()}, {{"out", out}, {"out", checkpoint_path()}});
  { const OutputFile writable(out); }
  Checkpoint checkpoint(checkpoint_path(), describe_run(table, wanted));
  const Fit fitted = run_fit(std::move(table), wanted, checkpoint);
  write_results(out, fitted);
  checkpoint.remove();

  const FitOutput output(fitted.model, watch.seconds());
  if (common.json)
    fmt::print("{}\n", output.json());
  else if (!common.quiet)
    fmt::print("{}wrote {}\n", output.text(), out);
  const FitReport& report = fitted.model.report();
  if (strict && !report.converged) throw NotConverged(report.warnings.front());
  for (const std::string& warning : report.warnings) warn(warning);
}

}  // namespace

void add_fit(CLI::App& program) {
  CLI::App* command = program.add_subcommand("fit", "Posterior of a network, given a table of data");
  const auto fit = std::make_shared<FitCommand>();
  command->add_option("DATA", fit->data, "table with a header line")->required()->type_name("FILE.csv");
  command
      ->add_option("--x", fit->x,
                   "columns of the inputs, in the order x1, x2, ... (default: every other column)")
      ->type_name("A,B,...");
  command
      ->add_option("--y", fit->y, "column of the response, or several; log(Y) for the logarithm of a column")
      ->required()
      ->type_name("Y,...");
  command->add_option("--missing", fit->missing, "rows with a missing value: refuse (default) or drop")
      ->default_str("")
      ->type_name("refuse|drop");
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
