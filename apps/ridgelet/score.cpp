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

  void run() const;
};

void ScoreCommand::run() const {
  const ThreadScope threads(common.thread_count());
  const FittedModel fitted = read_results(model);
  const std::vector<ResponseEncoding> responses = encoding_of(fitted.regression().table()).outputs;
  TableBlocks rows = table.open(fitted, NewTable::Wanted::responses);
  TableScoring scoring(responses);
  const RowCounts counts = for_each_block(rows, fitted, table.path, [&](const EncodedRows& block) {
    scoring.add(fitted.mixture(block.X), block.Y);
  });
  repeat_warnings(fitted);
  warn_about_rows(counts);
  const std::vector<Score> scores = scoring.scores();
  if (common.json)
    fmt::print("{}\n", scores_json(responses, scores).dump(2));
  else if (!common.quiet)
    fmt::print("{}", scores_text(responses, scores));
}

}  // namespace

void add_score(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("score", "How good the predictions are at rows that were held out");
  const auto score = std::make_shared<ScoreCommand>();
  command->add_option("MODEL", score->model, "results file of fit")->required()->type_name("FILE.nc");
  score->table.add_to(*command, "DATA", "table with the columns of inputs and responses");
  score->common.add_to(*command);
  command->callback([score] { score->run(); });
  command->footer("Example, after an example of fit:\n  ridgelet score model.nc held-out.csv");
}

}  // namespace ridgelet::app
