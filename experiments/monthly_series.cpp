#include "experiments/monthly_series.hpp"

#include <sstream>

#include "experiments/data_files.hpp"
#include "ridgelet/io/csv.hpp"

namespace ridgelet::experiments {

MonthlySeries read_monthly_series(const std::string& file, const std::string& column) {
  std::istringstream stream{std::string(data_file(file))};
  const CsvTable table = read_csv(stream, file, {"year", "month", column});
  return {.month = 12 * table.values.col(0) + table.values.col(1) - Vector::Ones(table.values.rows()),
          .value = table.values.col(2)};
}

StandardisedSeries standardise(const MonthlySeries& series, Index used, double months_per_unit) {
  const Vector month = series.month.head(used);
  const double first = month(0), months = month(used - 1) - first;
  const double minimum = series.value.minCoeff(), span = months / months_per_unit;
  return {.year = month / 12,
          .x = -5 + 10 * (month.array() - first) / months,
          .y = (series.value.head(used).array() - minimum) / span,
          .first_year = first / 12,
          .years = months / 12,
          .minimum = minimum,
          .span = span};
}

}  // namespace ridgelet::experiments
