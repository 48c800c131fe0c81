#include "ridgelet/fitting/skewed_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

constexpr double strong_skew = 2.5, slight_skew = 1;

double skewness(const Vector& x) {
  const Vector centred = x.array() - x.mean();
  const double sd = std::sqrt(centred.squaredNorm() / static_cast<double>(x.size()));
  return sd > 0 ? (centred.array() / sd).cube().mean() : 0;
}

}  // namespace

std::vector<std::string> skewed_columns(const RegressionTable& table) {
  std::vector<std::string> names;
  const ColumnRange range = table.input_range();
  Index first = 0;
  for (const ColumnEncoding& column : encoding_of(table).inputs) {
    if (column.kind == ColumnKind::number && range.low(first) > 0 &&
        skewness(table.X.col(first)) > strong_skew &&
        std::abs(skewness(table.X.col(first).array().log())) < slight_skew)
      names.push_back(column.name);
    first += column.width();
  }
  return names;
}

std::string logarithm_advice(const std::vector<std::string>& skewed) {
  constexpr std::size_t most = 5;
  if (skewed.empty()) return "";
  if (skewed.size() == 1)
    return fmt::format(
        "column {0} is positive and strongly skewed: its logarithm would serve better, log({0}) in --x",
        skewed[0]);
  std::vector<std::string> named(skewed.begin(),
                                 skewed.begin() + static_cast<std::ptrdiff_t>(std::min(most, skewed.size())));
  if (skewed.size() > most) named.push_back(fmt::format("... ({} in all)", skewed.size()));
  return fmt::format(
      "columns {} are positive and strongly skewed: their logarithms would serve better, log({}) in --x and "
      "so on",
      join(named), skewed[0]);
}

}  // namespace ridgelet
