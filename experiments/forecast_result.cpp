#include <fmt/format.h>

#include "experiments/forecast.hpp"
#include "experiments/forecast_figure.hpp"
#include "experiments/paragraph.hpp"

namespace ridgelet::experiments {

namespace {

using Json = nlohmann::ordered_json;

Json value_or_null(const std::optional<Index>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json model_json(const ModelForecast& model, std::uint64_t seed) {
  Json json = {{"rmse", model.scores.rmse},
               {"coverage", model.scores.coverage},
               {"width", model.scores.width},
               {"gp_distance", model.scores.gp_distance},
               {"units", value_or_null(model.units)}};
  for (const char* key : {"chains", "warmup", "draws", "rhat_max", "bulk_min", "tail_min", "prior_error"})
    json[key] = nullptr;
  if (const auto& sampling = model.sampling) {
    json["chains"] = sampling->chains;
    json["warmup"] = sampling->warmup;
    json["draws"] = sampling->draws;
  }
  if (const auto& worst = model.diagnostics) {
    json["rhat_max"] = worst->rhat.value;
    json["bulk_min"] = worst->bulk.value;
    json["tail_min"] = worst->tail.value;
  }
  if (const auto& error = model.prior_error)
    json["prior_error"] = {{"mean", error->mean}, {"max", error->max}};
  json["warnings"] = model.warnings;
  json["seed"] = seed;
  json["seconds"] = model.seconds;
  return json;
}

Json forecast_json(const Forecast& forecast, const ExperimentOptions& options) {
  const ForecastTask& task = forecast.task;
  Json json;
  for (const ModelForecast& model : forecast.models) json[model.key] = model_json(model, options.seed);
  json["task"] = {{"data", task.file},
                  {"column", task.column},
                  {"train", task.train},
                  {"held_out", forecast.held_out()},
                  {"mean", task.mean},
                  {"kernel", task.kernel},
                  {"noise", task.noise},
                  {"minimum", forecast.series.minimum},
                  {"span", forecast.series.span},
                  {"fast", options.fast},
                  {"seed", options.seed}};
  return json;
}

void append_rows(LongTable& table, const ModelForecast& model, const char* part, const Forecast& forecast,
                 const VectorView& x, const PredictiveSummary& at, Index first, Index count) {
  for (Index i = first; i < first + count; ++i) {
    const Cell y = std::string(part) == "curve" ? Cell("") : Cell(forecast.series.y(i));
    table.rows.push_back({model.key, part, forecast.series.year_at(x(i)), x(i), y, at.mean(i), at.sd(i),
                          at.lower(i), at.upper(i)});
  }
}

LongTable forecast_table(const Forecast& forecast) {
  LongTable table{.header = {"model", "part", "year", "x", "y", "mean", "sd", "lower", "upper"}, .rows = {}};
  const Index train = forecast.task.train;
  for (const ModelForecast& model : forecast.models) {
    append_rows(table, model, "train", forecast, forecast.series.x, model.months, 0, train);
    append_rows(table, model, "test", forecast, forecast.series.x, model.months, train, forecast.held_out());
    append_rows(table, model, "curve", forecast, forecast.curve, model.curve, 0, forecast.curve.size());
  }
  return table;
}

std::string report_line(const ModelForecast& model) {
  const std::string units = model.units ? fmt::format("{}", *model.units) : "-";
  const std::string rhat = model.diagnostics ? fmt::format("{:.3f}", model.diagnostics->rhat.value) : "-";
  return fmt::format("  {:<16}{:>7}{:>9.4f}{:>8.0f} %{:>8.3f}{:>13.4f}{:>9}{:>9.1f}\n", model.name, units,
                     model.scores.rmse, 100 * model.scores.coverage, model.scores.width,
                     model.scores.gp_distance, rhat, model.seconds);
}

std::string report(const Forecast& forecast) {
  const ForecastTask& task = forecast.task;
  std::string text = paragraph(
      fmt::format("{}: {} months of data, {} held out. rmse, width and gp_distance in units of {:.3g} {}.",
                  task.title, task.train, forecast.held_out(), forecast.series.span, task.unit));
  text += fmt::format("  {:<16}{:>7}{:>9}{:>10}{:>8}{:>13}{:>9}{:>9}\n", "model", "units", "rmse", "coverage",
                      "width", "gp_distance", "R-hat", "seconds");
  for (const ModelForecast& model : forecast.models) text += report_line(model);
  for (const ModelForecast& model : forecast.models)
    for (const std::string& warning : model.warnings)
      text += paragraph(
          fmt::format("warning: {} with {} units: {}", model.name, model.units.value_or(0), warning));
  return text;
}

}  // namespace

ExperimentResult forecast_result(const Forecast& forecast, const ExperimentOptions& options) {
  return {.table = forecast_table(forecast),
          .json = forecast_json(forecast, options),
          .figure = forecast_figure(forecast, {"ridgelet", "least-squares", "iid", "gp"}),
          .report = report(forecast)};
}

}  // namespace ridgelet::experiments
