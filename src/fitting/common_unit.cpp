#include "ridgelet/fitting/common_unit.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace ridgelet {

namespace {

bool are_all_numbers(const RegressionTable& table) {
  return std::ranges::all_of(encoding_of(table).inputs,
                             [](const ColumnEncoding& column) { return column.kind == ColumnKind::number; });
}

/// The largest number of columns that have one range.
Index columns_of_one_range(const ColumnRange& range) {
  std::map<std::pair<double, double>, Index> columns;
  Index most = 0;
  for (Index k = 0; k < range.low.size(); ++k)
    most = std::max(most, ++columns[{range.low(k), range.high(k)}]);
  return most;
}

}  // namespace

Vector common_unit(const RegressionTable& table) {
  constexpr Index fewest_columns = 4;
  const Index d = table.X.cols();
  if (d < fewest_columns || !are_all_numbers(table) || 2 * columns_of_one_range(table.input_range()) < d)
    return {};
  const Vector sd = table.standardised_inputs().scale;
  return (sd.array().log().mean() - sd.array().log()).exp();
}

}  // namespace ridgelet
