// A table to a fitted network: fit_table FILE.csv INPUT OUTPUT. Prints predictions at the first rows of the table.
#include <fmt/format.h>

#include "ridgelet/ridgelet.hpp"

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const ridgelet::RegressionTable table =
      ridgelet::read_regression_table(arguments[1], {arguments[2]}, {arguments[3]});
  ridgelet::FitSettings settings;  // what is left open is learned
  settings.networks = 4;
  const ridgelet::Fit fitted = ridgelet::fit(table, settings);
  const ridgelet::PredictiveSummary at_first_rows = fitted.model.predict(table.X.topRows(3));
  for (ridgelet::Index i = 0; i < 3; ++i)
    fmt::print("{}: {:.0f} +- {:.0f}\n", table.X(i, 0), at_first_rows.mean(i, 0), at_first_rows.sd(i, 0));
}
