#include "ridgelet/cubature/rare_inputs.hpp"

#include <algorithm>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/evaluation.hpp"

namespace ridgelet {

namespace {

/// The rows with the rarer value of a column, if there are two values, and nothing otherwise.
struct TwoValues {
  bool only_two = false;
  std::vector<Index> rarer;
};

TwoValues two_values(const MatrixView& column) {
  const double low = column.minCoeff(), high = column.maxCoeff();
  if (low == high) return {};
  std::vector<Index> at_low, at_high;
  for (Index i = 0; i < column.rows(); ++i) {
    if (column(i, 0) != low && column(i, 0) != high) return {};
    (column(i, 0) == low ? at_low : at_high).push_back(i);
  }
  return {.only_two = true, .rarer = at_low.size() < at_high.size() ? at_low : at_high};
}

}  // namespace

std::vector<Index> columns_of_two_values(const Matrix& rows) {
  std::vector<Index> columns;
  for (Index k = 0; k < rows.cols(); ++k)
    if (two_values(rows.col(k)).only_two) columns.push_back(k);
  return columns;
}

Matrix rare_inputs(const Matrix& rows, Index of_each, Index most, std::uint64_t seed) {
  constexpr Index rare = 20;
  require_nonempty(rows, "rows");
  const Matrix X = sorted_rows(rows);
  const std::vector<Index> columns_of_two = columns_of_two_values(X);
  std::vector<std::vector<Index>> with_rare_value;
  for (const Index k : columns_of_two) {
    std::vector<Index> rarer = two_values(X.col(k)).rarer;
    if (rare * static_cast<Index>(rarer.size()) <= X.rows()) with_rare_value.push_back(std::move(rarer));
  }
  const auto values = static_cast<Index>(with_rare_value.size());
  if (values == 0 || static_cast<Index>(columns_of_two.size()) == X.cols()) return Matrix(0, X.cols());
  const Index count = std::min(of_each, most / values);
  const RandomStream stream{.seed = seed, .purpose = Purpose::likely_inputs, .replicate = 2};
  std::uint64_t next = 0;
  const auto below = [&](Index bound) {
    return std::min(static_cast<Index>(stream.uniform(next++) * static_cast<double>(bound)), bound - 1);
  };
  Matrix inputs(values * count, X.cols());
  for (Index i = 0; i < inputs.rows(); ++i) {
    const std::vector<Index>& with_value = with_rare_value[static_cast<std::size_t>(i / count)];
    const Index level = with_value[static_cast<std::size_t>(below(static_cast<Index>(with_value.size())))];
    inputs.row(i) = X.row(below(X.rows()));
    inputs(i, columns_of_two) = X(level, columns_of_two);
  }
  return inputs;
}

}  // namespace ridgelet
