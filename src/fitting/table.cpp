#include "ridgelet/fitting/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

ColumnRange range_of(const Matrix& values) {
  return {.low = values.colwise().minCoeff(), .high = values.colwise().maxCoeff()};
}

void require_variation(const ColumnRange& range, const std::vector<std::string>& names,
                       const std::string& table, const std::string& reason) {
  for (Index k = 0; k < range.low.size(); ++k)
    if (range.low(k) == range.high(k))
      throw InvalidArgument("data",
                            fmt::format("'{}', column '{}': is {} in every row; {}", table,
                                        names[static_cast<std::size_t>(k)], shortest(range.low(k)), reason));
}

/// Predictions and scores square responses in their own units.
void require_squares(const ColumnRange& range, const std::vector<ResponseEncoding>& responses,
                     const std::string& table) {
  constexpr double most = 1e150, least = 1e-150;
  for (Index k = 0; k < range.low.size(); ++k) {
    const ResponseEncoding& response = responses[static_cast<std::size_t>(k)];
    const double low = from_fitted_scale(range.low(k), response.transform),
                 high = from_fitted_scale(range.high(k), response.transform);
    const double size = std::max(std::abs(low), std::abs(high));
    const auto refuse = [&](const std::string& what, const std::string& remedy) {
      throw InvalidArgument(
          "data",
          fmt::format("'{}', column '{}': {}, and squares of that leave the range of a double; {} the "
                      "column by a power of ten first",
                      table, response.column, what, remedy));
    };
    if (!(size <= most)) refuse(fmt::format("has numbers of the size of {:.3g}", size), "divide");
    if (!(high - low >= least)) refuse(fmt::format("varies by {:.3g} only", high - low), "multiply");
  }
}

}  // namespace

ColumnRange RegressionTable::input_range() const {
  return whole ? whole->input_range : range_of(X);
}

Scaling RegressionTable::standardised_inputs() const {
  return whole ? require_usable(whole->inputs) : Scaling::standardising(X);
}

Scaling RegressionTable::standardised_outputs() const {
  return whole ? require_usable(whole->outputs) : Scaling::standardising(Y);
}

TableEncoding encoding_of(const RegressionTable& table) {
  return table.encoding.inputs.empty() ? TableEncoding::of_numbers(table.inputs, table.outputs)
                                       : table.encoding;
}

void validate(const RegressionTable& table, const std::string& name, ConstantResponses constant) {
  require_nonempty(table.X, "data");
  require_nonempty(table.Y, "data");
  require_rows(table.Y, table.X.rows(), "data");
  require_columns(table.X, static_cast<Index>(table.inputs.size()), "data");
  require_finite(table.X, "data");
  require_finite(table.Y, "data");
  if (table.X.rows() < 2)
    throw InvalidArgument("data", fmt::format("'{}' has one row; a fit needs at least two", name));
  const std::vector<std::string> classes = encoding_of(table).outputs.front().levels;
  if (classes.size() == 1)
    throw InvalidArgument(
        "data", fmt::format("'{}', column '{}': is '{}' in every row; there is nothing to learn", name,
                            table.outputs.front(), classes.front()));
  require_variation(table.input_range(), table.inputs, name, "leave it out of --x");
  if (constant == ConstantResponses::allowed || encoding_of(table).exposure()) return;
  const ColumnRange responses = table.whole ? table.whole->output_range : range_of(table.Y);
  require_variation(responses, table.outputs, name, "there is nothing to learn");
  if (classes.empty()) require_squares(responses, encoding_of(table).outputs, name);
}

std::vector<Index> spread_rows(Index rows, Index at_most) {
  const Index count = std::min(rows, at_most);
  std::vector<Index> chosen;
  for (Index i = 0; i < count; ++i) chosen.push_back(count == 1 ? 0 : i * (rows - 1) / (count - 1));
  return chosen;
}

Index repeated_rows(const RegressionTable& table) {
  Matrix rows(table.X.rows(), table.X.cols() + table.Y.cols());
  rows << table.X, table.Y;
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, [&](Index a, Index b) {
    return std::lexicographical_compare(rows.row(a).begin(), rows.row(a).end(), rows.row(b).begin(),
                                        rows.row(b).end());
  });
  Index repeated = 0;
  for (std::size_t i = 1; i < order.size(); ++i) repeated += rows.row(order[i]) == rows.row(order[i - 1]);
  return repeated;
}

}  // namespace ridgelet
