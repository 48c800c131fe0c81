#include <fmt/format.h>

#include "experiments/contest.hpp"
#include "experiments/paragraph.hpp"

namespace ridgelet::experiments {

namespace {

using Json = nlohmann::ordered_json;

Json value_or_null(const std::optional<Index>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json answer_json(const Answer& answer, std::uint64_t seed) {
  Json json = {{"rmse", answer.scores.rmse},
               {"coverage", answer.scores.coverage},
               {"width", answer.scores.width},
               {"gp_distance", answer.scores.gp_distance},
               {"units", value_or_null(answer.units)}};
  for (const char* key : {"chains", "warmup", "draws", "rhat_max", "bulk_min", "tail_min", "prior_error"})
    json[key] = nullptr;
  if (const auto& sampling = answer.sampling) {
    json["chains"] = sampling->chains;
    json["warmup"] = sampling->warmup;
    json["draws"] = sampling->draws;
  }
  if (const auto& worst = answer.diagnostics) {
    json["rhat_max"] = worst->rhat.value;
    json["bulk_min"] = worst->bulk.value;
    json["tail_min"] = worst->tail.value;
  }
  if (const auto& error = answer.prior_error)
    json["prior_error"] = {{"mean", error->mean}, {"max", error->max}};
  json["warnings"] = answer.warnings;
  json["seed"] = seed;
  json["seconds"] = answer.seconds;
  return json;
}

std::string report_line(const Answer& answer) {
  const std::string units = answer.units ? fmt::format("{}", *answer.units) : "-";
  const std::string rhat = answer.diagnostics ? fmt::format("{:.3f}", answer.diagnostics->rhat.value) : "-";
  return fmt::format("  {:<16}{:>7}{:>9.4f}{:>8.0f} %{:>8.3f}{:>13.4f}{:>9}{:>9.1f}\n", answer.name, units,
                     answer.scores.rmse, 100 * answer.scores.coverage, answer.scores.width,
                     answer.scores.gp_distance, rhat, answer.seconds);
}

}  // namespace

Json contest_json(const std::vector<Answer>& answers, std::uint64_t seed) {
  Json json;
  for (const Answer& answer : answers) json[answer.key] = answer_json(answer, seed);
  return json;
}

std::string contest_report(const std::vector<Answer>& answers) {
  std::string text = fmt::format("  {:<16}{:>7}{:>9}{:>10}{:>8}{:>13}{:>9}{:>9}\n", "model", "units", "rmse",
                                 "coverage", "width", "gp_distance", "R-hat", "seconds");
  for (const Answer& answer : answers) text += report_line(answer);
  for (const Answer& answer : answers)
    for (const std::string& warning : answer.warnings)
      text += paragraph(
          fmt::format("warning: {} with {} units: {}", answer.name, answer.units.value_or(0), warning));
  return text;
}

}  // namespace ridgelet::experiments
