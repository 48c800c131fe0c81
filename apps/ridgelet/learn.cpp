#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "fit_output.hpp"
#include "fitted_table.hpp"
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
      : learned_(learned), target_(*learned.target), table_(table), own_units_(learned, table) {
    const std::string& likelihood = learned.settings.model.likelihood;
    if (!is_gaussian(likelihood)) likelihood_ = likelihood_for(likelihood, table);
  }

  std::string text() const;
  std::string json(double seconds) const;

 private:
  Json start_json(const LearningStart& start) const;
  Json noise_json(const Vector& noise) const;

  const LearnedSettings& learned_;
  const LearnedTarget& target_;
  const RegressionTable& table_;
  OwnUnits own_units_;
  LikelihoodPointer likelihood_;  ///< null where the noise is Gaussian
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

/// The noise or, where it is not Gaussian, the numbers of its likelihood.
nlohmann::ordered_json LearnOutput::noise_json(const Vector& noise) const {
  if (!likelihood_) return one_or_several(noise);
  Json numbers = Json::object();
  const std::vector<LikelihoodParameter> parameters = likelihood_->parameters();
  for (std::size_t p = 0; p < parameters.size(); ++p)
    numbers[parameters[p].name] = noise(static_cast<Index>(p));
  return numbers;
}

nlohmann::ordered_json LearnOutput::start_json(const LearningStart& start) const {
  Json json = {{"log_evidence", nullptr},
               {"objective", nullptr},
               {"kernel", nullptr},
               {"noise", nullptr},
               {"mean", nullptr},
               {"evaluations", start.evaluations},
               {"converged", start.converged},
               {"message", start.message}};
  if (!start.process) return json;
  json["log_evidence"] = start.log_evidence;
  json["objective"] = start.objective;
  json["kernel"] = start.process->kernel.text();
  json["mean"] = start.process->mean.text();
  json["noise"] = noise_json(start.noise);
  return json;
}

std::string LearnOutput::json(double seconds) const {
  Json json = {
      {"kernel", target_.process.kernel.text()},
      {"mean", target_.process.mean.text()},
      {"noise", noise_json(target_.noise)},
      {"likelihood", likelihood_ ? likelihood_->text() : "gaussian"},
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
      {"starts", Json::array()},
      {"refinement", nullptr},
  };
  if (const auto& refinement = target_.refinement)
    json["refinement"] = {
        {"rows", refinement->rows}, {"points", refinement->points}, {"gain", refinement->gain}};
  for (const BoundHit& hit : target_.at_bounds)
    json["at_bounds"].push_back(
        {{"parameter", hit.parameter}, {"value", hit.value}, {"bound", hit.upper ? "upper" : "lower"}});
  for (const LearningStart& start : target_.starts) json["starts"].push_back(start_json(start));
  if (learned_.choice)
    for (const KernelCandidate& each : learned_.choice->candidates)
      json["candidates"].push_back({{"form", each.form},
                                    {"log_evidence", each.learned.log_evidence},
                                    {"parameters", each.learned.learned},
                                    {"score", each.learned.score()},
                                    {"kernel", each.learned.process.kernel.text()}});
  json["seconds"] = seconds;
  return json.dump(2);
}

LearnedSettings LearnCommand::learn(const RegressionTable& rows) const {
  RegressionSettings settings{.model = model.settings()};
  settings.model.likelihood = chosen_likelihood(settings.model, encoding_of(rows));
  read_domain(settings.model, encoding_of(rows));
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
                std::max(FitSettings{}.kept_rows, how.rows), common.seed);
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
