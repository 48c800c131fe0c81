#include "ridgelet/fitting/fit.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "commands.hpp"
#include "fit_output.hpp"
#include "fitted_table.hpp"
#include "learning_json.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "outcomes.hpp"
#include "processes.hpp"
#include "progress.hpp"
#include "ridgelet/core/stopwatch.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/fitting/holdout.hpp"
#include "ridgelet/io/checkpoint.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/results.hpp"
#include "signals.hpp"

namespace ridgelet::app {

namespace {

/// A person whose sampled run takes longer is told of the faster way.
constexpr double long_run_in_seconds = 60;

struct FitCommand {
  CommonOptions common;
  ModelFlags model;
  FittedTable table;
  LearnFlags learning;
  std::string out;
  std::string hidden = "fixed";
  std::string precision = "double";
  std::string coordinates = "auto";
  std::string sampler = "slice";
  std::string holdout;
  bool learn = false;
  FitSettings wanted;
  bool resume = false;
  bool strict = false;
  std::vector<const CLI::Option*> of_chains;       ///< flags that only `sampled` has
  std::vector<const CLI::Option*> of_draws;        ///< those of `sampled` and `variational`
  std::vector<const CLI::Option*> of_fixed;        ///< those that only `fixed` has
  std::vector<const CLI::Option*> of_variational;  ///< those that only `variational` has
  std::vector<const CLI::Option*> of_functions;    ///< those of noise that is not Gaussian, without chains

  void check() const;
  void run() const;
  FitSettings settings() const;
  void require_flags_of(HiddenLayersAre hidden_layers) const;
  void require_flags_of(const std::string& likelihood) const;
  std::unique_ptr<TableRows> keep_back(const RegressionTable& rows,
                                       std::optional<RegressionTable>& held_out) const;
  std::unique_ptr<TableRows> open_table(const FitSettings& settings, std::optional<RegressionTable>& held_out,
                                        LeftOut& left_out) const;
  static std::string run_description(const TableRows& rows, const FitSettings& settings);
  Fit run_fit(const TableRows& rows, const FitSettings& settings, Checkpoint& checkpoint, Json& tried) const;
  void start_or_resume(Checkpoint& checkpoint, Sampling& chains) const;
  void save(Checkpoint& checkpoint, const Sampling& chains) const;
  void write(const Fit& fitted, const Checkpoint& checkpoint) const;
  void say(const std::string& line) const;

