#include "ridgelet/inference/mixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/blocked.hpp"

namespace ridgelet {

namespace {

/// Steps that a search may take; with smooth distribution functions it takes about ten.
constexpr std::uintmax_t most_steps = 100;

/// As a part of the interval that is searched.
constexpr double resolution = 1e-14;

/// P(mean + sd n <= x) of a standard normal n, also for sd = 0.
double normal_cdf(double x, double mean, double sd) {
  if (sd == 0) return x < mean ? 0 : 1;
  return 0.5 * std::erfc((mean - x) / (sd * std::numbers::sqrt2));
}

double normal_quantile(double probability) {
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * probability);
}

}  // namespace

Matrix averages_of_rows(Matrix values, Index count) {
  if (count == 1) return values;
  Matrix averages(values.rows() / count, values.cols());
  for (Index i = 0; i < averages.rows(); ++i)
    averages.row(i) = values.middleRows(i * count, count).colwise().mean();
  return averages;
}

double mixture_cdf(const VectorView& means, const VectorView& sds, double x) {
  double sum = 0;
  for (Index s = 0; s < means.size(); ++s) sum += normal_cdf(x, means(s), sds(s));
  return sum / static_cast<double>(means.size());
}

double mixture_log_density(const VectorView& means, const VectorView& sds, double x) {
  const auto log_density = [&](Index s) {
    const double z = (x - means(s)) / sds(s);
    return -0.5 * z * z - std::log(sds(s));
  };
  double largest = log_density(0);
  for (Index s = 1; s < means.size(); ++s) largest = std::max(largest, log_density(s));
  double sum = 0;
  for (Index s = 0; s < means.size(); ++s) sum += std::exp(log_density(s) - largest);
  return largest + std::log(sum / static_cast<double>(means.size())) - 0.5 * std::log(2 * std::numbers::pi);
}

double quantile_between(double low, double high, const std::function<double(double)>& cdf,
                        double probability) {
  const auto beyond = [&](double x) { return cdf(x) - probability; };
  if (beyond(low) >= 0) return low;
  if (beyond(high) <= 0) return high;
  const double enough = resolution * (high - low);
  std::uintmax_t steps = most_steps;
  const auto close = [=](double a, double b) { return b - a <= enough; };
  return boost::math::tools::toms748_solve(beyond, low, high, close, steps).second;
}

double mixture_quantile(const VectorView& means, const VectorView& sds, double probability) {
  if (means.size() == 1) return means(0) + sds(0) * normal_quantile(probability);
  // Relative to a centre, so that the search goes on below the last digit of the values themselves.
  const double centre = means(0) + (means.array() - means(0)).mean();
  const Vector deviations = means.array() - centre;
  // Eight standard deviations beyond every component leave less than 1e-15 outside.
  const double low = (deviations - 8 * sds).minCoeff(), high = (deviations + 8 * sds).maxCoeff();
  if (!std::isfinite(high - low)) return std::numeric_limits<double>::quiet_NaN();
  const auto cdf = [&](double x) { return mixture_cdf(deviations, sds, x); };
  return centre + quantile_between(low, high, cdf, probability);
}

namespace {

/// In parallel, and so that it can be cancelled: touching all of a large matrix takes seconds.
template <class Visit>
void for_each_column(Matrix& matrix, Visit&& visit) {
  parallel_for(matrix.cols(), [&](Index j) { visit(matrix.col(j)); });
}

}  // namespace

MixtureCovariance::MixtureCovariance(Index places) {
  const auto M = static_cast<double>(places);
  require_memory(8 * M * M, "Xs", fmt::format("a covariance between {} inputs", places));
  mean_ = Vector::Zero(places);
  sum_.resize(places, places);
  for_each_column(sum_, [](auto column) { column.setZero(); });
}

void MixtureCovariance::add(const Vector& mean, const Matrix& root) {
  const auto before = static_cast<double>(count_++);
  const Vector deviation = mean - mean_;
  mean_ += deviation / (before + 1);
  Matrix columns(root.rows(), root.cols() + 1);
  columns << root, std::sqrt(before / (before + 1)) * deviation;
  const Matrix rows = columns.transpose();
  accumulate_product(sum_, columns, rows);
}

Matrix MixtureCovariance::take() && {
  const auto count = static_cast<double>(count_);
  for_each_column(sum_, [count](auto column) { column /= count; });
  return std::move(sum_);
}

}  // namespace ridgelet
