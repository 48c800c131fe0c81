// Section 6.2, passengers of international airlines: the 47 months from January 1949 are the data, the next 25
// are predicted.
#include "experiments/forecast.hpp"

namespace ridgelet::experiments {

namespace {

const ForecastTask task = {.title = "Passengers of international airlines",
                           .response = "passengers a month (thousands)",
                           .unit = "thousand",
                           .file = "airline_passengers.csv",
                           .column = "passengers",
                           .train = 47,
                           .used = 72,
                           .months_per_unit = 1,
                           .mean = "0.2*x",
                           .kernel = "periodic(amplitude=1, lengthscale=0.75, period=1.75)",
                           .noise = 0.145};

}  // namespace

Experiment airline() {
  return {.name = "airline",
          .description = "Section 6.2: airline passengers, 47 months of data and a forecast of 25",
          .run =
              [](const ExperimentOptions& options) {
                return forecast_result(run_forecast(task, options), options);
              },
          .may_lack = {"ridgelet"}};
}

}  // namespace ridgelet::experiments
