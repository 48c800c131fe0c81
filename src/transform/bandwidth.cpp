#include "ridgelet/transform/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

double Bandwidth::product(Index d) const {
  if (values_.size() == 1) return std::pow(values_[0], static_cast<double>(d));
  double all = 1;
  for (const double value : values_) all *= value;
  return all;
}

double Bandwidth::smallest() const {
  return std::ranges::min(values_);
}

double Bandwidth::largest() const {
  return std::ranges::max(values_);
}

Matrix Bandwidth::scale(const MatrixView& X) const {
  Matrix scaled = X;
  for (Index k = 0; k < X.cols(); ++k) scaled.col(k) *= (*this)[k];
  return scaled;
}

std::string Bandwidth::text() const {
  std::vector<std::string> each;
  for (const double value : values_) each.push_back(shortest(value));
  return join(each, ",");
}

Bandwidth Bandwidth::parse(std::string_view text, const std::string& argument) {
  std::vector<double> each;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data() + start, text.data() + end, value);
    if (error != std::errc{} || stop != text.data() + end)
      throw InvalidArgument(
          argument, fmt::format("must be a number, or one for each input such as 3,1, got '{}'", text));
    each.push_back(value);
    start = end + 1;
  }
  return each;
}

void Bandwidth::validate(Index d) const {
  for (const double value : values_) require_positive(value, "sigma_w");
  const auto count = static_cast<Index>(values_.size());
  if (count != 1 && count != d)
    throw InvalidArgument("sigma_w", fmt::format("must be one number, or {}, one for each input, got {}", d,
                                                 count == 0 ? "none" : text()));
}

}  // namespace ridgelet
