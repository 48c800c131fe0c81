#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "commands.hpp"
#include "experiments/experiment.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/io/gnuplot.hpp"
#include "ridgelet/io/output_file.hpp"

namespace ridgelet::app {

namespace {

using experiments::Experiment;
using experiments::ExperimentResult;

struct Reproduce {
  CommonOptions common;
  std::string name;
  std::string out;
  std::string without;
  bool fast = false;
  bool list = false;

  void check() const;
  void run() const;
  void print_list() const;
  ExperimentResult run_experiment(const Experiment& experiment) const;
};

/// The files of one experiment.
struct Outputs {
  std::filesystem::path csv, json, svg, png;

  Outputs(const std::filesystem::path& folder, const std::string& name)
      : csv(folder / (name + ".csv")),
        json(folder / (name + ".json")),
        svg(folder / (name + ".svg")),
        png(folder / (name + ".png")) {}

  std::vector<std::filesystem::path> all() const { return {csv, json, svg, png}; }

  /// Makes the folder and opens each file once, so that an unwritable place is known before a minute of work.
  void require_writable() const {
    std::error_code error;
    std::filesystem::create_directories(csv.parent_path(), error);
    if (error)
      throw IoError(
          fmt::format("cannot make the directory '{}': {}", csv.parent_path().string(), error.message()));
    for (const std::filesystem::path& path : all()) const OutputFile probe(path);
  }

  /// Numbers first: they are what took the time.
  void write(const ExperimentResult& result) const {
    OutputFile table(csv), numbers(json);
    experiments::write_csv(table.stream(), result.table);
    numbers.stream() << result.json.dump(2) << '\n';
    table.commit();
    numbers.commit();
    for (const std::filesystem::path& path : {svg, png})
      render_figure(result.figure.script, path, result.figure.width, result.figure.height);
  }
};

void require_known_model(const Experiment& experiment, const std::string& without) {
  if (without.empty()) return;
  if (experiment.may_lack.empty())
    throw InvalidArgument("without", fmt::format("'{}' has no model that can be left out", experiment.name));
  if (std::ranges::find(experiment.may_lack, without) == experiment.may_lack.end())
    throw InvalidArgument("without", unknown_name_complaint(without, experiment.may_lack));
}

void Reproduce::print_list() const {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const Experiment& each : experiments::experiments()) {
    entries.push_back({{"name", each.name}, {"description", each.description}});
    if (!common.json) fmt::print("{:<20}{}\n", each.name, each.description);
  }
  if (common.json) fmt::print("{}\n", entries.dump(2));
}

ExperimentResult Reproduce::run_experiment(const Experiment& experiment) const {
  std::string current;
  std::optional<Progress> progress;
  const auto show = [&](const std::string& stage, Index done, Index total) {
    if (!progress || stage != current) progress.emplace(stage, common.quiet);
    current = stage;
    progress->update(done, total);
  };
  return experiment.run({.fast = fast, .seed = common.seed, .without = without, .progress = show});
}

void Reproduce::check() const {
  if (list) return;
  if (name.empty()) throw InvalidArgument("NAME", "is required; `ridgelet reproduce --list` lists the names");
  const Experiment& experiment = experiments::find_experiment(name);
  if (out.empty()) throw InvalidArgument("out", "is required: the directory that the files are written to");
  require_known_model(experiment, without);
}

void Reproduce::run() const {
  if (list) return print_list();
  const Outputs outputs(out, name);
  const ThreadScope threads(common.thread_count());
  outputs.require_writable();
  const ExperimentResult result = run_experiment(experiments::find_experiment(name));
  outputs.write(result);

  if (common.json) {
    fmt::print("{}\n", result.json.dump(2));
  } else if (!common.quiet) {
    fmt::print("{}\n", result.report);
    for (const std::filesystem::path& path : outputs.all()) fmt::print("written: {}\n", path.string());
  }
}

}  // namespace

void add_reproduce(CLI::App& program, Job& job) {
  CLI::App* command =
      program.add_subcommand("reproduce", "The paper's figures: their numbers, and the figures");
  const auto reproduce = std::make_shared<Reproduce>();
  command->add_option("NAME", reproduce->name, "name of the figure; --list shows all names");
  command->add_option("--out", reproduce->out, "directory for NAME.csv, NAME.json, NAME.svg and NAME.png")
      ->type_name("DIR");
  command->add_flag("--fast", reproduce->fast, "a small version of the same, in seconds");
  command
      ->add_option("--without", reproduce->without,
                   "leave a model out: co2 and airline can leave out ridgelet, which takes longest")
      ->type_name("MODEL");
  command->add_flag("--list", reproduce->list, "the names, one on each line");
  reproduce->common.add_to(*command);
  set_job(*command, job, reproduce);
  command->footer(
      "Example:\n"
      "  ridgelet reproduce --list\n"
      "  ridgelet reproduce co2 --out figures --fast");
}

}  // namespace ridgelet::app
