#include "ridgelet/target/covariance/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

/// Larger squares count as this: at an infinite distance a kernel would be 0 times infinity.
constexpr double largest_square = 1e300;

void require_positive_parameter(const std::string& where, double value) {
  try {
    require_positive(value, where);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument("kernel", error.what());
  }
}

std::string listed(const std::vector<std::string>& values) {
  return "[" + join(values) + "]";
}

}  // namespace

std::vector<Index> ActiveInputs::columns(Index d) const {
  std::vector<Index> columns(inputs.empty() ? static_cast<std::size_t>(d) : inputs.size());
  if (inputs.empty())
    std::iota(columns.begin(), columns.end(), Index{0});
  else
    std::transform(inputs.begin(), inputs.end(), columns.begin(), [](Index input) { return input - 1; });
  return columns;
}

Matrix scaled_squared_distances(const MatrixView& X1, const MatrixView& X2, const Lengthscale& lengthscale,
                                const ActiveInputs& active) {
  Matrix squared = Matrix::Zero(X1.rows(), X2.rows());
  const std::vector<Index> columns = active.columns(X1.cols());
  // A column at a time, which stays in the cache while the inputs are added.
  for (Index j = 0; j < X2.rows(); ++j) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double scale = 1 / lengthscale.of(k);
      squared.col(j).array() += ((X1.col(columns[k]).array() - X2(j, columns[k])) * scale).square();
    }
    squared.col(j) = squared.col(j).cwiseMin(largest_square);
  }
  return squared;
}

void scaled_squared_distances_below(const MatrixView& X, Index j, const Lengthscale& lengthscale,
                                    const std::vector<Index>& columns, Vector& r2) {
  const Index rows = X.rows() - j;
  r2.setZero(rows);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const double scale = 1 / lengthscale.of(k);
    const auto x = X.col(columns[k]).tail(rows).array();
    r2.array() += ((x - X(j, columns[k])) * scale).square();
  }
  r2 = r2.cwiseMin(largest_square);
}

std::optional<double> UnitChange::common_scale(const ActiveInputs& active) const {
  const Vector scales = scale(active.columns(scale.size()));
  if (scales.minCoeff() != scales.maxCoeff()) return std::nullopt;
  return scales(0);
}

std::string parameter_text(double value) {
  return shortest(value);
}

std::string parameter_text(const Lengthscale& lengthscale) {
  if (lengthscale.values.size() == 1) return shortest(lengthscale.values[0]);
  std::vector<std::string> each;
  for (double value : lengthscale.values) each.push_back(shortest(value));
  return listed(each);
}

std::string parameter_text(const ActiveInputs& active) {
  if (active.inputs.empty()) return "";
  std::vector<std::string> each;
  for (Index input : active.inputs) each.push_back(std::to_string(input));
  return listed(each);
}

void validate_parameter(const std::string& where, double value) {
  require_positive_parameter(where, value);
}

void validate_parameter(const std::string& where, const Lengthscale& lengthscale) {
  for (double value : lengthscale.values) require_positive_parameter(where, value);
  if (lengthscale.values.empty()) throw InvalidArgument("kernel", where + ": must not be an empty list");
}

void validate_parameter(const std::string& where, const ActiveInputs& active) {
  const std::set<Index> distinct(active.inputs.begin(), active.inputs.end());
  const bool positive = distinct.empty() || *distinct.begin() >= 1;
  if (!positive || distinct.size() != active.inputs.size())
    throw InvalidArgument(
        "kernel", where + ": must list different inputs, counted from 1, got " + parameter_text(active));
}

void validate_inputs(const std::string& kernel, const Lengthscale& lengthscale, const ActiveInputs& active,
                     Index d) {
  for (Index input : active.inputs)
    if (input > d)
      throw InvalidArgument(
          "kernel",
          fmt::format("{}: active: must be at most {}, the number of inputs, got {}", kernel, d, input));
  const std::size_t used = active.columns(d).size();
  if (lengthscale.values.size() != 1 && lengthscale.values.size() != used)
    throw InvalidArgument(
        "kernel", fmt::format("{}: lengthscale: must be one number or {}, one for each active input, got {}",
                              kernel, used, parameter_text(lengthscale)));
}

}  // namespace ridgelet
