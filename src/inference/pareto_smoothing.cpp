#include "ridgelet/inference/pareto_smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Fewer weights than these are not a tail.
constexpr Index shortest_tail = 5;

struct ParetoFit {
  double shape = 0;
  double scale = 0;
};

/// Zhang and Stephens's estimate for exceedances in ascending order: the posterior mean of -k / sigma over a grid, with
/// a weak prior that pulls the shape towards 0.5 where exceedances are few.
ParetoFit fit_pareto(const Vector& x) {
  const Index n = x.size();
  const auto count = static_cast<double>(n);
  const auto grid = static_cast<Index>(30 + std::floor(std::sqrt(count)));
  const double quartile = x(static_cast<Index>(std::floor(count / 4 + 0.5)) - 1);
  Vector theta(grid), log_likelihood(grid);
  for (Index j = 0; j < grid; ++j) {
    theta(j) = 1 / x(n - 1) +
               (1 - std::sqrt(static_cast<double>(grid) / (static_cast<double>(j) + 0.5))) / (3 * quartile);
    const double k = (-theta(j) * x.array()).log1p().mean();
    log_likelihood(j) = count * (std::log(-theta(j) / k) - k - 1);
  }
  const Vector weights = (log_likelihood.array() - log_likelihood.maxCoeff()).exp();
  const double b = weights.dot(theta) / weights.sum();
  const double k = (-b * x.array()).log1p().mean();
  constexpr double prior_count = 10, prior_shape = 0.5;
  return {.shape = (count * k + prior_count * prior_shape) / (count + prior_count), .scale = -k / b};
}

double pareto_quantile(const ParetoFit& fit, double p) {
  if (std::abs(fit.shape) < 1e-12) return -fit.scale * std::log1p(-p);
  return fit.scale * std::expm1(-fit.shape * std::log1p(-p)) / fit.shape;
}

/// The indices of the weights in ascending order.
std::vector<Index> ascending(const Vector& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index i) { return values(i); });
  return order;
}

}  // namespace

SmoothedWeights smooth_weights(const VectorView& log_weights) {
  const Index S = log_weights.size();
  Vector clean = log_weights;
  for (double& each : clean)
    if (std::isnan(each)) each = -infinite;
  const double top = S > 0 ? clean.maxCoeff() : -infinite;
  if (!std::isfinite(top)) throw InvalidArgument("weights", "must have one that is positive and finite");
  SmoothedWeights result{.weights = Vector(S), .shape = -infinite};
  for (Index i = 0; i < S; ++i) result.weights(i) = std::exp(clean(i) - top);
  const auto tail = static_cast<Index>(
      std::ceil(std::min(static_cast<double>(S) / 5, 3 * std::sqrt(static_cast<double>(S)))));
  const std::vector<Index> order = ascending(clean);
  if (tail >= shortest_tail && tail < S) {
    const auto place = [&](Index i) { return order[static_cast<std::size_t>(S - tail + i)]; };
    const double cut = result.weights(order[static_cast<std::size_t>(S - tail - 1)]);
    Vector exceedances(tail);
    for (Index i = 0; i < tail; ++i) exceedances(i) = result.weights(place(i)) - cut;
    // Weights that are all equal up to rounding have no tail; where nearly all vanish beside the largest, there is
    // nothing but a tail.
    constexpr double rounding = 1e-12;
    if (exceedances(tail - 1) > rounding && !(exceedances(0) > 0)) {
      result.shape = infinite;
    } else if (exceedances(tail - 1) > rounding) {
      const ParetoFit fit = fit_pareto(exceedances);
      result.shape = fit.shape;
      for (Index i = 0; i < tail; ++i)
        result.weights(place(i)) = std::min(
            1.0, cut + pareto_quantile(fit, (static_cast<double>(i) + 0.5) / static_cast<double>(tail)));
    }
  }
  const double sum = result.weights.sum();
  result.log_mean = top + std::log(sum / static_cast<double>(S));
  result.weights /= sum;
  result.effective = 1 / result.weights.squaredNorm();
  return result;
}

std::vector<Index> resample(const VectorView& weights, Index count, double uniform) {
  std::vector<Index> chosen;
  double below = 0;
  Index next = 0;
  for (Index i = 0; i < weights.size() && next < count; ++i) {
    below += weights(i);
    // The last weight takes what rounding leaves.
    const bool last = i + 1 == weights.size();
    while (next < count &&
           (last || (static_cast<double>(next) + uniform) / static_cast<double>(count) < below)) {
      chosen.push_back(i);
      ++next;
    }
  }
  return chosen;
}

}  // namespace ridgelet
