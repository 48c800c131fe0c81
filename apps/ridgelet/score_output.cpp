#include "score_output.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ridgelet::app {

namespace {

/// {"50": 0.49, "80": 0.81, ...}
Json by_level(const Score& score, const Vector& values) {
  Json object = Json::object();
  for (Index l = 0; l < values.size(); ++l)
    object[fmt::format("{:.12g}", 100 * score.levels(l))] = number(values(l));
  return object;
}

std::string score_text(const std::string& response, const Score& score) {
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

}  // namespace

Json score_json(const std::string& response, const Score& score) {
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

Json scores_json(const std::vector<ResponseEncoding>& responses, const std::vector<Score>& scores) {
  Json json = Json::array();
  for (std::size_t k = 0; k < scores.size(); ++k) json.push_back(score_json(responses[k].column, scores[k]));
  return json.size() == 1 ? json.front() : json;
}

std::string scores_text(const std::vector<ResponseEncoding>& responses, const std::vector<Score>& scores) {
  std::string text;
  for (std::size_t k = 0; k < scores.size(); ++k) text += score_text(responses[k].column, scores[k]);
  return text;
}

}  // namespace ridgelet::app
