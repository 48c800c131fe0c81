#include "score_output.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ridgelet::app {

namespace {

/// {"50": 0.49, "80": 0.81, ...}
Json by_level(const Vector& levels, const Vector& values) {
  Json object = Json::object();
  for (Index l = 0; l < values.size(); ++l)
    object[fmt::format("{:.12g}", 100 * levels(l))] = number(values(l));
  return object;
}

std::string r2_text(double r2) {
  return std::isfinite(r2) ? fmt::format("{:.4f}", r2) : "none: the response is the same in every row";
}

std::string latent_lines(const LatentScore& score, const std::string& response) {
  std::string lines;
  const auto line = [&](const std::string& name, const std::string& value) {
    lines += fmt::format("  {:<16} {}\n", name, value);
  };
  if (score.response == ResponseKind::classes || score.response == ResponseKind::two_classes) {
    line("log loss", fmt::format("{:.4f}", score.log_loss));
    line("Brier", fmt::format("{:.4f}", score.brier));
    line("accuracy", fmt::format("{:.2f} %", 100 * score.accuracy));
    line("AUC",
         std::isfinite(score.auc) ? fmt::format("{:.4f}", score.auc) : "none: one class alone was observed");
    line("calibration", fmt::format("probabilities are {:.2f} % off on average", 100 * score.ece));
    return lines;
  }
  line("RMSE", fmt::format("{:.4g}", score.rmse));
  line("MAE", fmt::format("{:.4g}", score.mae));
  line("R^2", r2_text(score.r2));
  line("log density", fmt::format("{:.4f} (mean, per unit of {})", score.log_density, response));
  line("CRPS", fmt::format("{:.4g}", score.crps));
  if (score.response == ResponseKind::count)
    line("deviance", fmt::format("{:.4f} (of {}, mean)", score.deviance, score.likelihood));
  for (Index l = 0; l < score.levels.size(); ++l)
    line(fmt::format("{:.12g} % interval", 100 * score.levels(l)),
         fmt::format("holds {:.1f} % of the rows; width {:.4g}", 100 * score.coverage(l), score.width(l)));
  return lines;
}

std::string score_text(const std::string& response, const Score& score) {
  std::string lines = fmt::format("{} at {} row{}\n", response, score.rows, score.rows == 1 ? "" : "s");
  const auto line = [&](const std::string& name, const std::string& value) {
    lines += fmt::format("  {:<16} {}\n", name, value);
  };
  line("RMSE", fmt::format("{:.4g}", score.rmse));
  line("MAE", fmt::format("{:.4g}", score.mae));
  line("R^2", r2_text(score.r2));
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
          {"coverage", by_level(score.levels, score.coverage)},
          {"width", by_level(score.levels, score.width)}};
}

Json latent_score_json(const std::string& response, const LatentScore& score) {
  Json json = {{"response", response}, {"rows", score.rows}};
  if (score.response == ResponseKind::classes || score.response == ResponseKind::two_classes) {
    json["log_loss"] = number(score.log_loss);
    json["brier"] = number(score.brier);
    json["accuracy"] = number(score.accuracy);
    json["auc"] = number(score.auc);
    json["ece"] = number(score.ece);
    return json;
  }
  json["rmse"] = number(score.rmse);
  json["mae"] = number(score.mae);
  json["r2"] = number(score.r2);
  json["log_density"] = number(score.log_density);
  json["crps"] = number(score.crps);
  if (score.response == ResponseKind::count) json["deviance"] = number(score.deviance);
  json["coverage"] = by_level(score.levels, score.coverage);
  json["width"] = by_level(score.levels, score.width);
  return json;
}

std::string latent_score_text(const std::string& response, const LatentScore& score) {
  return fmt::format("{} at {} row{}\n", response, score.rows, score.rows == 1 ? "" : "s") +
         latent_lines(score, response);
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
