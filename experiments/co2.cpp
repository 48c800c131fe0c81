// Section 6.2, carbon dioxide at Mauna Loa: the 43 months from March 1958 are the data, the next 23 are
// predicted.
#include "experiments/forecast.hpp"

namespace ridgelet::experiments {

namespace {

const ForecastTask task = {.title = "Carbon dioxide at Mauna Loa",
                           .response = "CO_2 (ppm)",
                           .unit = "ppm",
                           .file = "mauna_loa_co2.csv",
                           .column = "co2_ppm",
                           .train = 43,
                           .used = 66,
                           .months_per_unit = 12,
                           .mean = "0.06*x",
                           .kernel = "periodic(amplitude=1, lengthscale=0.75, period=1.8)",
                           .noise = 0.065};

}  // namespace

Experiment co2() {
  return {.name = "co2",
          .description = "Section 6.2: CO2 at Mauna Loa, 43 months of data and a forecast of 23",
          .run =
              [](const ExperimentOptions& options) {
                return forecast_result(run_forecast(task, options), options);
              },
          .may_lack = {"ridgelet"}};
}

}  // namespace ridgelet::experiments
