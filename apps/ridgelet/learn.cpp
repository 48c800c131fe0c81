#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "fit_output.hpp"
#include "fitted_table.hpp"
#include "learning_json.hpp"
#include "options.hpp"
#include "own_units.hpp"
#include "processes.hpp"
#include "progress.hpp"
#include "ridgelet/core/stopwatch.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/fitting/fit.hpp"
#include "ridgelet/fitting/kept_rows.hpp"
#include "ridgelet/io/output_file.hpp"
#include "values.hpp"

namespace ridgelet::app {

namespace {

struct LearnCommand {
  CommonOptions common;
  ModelFlags model;
  FittedTable table;
  LearnFlags learning;
  std::string out;

  void check() const;
  void run() const;
  LearnedSettings learn(const RegressionTable& rows) const;
};

/// What was learned, in words and as JSON.
class LearnOutput {
 public:
  LearnOutput(const LearnedSettings& learned, const RegressionTable& table)
      : learned_(learned), target_(*learned.target), table_(table), own_units_(learned, table) {}

  std::string text() const;
  std::string json(double seconds) const;

 private:
  const LearnedSettings& learned_;
  const LearnedTarget& target_;
  const RegressionTable& table_;
  OwnUnits own_units_;
};

std::vector<double> as_list(const Vector& values) {
  return {values.begin(), values.end()};
}

std::string LearnOutput::text() const {
  std::string lines = fmt::format("{} given {}\n{}\n", join(encoding_of(table_).response_names()),
                                  input_list(table_.inputs), learning_text(learned_));
  if (learned_.settings.model.standardise.value_or(false)) lines += own_units_.text();
  for (const std::string& finding : findings(learned_, table_)) lines += "note: " + finding + "\n";
  return lines;
}

std::string LearnOutput::json(double seconds) const {
  Json json = {
      {"kernel", target_.process.kernel.text()},
      {"mean", target_.process.mean.text()},
      {"noise", noise_json(learned_, target_.noise)},
      {"likelihood", learned_.settings.model.likelihood},
      {"standardise", learned_.settings.model.standardise.value_or(false)},
      {"log_evidence", target_.log_evidence},
      {"objective", target_.objective},
      {"rows", target_.rows.size()},
      {"inputs", table_.inputs},
      {"outputs", encoding_of(table_).response_names()},
      {"exposure", name_or_null(encoding_of(table_).exposure())},
      {"own_units", own_units_.json()},
      {"scaling", own_units_.scaling()},
      {"relevance", as_list(learned_.relevance)},
      {"irrelevant", irrelevant_columns(learned_, encoding_of(table_))},
      {"at_bounds", Json::array()},
      {"disagreement", target_.disagreement},
  };
  for (const BoundHit& hit : target_.at_bounds)
    json["at_bounds"].push_back(
        {{"parameter", hit.parameter}, {"value", hit.value}, {"bound", hit.upper ? "upper" : "lower"}});
  json.update(learning_json(learned_));
  json["seconds"] = seconds;
  return json.dump(2);
}

LearnedSettings LearnCommand::learn(const RegressionTable& rows) const {
  RegressionSettings settings{.model = model.settings()};
  settings.model.likelihood = chosen_likelihood(settings.model, encoding_of(rows));
  read_domain(settings.model, encoding_of(rows));
  validate(settings.model, rows.X.cols());
  settings.seed = common.seed;
  LearnSettings how = learning.settings(settings.model);
  how.learn = true;
  how.ranks = &ranks();
  Progress progress(settings.model.kernel == best_of_a_list ? "kernels" : "starts", common.quiet);
  how.progress = [&](Index done, Index all) { progress.update(done, all); };
  return learn_settings(rows, std::move(settings), how);
}

/// What a model file may change is judged once the file is read.
void LearnCommand::check() const {
  if (!model.file().empty()) return;
  model.check();
  (void)learning.settings(model.settings());
  table.check(model.settings().likelihood);
}

void LearnCommand::run() const {
  const ThreadScope threads(common.thread_count());
  const Stopwatch watch;
  require_separate_files(table.files_beside(model.file()), {{"out", out}});
  require_name_of(model_format, {"out", out});
  const LearnSettings how = learning.settings(model.settings());
  const RegressionTable rows =
      keep_rows(*table.open(common.quiet || common.json, model.settings().likelihood),
                std::max(FitSettings{}.kept_rows, how.most_rows()), common.seed);
  std::optional<OutputFile> written;
  ranks().on_first([&] { written.emplace(out); });
  const LearnedSettings learned = learn(rows);
  ranks().on_first([&] {
    written->stream() << model_file_text(with_table(learned, rows));
    written->commit();
  });
  const LearnOutput output(learned, rows);
  if (common.json)
    fmt::print("{}\n", output.json(watch.seconds()));
  else if (!common.quiet)
    fmt::print("{}wrote {}\n", output.text(), out);
}

}  // namespace

void add_learn(CLI::App& program, Job& job) {
  CLI::App* command =
      program.add_subcommand("learn", "Kernel, mean and noise of the process, from a table of data");
  const auto learn = std::make_shared<LearnCommand>();
  learn->table.add_to(*command);
  learn->table.add_exposure_to(*command);
  command
      ->add_option("--out", learn->out,
                   "model file, TOML, that fit, assess, sample and tune read (default model.toml); for "
                   "commands without a table, it also holds the range and the scaling of the inputs")
      ->default_val("model.toml")
      ->default_str("")
      ->type_name("FILE.toml");
  learn->learning.add_to(*command);
  learn->common.add_to(*command);
  learn->model.add_to(*command, ModelOption::Use::table);
  set_job(*command, job, learn);
  command->footer(
      "The numbers in --kernel, --mean and --noise are where learning starts. Without --kernel, the kernel "
      "is se with one lengthscale for each input, on standardised columns; --kernel best compares a list.\n"
      "Example, in the data of the project's folder data:\n"
      "  ridgelet learn airline_passengers.csv --x year --y passengers --kernel best --out model.toml");
}

}  // namespace ridgelet::app