  std::string checkpoint_path() const { return out + ".checkpoint"; }
};

void FitCommand::say(const std::string& line) const {
  if (!common.quiet && !common.json) tell(line + "\n");
}

/// A flag that would do nothing is a misunderstanding.
void refuse(const std::vector<const CLI::Option*>& options, const std::string& complaint) {
  for (const CLI::Option* option : options)
    if (option->count() > 0) throw InvalidArgument(option->get_lnames().front(), complaint);
}

void FitCommand::require_flags_of(HiddenLayersAre hidden_layers) const {
  if (hidden_layers != HiddenLayersAre::fixed)
    refuse(of_fixed, "belongs to --hidden fixed; leave out the one or the other");
  if (hidden_layers != HiddenLayersAre::sampled)
    refuse(of_chains, "belongs to chains; add --hidden sampled, or leave it out");
  if (hidden_layers == HiddenLayersAre::fixed)
    refuse(of_draws,
           "belongs to --hidden sampled and --hidden variational; add one of them, or leave it out");
  if (hidden_layers != HiddenLayersAre::variational)
    refuse(of_variational, "belongs to --hidden variational; add that, or leave it out");
  if (hidden_layers == HiddenLayersAre::sampled)
    refuse(of_functions, "does nothing with --hidden sampled, whose chains draw everything; leave it out");
}

void FitCommand::require_flags_of(const std::string& likelihood) const {
  if (is_gaussian(likelihood))
    refuse(of_functions, "is for noise that is not Gaussian; name a --likelihood, or leave it out");
}

FitSettings FitCommand::settings() const {
  FitSettings settings = wanted;
  settings.regression.model = model.settings();
  settings.hidden = parse_hidden_layers(hidden);
  settings.arithmetic = parse_arithmetic(precision);
  settings.learning = learning.settings(settings.regression.model);
  settings.learning.learn = learn;
  settings.sampling.seed = common.seed;
  settings.sampling.sampler = parse_sampler(sampler);
  settings.sampling.ranks = settings.learning.ranks = &ranks();
  settings.latent.by = parse_coordinates(coordinates);
  require_flags_of(settings.hidden);
  return settings;
}

/// What a model file may change is judged once the file is read.
void FitCommand::check() const {
  if (!holdout.empty()) (void)read_holdout(holdout);
  if (!model.file().empty()) return;
  model.check();
  table.check(settings().regression.model.likelihood);
}

/// Takes the rows that are held out from the table.
std::unique_ptr<TableRows> FitCommand::keep_back(const RegressionTable& rows,
                                                 std::optional<RegressionTable>& held_out) const {
  TableSplit split = hold_out(rows, read_holdout(holdout), common.seed);
  say(fmt::format("{} of {} rows are held out", split.held_out.X.rows(), rows.X.rows()));
  held_out = std::move(split.held_out);
  return std::make_unique<TableInMemory>(std::move(split.fitted), table.paths.front());
}

/// The rows are read into memory where some are held out, or where hidden layers are not fixed and the data are passed
/// over again and again; otherwise they are streamed.
std::unique_ptr<TableRows> FitCommand::open_table(const FitSettings& settings,
                                                  std::optional<RegressionTable>& held_out,
                                                  LeftOut& left_out) const {
  const bool quiet = common.quiet || common.json;
  const std::string& likelihood = settings.regression.model.likelihood;
  if (!holdout.empty()) return keep_back(table.read(quiet, likelihood, &left_out), held_out);
  if (settings.hidden != HiddenLayersAre::fixed)
    return std::make_unique<TableInMemory>(table.read(quiet, likelihood, &left_out), table.paths.front());
  return table.open(quiet, likelihood, &left_out);
}

/// What a checkpoint belongs to; only chains have one.
std::string FitCommand::run_description(const TableRows& rows, const FitSettings& settings) {
  return settings.hidden == HiddenLayersAre::sampled ? describe_run(all_rows(rows), settings) : "";
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

/// A failure to save is only a warning: a disk that is full now may have room later, and the fit itself is not harmed.
void FitCommand::save(Checkpoint& checkpoint, const Sampling& chains) const {
  if (!ranks().first()) return;
  try {
    checkpoint.save(chains);
  } catch (const IoError& error) {
    warn(fmt::format("the run goes on, but could not save itself: {}", error.what()));
  }
}

/// If the results file cannot be written, chains that have been saved are not lost, and the message says so.
void FitCommand::write(const Fit& fitted, const Checkpoint& checkpoint) const {
  try {
    write_results(out, fitted);
  } catch (const IoError& error) {
    if (!checkpoint.saved()) throw;
    throw IoError(
        fmt::format("{}; the chains are saved in '{}', and the same command with --resume goes on from there",
                    error.what(), checkpoint_path()));
  }
}

Fit FitCommand::run_fit(const TableRows& rows, const FitSettings& settings, Checkpoint& checkpoint,
                        Json& tried) const {
  // What comes before the chains has nothing to save: a signal ends it at once.
  std::optional<GracefulStop> graceful;
  Progress progress(settings.hidden == HiddenLayersAre::fixed ? "rows" : "steps", common.quiet);
  const auto announce_plan = [&](const SamplingPlan& plan) {
    graceful.emplace("interrupted; the same command with --resume goes on from what was saved last");
    say("plan: " + plan.text());
    if (plan.seconds() > long_run_in_seconds) say("--hidden fixed takes seconds instead");
  };
  try {
    return fit(rows, settings,
               {.stage = [&](const std::string& what) { say(what + " ..."); },
                .learned =
                    [&](const LearnedSettings& learned) {
                      say(learning_text(learned));
                      tried = learning_json(learned);
                    },
                .chosen = [&](const Regression& regression,
                              const Certificate& certificate) { say(choice_text(regression, certificate)); },
                .advice = [&](const std::string& advice) { say("advice: " + advice); },
                .plan = announce_plan,
                .progress = [&](Index done, Index total) { progress.update(done, total); },
                .stop = [] { return any_process(SignalWatch::stop_requested()); },
                .restore = [&](Sampling& chains) { start_or_resume(checkpoint, chains); },
                .save = [&](const Sampling& chains) { save(checkpoint, chains); }});
  } catch (const FitStopped& stopped) {
    throw Interrupted(SignalWatch::signal(),
                      fmt::format("interrupted after {} of {} steps, which are saved in '{}'; the same "
                                  "command with --resume goes on from there",
                                  stopped.done(), stopped.total(), checkpoint_path()));
  }
}

OfTheRun of_the_run(double seconds, const FittedModel& model,
                    const std::optional<RegressionTable>& held_out) {
  OfTheRun run{.seconds = seconds};
  if (held_out && model.latent()) run.held_out_latent = latent_score_at(model, *held_out);
  if (held_out && !model.latent()) run.held_out = score_at(model, *held_out);
  return run;
}

void set_left_out(FittedModel& model, const LeftOut& left_out) {
  FitReport report = model.report();
  report.left_out = left_out;
  model.set_report(std::move(report));
}

void FitCommand::run() const {
  const ThreadScope threads(common.thread_count());
  const Stopwatch watch;
  FitSettings settings = this->settings();
  std::optional<RegressionTable> held_out;
  LeftOut left_out;
  const std::unique_ptr<TableRows> rows = open_table(settings, held_out, left_out);
  read_domain(settings.regression.model, rows->encoding());
  require_flags_of(chosen_likelihood(settings.regression.model, rows->encoding()));
  require_separate_files(table.files_beside(model.file()), {{"out", out}, {"out", checkpoint_path()}});
  require_name_of(results_format, {"out", out});
  const bool has_chains = settings.hidden == HiddenLayersAre::sampled;
  std::optional<ReservedOutput> reserved, reserved_checkpoint;
  ranks().on_first([&] {
    reserved.emplace(out);
    if (has_chains) reserved_checkpoint.emplace(checkpoint_path());
  });
  Checkpoint checkpoint(checkpoint_path(), run_description(*rows, settings));
  if (has_chains && !resume) checkpoint.require_replaceable();
  Json tried;
  Fit fitted = run_fit(*rows, settings, checkpoint, tried);
  set_left_out(fitted.model, left_out);
  ranks().on_first([&] {
    write(fitted, checkpoint);
    if (has_chains) checkpoint.remove();
  });

  OfTheRun of_run = of_the_run(watch.seconds(), fitted.model, held_out);
  of_run.learning = std::move(tried);
  const FitOutput output(fitted.model, std::move(of_run));
  if (common.json)
    fmt::print("{}\n", output.json());
  else if (!common.quiet)
    fmt::print("{}wrote {}\n", output.text(), out);
  tell_warnings(fitted.model.report());
  if (strict && !fitted.model.report().converged) throw NotConverged(fitted.model.report().warnings.front());
}

}  // namespace

void add_fit(CLI::App& program, Job& job) {
  CLI::App* command = program.add_subcommand("fit", "Posterior of a network, given a table of data");
  const auto fit = std::make_shared<FitCommand>();
  FitSettings& wanted = fit->wanted;
  fit->table.add_to(*command);
  command->add_option("--out", fit->out, "results file, NetCDF (default model.nc)")
      ->default_val("model.nc")
      ->default_str("")
      ->type_name("FILE.nc");
  command
      ->add_option("--hidden", fit->hidden,
                   "hidden layers stay as drawn from the prior, which takes seconds (fixed, the default), "
                   "are sampled from their posterior (sampled), or have a normal distribution close to it "
                   "(variational)")
      ->default_str("")
      ->type_name("fixed|sampled|variational");
  fit->of_fixed = {
      add_whole_number<Index>(*command, "networks", wanted.networks, 1,
                              "fixed: number of hidden layers whose posteriors are mixed (default 1)", 1000),
      command
          ->add_option("--precision", fit->precision,
                       "fixed: arithmetic of the pass over the rows: double (default), or mixed, which "
                       "is faster and falls back to double where it would change predictions")
          ->default_str("")
          ->type_name("double|mixed")};
  fit->table.add_exposure_to(*command);
  fit->of_functions = {
      command
          ->add_option(
              "--coordinates", fit->coordinates,
              "where noise is not Gaussian, the output weights given the hidden layers: normal about their "
              "mode and corrected by weights (laplace), sampled, which is exact (sampled), or whichever is "
              "right (auto, the default)")
          ->default_str("")
          ->type_name("auto|laplace|sampled"),
      add_whole_number<Index>(
          *command, "function-draws", wanted.latent.draws, 20,
          "functions of the posterior that are kept, where noise is not Gaussian (default 500)", 100'000)};
  command->add_flag("--learn", fit->learn,
                    "learn, starting from the numbers in --kernel, --mean and --noise");
  fit->learning.add_to(*command);
  command->add_option("--holdout", fit->holdout, "part of the rows to hold out, on which the fit is scored")
      ->type_name("PART");
  fit->of_chains = {
      add_whole_number<Index>(*command, "chains", wanted.sampling.chains, 1,
                              "sampled: independent chains (default 4)", 1000),
      add_whole_number<Index>(*command, "warmup", wanted.sampling.warmup, 0,
                              "sampled: first steps of each chain, thrown away (default 200)", 100'000'000),
      command
          ->add_option("--sampler", fit->sampler,
                       "sampled: by elliptical slices (slice, the default), or by gradients (nuts)")
          ->default_str("")
          ->type_name("slice|nuts"),
      command->add_flag("--resume", fit->resume, "sampled: go on from the checkpoint of an interrupted run"),
      command->add_flag("--strict", fit->strict,
                        "sampled: exit with code 4 if the chains have not converged")};
  fit->of_draws = {add_whole_number<Index>(*command, "draws", wanted.sampling.draws, 4,
                                           "draws kept (sampled: of each chain; default 500)", 100'000'000)};
  command->add_flag(
      "--force", wanted.force,
      "go on even if the network cannot represent the process, or rounding hides what is predicted");
  fit->of_variational = {
      add_whole_number<Index>(
          *command, "directions", wanted.variational.rank, 0,
          "variational: rank of the part of the covariance that is not diagonal (default 0)", 1000),
      add_whole_number<Index>(*command, "steps", wanted.variational.steps, 1,
                              "variational: steps of the optimiser, at most (default 2000)", 100'000'000)};
  command->add_flag("--network-mean", wanted.regression.network_mean,
                    "the mean passes through the network (default: it is subtracted from the data)");
  fit->common.add_to(*command);
  fit->model.add_to(*command, ModelOption::Use::table);
  set_job(*command, job, fit);
  command->footer(
      "Example, the trend of airline passengers over the years, in the data of the project's folder data:\n"
      "  ridgelet fit airline_passengers.csv --x year --y passengers --out model.nc\n"
      "Classes, where the response is text, or counts:\n"
      "  ridgelet fit flowers.csv --y species --out model.nc\n"
      "  ridgelet fit claims.csv --y claims --exposure years --likelihood poisson --out model.nc\n"
      "With a process of your own, and hidden layers that are sampled:\n"
      "  ridgelet fit airline_passengers.csv --x year --y passengers --standardise --noise 0.4 --kernel "
      "\"linear() + se(amplitude=0.5)\" --domain 1949:1962 --hidden sampled --out model.nc");
}

}  // namespace ridgelet::app
