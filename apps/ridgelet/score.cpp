#include "ridgelet/fitting/score.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "new_table.hpp"
#include "options.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/io/results.hpp"
#include "score_output.hpp"

namespace ridgelet::app {

namespace {

struct ScoreCommand {
  CommonOptions common;
  NewTable table;
  std::string model;

  void check() const { table.check(); }
  void run() const;

 private:
  void print(Json json, const RowCounts& counts, const std::string& text) const;
};

/// Of every response, which rows of the table were scored.
void add_counts(Json& scores, const RowCounts& counts) {
  if (scores.is_array()) {
    for (Json& each : scores) add_counts(each, counts);
    return;
  }
  scores["rows_dropped"] = counts.dropped;
  scores["rows_with_unknown"] = counts.unknown;
  scores["outside_domain"] = counts.outside;
}

void ScoreCommand::print(Json json, const RowCounts& counts, const std::string& text) const {
  add_counts(json, counts);
  if (common.json)
    fmt::print("{}\n", json.dump(2));
  else if (!common.quiet)
    fmt::print("{}", text);
}

void ScoreCommand::run() const {
  const ThreadScope threads(common.thread_count());
  const FittedModel fitted = read_results(model);
  const std::vector<ResponseEncoding> responses = encoding_of(fitted.regression().table()).outputs;
  TableBlocks rows = table.open(fitted, NewTable::Wanted::responses);
  TableScoring gaussian(responses);
  std::optional<LatentScoring> latent;
  if (fitted.latent()) latent.emplace(fitted);
  const RowCounts counts = for_each_block(rows, fitted, [&](const EncodedRows& block, RowCounts&) {
    if (latent)
      latent->add(block.X, block.Y);
    else
      gaussian.add(fitted.mixture(block.X), block.Y);
  });
  repeat_warnings(fitted);
  warn_about_rows(counts);
  if (latent) {
    const LatentScore score = latent->score();
    const std::string& response = responses.front().column;
    print(latent_score_json(response, score), counts, latent_score_text(response, score));
  } else {
    const std::vector<Score> scores = gaussian.scores();
    print(scores_json(responses, scores), counts, scores_text(responses, scores));
  }
}

}  // namespace

void add_score(CLI::App& program, Job& job) {
  CLI::App* command =
      program.add_subcommand("score", "How good the predictions are at rows that were held out");
  const auto score = std::make_shared<ScoreCommand>();
  command->add_option("MODEL", score->model, "results file of fit")->required()->type_name("FILE.nc");
  score->table.add_to(*command, "DATA",
                      "table with the columns of inputs and responses, or its parts in several files");
  score->common.add_to(*command);
  set_job(*command, job, score);
  command->footer("Example, after an example of fit:\n  ridgelet score model.nc held-out.csv");
}

}  // namespace ridgelet::app
