#include "ridgelet/cubature/box.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

std::optional<double> read_number(std::string_view text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

Vector as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

}  // namespace

Box Box::widened(const VectorView& margin) const {
  return {.lower = lower - margin, .upper = upper + margin};
}

Box Box::cube(double half_width, Index dimension) {
  return {.lower = Vector::Constant(dimension, -half_width),
          .upper = Vector::Constant(dimension, half_width)};
}

Matrix from_unit_cube(const Matrix& points, const Box& box) {
  const Vector width = box.upper - box.lower;
  return (points * width.asDiagonal()).rowwise() + box.lower.transpose();
}

void validate(const Box& box, const std::string& argument) {
  require_at_least(box.dimension(), 1, argument);
  for (Index i = 0; i < box.dimension(); ++i) {
    const double low = box.lower(i), high = box.upper(i);
    const bool in_order = low < high && std::isfinite(low) && std::isfinite(high);
    if (in_order && std::isfinite(high - low)) continue;
    const char* rule = in_order ? "must have LO and HI so near that doubles hold HI - LO for every input"
                                : "must have LO below HI, both finite, for every input";
    throw InvalidArgument(
        argument, fmt::format("{}, got {}:{} for input {}", rule, shortest(low), shortest(high), i + 1));
  }
}

Box parse_box(std::string_view text, const std::string& argument) {
  std::vector<double> lower, upper;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string_view part = text.substr(start, end - start);
    const std::size_t colon = part.find(':');
    const auto low = read_number(part.substr(0, colon));
    const auto high = colon == std::string_view::npos ? std::nullopt : read_number(part.substr(colon + 1));
    if (!low || !high)
      throw InvalidArgument(
          argument, fmt::format("must be LO:HI for each input, such as -5:5 or -5:5,0:1, got '{}'", text));
    lower.push_back(*low);
    upper.push_back(*high);
    start = end + 1;
  }
  Box box{.lower = as_vector(lower), .upper = as_vector(upper)};
  validate(box, argument);
  return box;
}

std::string text(const Box& box) {
  std::vector<std::string> axes;
  for (Index i = 0; i < box.dimension(); ++i)
    axes.push_back(shortest(box.lower(i)) + ":" + shortest(box.upper(i)));
  return join(axes, ",");
}

}  // namespace ridgelet
