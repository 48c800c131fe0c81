#include "ridgelet/fitting/score.hpp"

#include <fmt/format.h>

#include <cmath>

#include "commands.hpp"
#include "new_table.hpp"
#include "options.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/io/results.hpp"
#include "values.hpp"

namespace ridgelet::app {

namespace {

struct ScoreCommand {
  CommonOptions common;
  NewTable table;
  std::string model;

  void run() const;
};

/// {"50": 0.49, "80": 0.81, ...}
Json by_level(const Score& score, const Vector& values) {
  Json object = Json::object();
  for (Index l = 0; l < values.size(); ++l)
    object[fmt::format("{:.12g}", 100 * score.levels(l))] = number(values(l));
  return object;
}

Json as_json(const std::string& response, const Score& score) {
  return {{"response", response},
          {"rows", score.rows},
          {"rmse", number(score.rmse)},
          {"mae", number(score.mae)},
          {"r2", number(score.r2)},
          {"log_density", number(score.log_density)},
          {"crps", number(score.crps)},
          {"coverage", by_level(score, score.coverage)},
          {"width", by_level(score, score.width)}};
}

std::string as_text(const std::string& response, const Score& score) {
  std::string lines = fmt::format("{} at {} row{}\n", response, score.rows, score.rows == 1 ? "" : "s");
  const auto line = [&](const std::string& name, const std::string& value) {
    lines += fmt::format("  {:<16} {}\n", name, value);
  };
  line("RMSE", fmt::format("{:.4g}", score.rmse));
  line("MAE", fmt::format("{:.4g}", score.mae));
  line("R^2", std::isfinite(score.r2) ? fmt::format("{:.4f}", score.r2)
                                      : "none: the response is the same in every row");
  line("log density", fmt::format("{:.4f} (mean, per unit of {})", score.log_density, response));
  line("CRPS", fmt::format("{:.4g}", score.crps));
  for (Index l = 0; l < score.levels.size(); ++l)
    line(fmt::format("{:.12g} % interval", 100 * score.levels(l)),
         fmt::format("holds {:.1f} % of the rows; width {:.4g}", 100 * score.coverage(l), score.width(l)));
  return lines;
}

void ScoreCommand::run() const {
  const ThreadScope threads(common.thread_count());
  const FittedModel fitted = read_results(model);
  const std::vector<ResponseEncoding> responses = encoding_of(fitted.regression().table()).outputs;
  TableBlocks rows = table.open(fitted, true);
  std::vector<Scoring> scorings;
  for (const ResponseEncoding& response : responses)
    scorings.emplace_back(ScoringOptions{.transform = response.transform});
  Index outside = 0;
  const Index most = rows_per_block(fitted);
  for (TableBlock block = rows.next(most); block.X.rows() > 0; block = rows.next(most)) {
    const PredictiveMixture mixture = fitted.mixture(block.X);
    const Index M = block.X.rows();
    for (std::size_t k = 0; k < scorings.size(); ++k) {
      const auto column = static_cast<Index>(k);
      scorings[k].add(mixture.means.middleCols(column * M, M), mixture.sds.middleCols(column * M, M),
                      block.Y.col(column));
    }
    outside += fitted.regression().rows_outside_domain(block.X);
  }
  require_rows_left(rows, table.path);
  repeat_warnings(fitted);
  warn_about_rows(rows, outside);
  Json json = Json::array();
  std::string text;
  for (std::size_t k = 0; k < scorings.size(); ++k) {
    json.push_back(as_json(responses[k].column, scorings[k].score()));
    text += as_text(responses[k].column, scorings[k].score());
  }
  if (common.json)
    fmt::print("{}\n", (json.size() == 1 ? json.front() : json).dump(2));
  else if (!common.quiet)
    fmt::print("{}", text);
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
