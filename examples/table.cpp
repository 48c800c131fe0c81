// From a table to a fitted network: table FOLDER. What is not given is learned or chosen.
#include <fmt/format.h>

#include <ridgelet/ridgelet.hpp>

int main(int count, char** arguments) {
  using namespace ridgelet;
  if (count != 2) return 2;
  const RegressionTable table =
      read_regression_table("data/airline_passengers.csv", {"year"}, {"passengers"});
  FitSettings settings;
  settings.sampling.seed = 1;
  const Fit fitted = fit(table, settings);
  const PredictiveSummary in_1956 = fitted.model.predict(Matrix{{1956}});
  fmt::print("mean {}\nsd {}\n", in_1956.mean(0, 0), in_1956.sd(0, 0));
  write_results(fmt::format("{}/model.nc", arguments[1]), fitted);
}
