#include <fmt/format.h>

#include "experiments/forecast.hpp"
#include "experiments/forecast_figure.hpp"
#include "experiments/paragraph.hpp"

namespace ridgelet::experiments {

namespace {

using Json = nlohmann::ordered_json;

Json forecast_json(const Forecast& forecast, const ExperimentOptions& options) {
  const ForecastTask& task = forecast.task;
  Json json = contest_json(forecast.models, options.seed);
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

void append_rows(LongTable& table, const Answer& model, const char* part, const Forecast& forecast,
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
  for (const Answer& model : forecast.models) {
    append_rows(table, model, "train", forecast, forecast.series.x, forecast.at_months(model), 0, train);
    append_rows(table, model, "test", forecast, forecast.series.x, forecast.at_months(model), train,
                forecast.held_out());
    append_rows(table, model, "curve", forecast, forecast.curve, forecast.along_curve(model), 0,
                forecast.curve.size());
  }
  return table;
}

std::string report(const Forecast& forecast) {
  const ForecastTask& task = forecast.task;
  return paragraph(fmt::format("{}: {} months of data, {} held out. rmse, width and gp_distance in units of "
                               "{:.3g} {}.",
                               task.title, task.train, forecast.held_out(), forecast.series.span,
                               task.unit)) +
         contest_report(forecast.models);
}

/// The models of the figure; the narrow network takes the place of the one that is left out.
std::vector<std::string> panels(const ExperimentOptions& options) {
  return {options.without == "ridgelet" ? "least-squares-100" : "ridgelet", "least-squares", "iid", "gp"};
}

}  // namespace

ExperimentResult forecast_result(const Forecast& forecast, const ExperimentOptions& options) {
  return {.table = forecast_table(forecast),
          .json = forecast_json(forecast, options),
          .figure = forecast_figure(forecast, panels(options)),
          .report = report(forecast)};
}

}  // namespace ridgelet::experiments
