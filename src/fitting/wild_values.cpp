#include "ridgelet/fitting/wild_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

constexpr double stretched = 50, far = 10;

/// Where the middle half of the numbers lies, and their median.
struct Middle {
  double low = 0, median = 0, high = 0;

  explicit Middle(const VectorView& x) {
    std::vector<double> sorted(x.begin(), x.end());
    std::ranges::sort(sorted);
    const auto at = [&](std::size_t quarters) { return sorted[quarters * (sorted.size() - 1) / 4]; };
    low = at(1);
    median = at(2);
    high = at(3);
  }
  double width() const { return high - low; }
};

bool only_few_are_far(const VectorView& x, const Middle& middle) {
  const auto count = ((x.array() - middle.median).abs() > far * middle.width()).count();
  return count <= std::max<Index>(1, x.size() / 100);
}

std::optional<Index> row_with(const RegressionTable& table, Index column, double value) {
  const auto x = table.X.col(column);
  const auto found = std::ranges::find(x, value);
  if (found == x.end()) return std::nullopt;
  return table.number_of(found - x.begin());
}

}  // namespace

std::vector<WildValue> wild_values(const RegressionTable& table) {
  const Vector sd = table.standardised_inputs().scale;
  const ColumnRange range = table.input_range();
  std::vector<WildValue> wild;
  Index k = 0;
  for (const ColumnEncoding& column : encoding_of(table).inputs) {
    const Index width = column.width();
    if (column.kind != ColumnKind::levels) {
      const Middle middle(table.X.col(k));
      if (middle.width() > 0 && sd(k) > stretched * middle.width() &&
          only_few_are_far(table.X.col(k), middle)) {
        const bool above = range.high(k) - middle.median > middle.median - range.low(k);
        const double value = above ? range.high(k) : range.low(k);
        wild.push_back(
            {column.input_names().front(), value, row_with(table, k, value), middle.low, middle.high});
      }
    }
    k += width;
  }
  return wild;
}

std::string wild_value_advice(const WildValue& wild) {
  return fmt::format(
      "{:.6g} in {} {} lies far from all others, half of which are between {:.4g} and {:.4g}: check it, and "
      "correct "
      "it or leave the row out",
      wild.value, wild.row ? fmt::format("row {} of column", *wild.row + 1) : "column", wild.input, wild.low,
      wild.high);
}

}  // namespace ridgelet
