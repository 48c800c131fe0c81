#include "ridgelet/fitting/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "fitted_table.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "ridgelet/core/threads.hpp"
#include "score_output.hpp"

namespace ridgelet::app {

namespace {

struct CompareCommand {
  CommonOptions common;
  ModelFlags model;
  FittedTable table;
  LearnFlags learning;
  std::string holdout;

  void check() const;
  void run() const;
  ComparisonSettings settings() const;
};

ComparisonSettings CompareCommand::settings() const {
  ComparisonSettings settings;
  settings.fit.regression.model = model.settings();
  settings.fit.learning = learning.settings(settings.fit.regression.model);
  settings.fit.sampling.seed = common.seed;
  if (!holdout.empty()) settings.holdout = read_holdout(holdout);
  return settings;
}

/// What a model file may change is judged once the file is read.
void CompareCommand::check() const {
  if (!model.file().empty()) return;
  model.check();
  table.check(settings().fit.regression.model.likelihood);
}

std::string name_of(const std::string& model) {
  if (model == "gp") return "exact process";
  return model == "iid" ? "i.i.d. network" : "ridgelet network";
}

std::string as_text(const Comparison& comparison) {
  std::string lines = fmt::format("{} rows fitted, {} held out; both networks have {} units\n",
                                  comparison.rows, comparison.held_out, comparison.units);
  for (std::size_t k = 0; k < comparison.responses.size(); ++k) {
    lines += fmt::format("{:<18}{:>10}{:>9}{:>13}{:>10}{:>12}{:>12}{:>10}\n", comparison.responses[k].column,
                         "RMSE", "R^2", "log density", "CRPS", "95 % holds", "width", "seconds");
    for (const auto& [model, seconds, scores] : comparison.models) {
      const Score& score = scores[k];
      const Index last = score.levels.size() - 1;
      lines += fmt::format("{:<18}{:>10.4g} {:>8.4f} {:>12.4f} {:>9.4g}{:>10.1f} % {:>11.4g} {:>9.2f}\n",
                           "  " + name_of(model), score.rmse, score.r2, score.log_density, score.crps,
                           100 * score.coverage(last), score.width(last), seconds);
    }
  }
  return lines;
}

Json as_json(const Comparison& comparison) {
  Json json = Json::array();
  for (const auto& [model, seconds, scores] : comparison.models)
    for (std::size_t k = 0; k < scores.size(); ++k) {
      Json entry = {{"model", model},
                    {"seconds", seconds},
                    {"fitted_rows", comparison.rows},
                    {"units", model == "gp" ? Json(nullptr) : Json(comparison.units)}};
      entry.update(score_json(comparison.responses[k].column, scores[k]));
      json.push_back(std::move(entry));
    }
  return json;
}

void CompareCommand::run() const {
  const ThreadScope threads(common.thread_count());
  ComparisonSettings settings = this->settings();
  const bool silent = common.quiet || common.json;
  const RegressionTable rows = table.read(silent, settings.fit.regression.model.likelihood);
  read_domain(settings.fit.regression.model, encoding_of(rows));
  const Comparison comparison = compare(rows, settings, {.stage = [&](const std::string& what) {
                                          if (!silent) tell(what + " ...\n");
                                        }});
  for (const std::string& warning : comparison.warnings) warn("the ridgelet network: " + warning);
  if (std::ranges::none_of(comparison.models, [](const ComparedModel& each) { return each.model == "gp"; }))
    warn(comparison.rows > settings.most_process_rows
             ? fmt::format("the exact process is left out: it takes at most {} rows, and {} are fitted",
                           settings.most_process_rows, comparison.rows)
             : "the exact process is left out: it does not exist in double precision here");
  if (common.json)
    fmt::print("{}\n", as_json(comparison).dump(2));
  else if (!common.quiet)
    fmt::print("{}", as_text(comparison));
}

}  // namespace

void add_compare(CLI::App& program, Job& job) {
  CLI::App* command = program.add_subcommand(
      "compare", "Exact process, network with independent weights and ridgelet network, side by side");
  const auto compare = std::make_shared<CompareCommand>();
  compare->table.add_to(*command);
  command
      ->add_option("--holdout", compare->holdout,
                   "part of the rows that no model sees and by which all are judged (default 0.1)")
      ->type_name("PART");
  compare->learning.add_to(*command);
  compare->common.add_to(*command);
  compare->model.add_to(*command, ModelOption::Use::table);
  set_job(*command, job, compare);
  command->footer(
      "Example, with the data of the project's folder data:\n"
      "  ridgelet compare airline_passengers.csv --x year --y passengers");
}

}  // namespace ridgelet::app
