#include "ridgelet/core/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

/// A complaint is one line, and a value that it repeats may have line breaks.
std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, '?');
  return text;
}

}  // namespace

InvalidArgument::InvalidArgument(std::string argument, std::string complaint)
    : std::invalid_argument(on_one_line(argument + ": " + complaint)),
      argument_(on_one_line(std::move(argument))),
      complaint_(on_one_line(std::move(complaint))) {}

void require_positive(double value, const std::string& argument) {
  if (!(value > 0) || !std::isfinite(value))
    throw InvalidArgument(argument, "must be positive and finite, got " + shortest(value));
}

void require_at_least(Index value, Index least, const std::string& argument) {
  if (value < least)
    throw InvalidArgument(argument, fmt::format("must be at least {}, got {}", least, value));
}

void require_nonempty(const MatrixView& values, const std::string& argument) {
  if (values.size() == 0)
    throw InvalidArgument(argument, fmt::format("must have at least one row and one column, got {} x {}",
                                                values.rows(), values.cols()));
}

void require_finite(const MatrixView& values, const std::string& argument) {
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < values.rows(); ++i)
      if (!std::isfinite(values(i, j)))
        throw InvalidArgument(argument, fmt::format("must be finite, got {} in row {}, column {}",
                                                    shortest(values(i, j)), i + 1, j + 1));
}

void require_columns(const MatrixView& points, Index inputs, const std::string& argument) {
  if (points.cols() != inputs)
    throw InvalidArgument(argument, fmt::format("must have {} column{}, one for each input, got {}", inputs,
                                                inputs == 1 ? "" : "s", points.cols()));
}

void require_rows(const MatrixView& values, Index rows, const std::string& argument) {
  if (values.rows() != rows)
    throw InvalidArgument(
        argument, fmt::format("must have {} row{}, got {}", rows, rows == 1 ? "" : "s", values.rows()));
}

}  // namespace ridgelet
