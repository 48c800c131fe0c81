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

std::optional<Index> row_with(const RegressionTable& table, const VectorView& column, double value) {
  const auto found = std::ranges::find(column, value);
  if (found == column.end()) return std::nullopt;
  return table.number_of(found - column.begin());
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
        wild.push_back({column.input_names().front(), value, row_with(table, table.X.col(k), value),
                        middle.low, middle.high});
      }
    }
    k += width;
  }
  return wild;
}

namespace {

/// The kept responses, and the farthest of the whole table where those were not kept.
std::vector<double> known_responses(const RegressionTable& table, Index k) {
  const auto kept = table.Y.col(k);
  std::vector<double> known(kept.begin(), kept.end());
  if (table.whole) {
    const auto [low, high] = std::ranges::minmax(known);
    const ColumnRange& all = table.whole->output_range;
    if (all.low(k) < low) known.push_back(all.low(k));
    if (all.high(k) > high) known.push_back(all.high(k));
  }
  return known;
}

/// The farthest of a few values between which and the others there is nothing.
std::optional<double> farthest_beyond_a_gap(std::vector<double> y, const Middle& middle) {
  constexpr double far_away = 20, gap = 10;
  constexpr std::size_t fewest = 20;
  if (y.size() < fewest) return std::nullopt;
  const auto distance = [&](double value) { return std::abs(value - middle.median); };
  std::ranges::sort(y, std::ranges::greater(), distance);
  const std::size_t few = std::max<std::size_t>(1, y.size() / 100);
  for (std::size_t i = 0; i < few && i + 1 < y.size(); ++i) {
    if (distance(y[i]) <= far_away * middle.width()) break;
    if (distance(y[i]) > gap * distance(y[i + 1])) return y.front();
  }
  return std::nullopt;
}

}  // namespace

std::vector<WildValue> wild_responses(const RegressionTable& table) {
  const std::vector<ResponseEncoding> responses = encoding_of(table).outputs;
  std::vector<WildValue> wild;
  for (Index k = 0; k < table.Y.cols(); ++k) {
    const ResponseEncoding& response = responses[static_cast<std::size_t>(k)];
    const Middle middle(table.Y.col(k));
    if (middle.width() == 0) continue;
    const auto own = [&](double y) { return from_fitted_scale(y, response.transform); };
    if (const auto y = farthest_beyond_a_gap(known_responses(table, k), middle))
      wild.push_back(
          {response.column, own(*y), row_with(table, table.Y.col(k), *y), own(middle.low), own(middle.high)});
  }
  return wild;
}

std::string wild_value_advice(const WildValue& wild) {
  return fmt::format(
      "{:.6g} in {} {} lies far from all others, half of which are between {:.4g} and {:.4g}: check it, and "
      "correct "
      "it or leave the row out",
      wild.value, wild.row ? fmt::format("row {} of column", *wild.row + 1) : "column", wild.column, wild.low,
      wild.high);
}

std::string wild_response_advice(const WildValue& wild, const RegressionTable& table) {
  const bool may_have_tails =
      table.Y.cols() == 1 && encoding_of(table).outputs.front().transform == ResponseTransform::none;
  return wild_value_advice(wild) +
         (may_have_tails ? ", or use --likelihood student, which expects such values" : "");
}

}  // namespace ridgelet
