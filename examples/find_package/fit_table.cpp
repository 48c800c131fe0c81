// A table to a fitted network: fit_table FILE.csv INPUT OUTPUT. Prints predictions at the first rows of the table.
#include <fmt/format.h>

#include "ridgelet/ridgelet.hpp"

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const ridgelet::RegressionTable table =
      ridgelet::read_regression_table(arguments[1], {arguments[2]}, {arguments[3]});
  ridgelet::FitSettings settings;
  settings.regression.model.kernel = "linear() + se(amplitude=0.5)";
  settings.regression.model.units = 100;
  settings.regression.model.noise = ridgelet::Vector::Constant(1, 0.4);
  settings.regression.model.standardise = true;
  const ridgelet::Fit fitted = ridgelet::fit(table, settings);
  const ridgelet::PredictiveSummary at_first_rows = fitted.model.predict(table.X.topRows(3));
  for (ridgelet::Index i = 0; i < 3; ++i)
    fmt::print("{}: {:.0f} +- {:.0f}\n", table.X(i, 0), at_first_rows.mean(i, 0), at_first_rows.sd(i, 0));
}
