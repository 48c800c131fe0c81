/// Quantiles of counts.
///
/// The quantile of a probability p < 1 is the smallest count y with P(Y <= y) >= p. It is at most mean / (1 - p), since
/// P(Y > c) < mean / c (Markov), so the search is between known ends: by geometric means while the ends are far apart,
/// then by halves. About log2 of the distance between the ends in evaluations of P, at most 80. Where nearer ends are
/// known, there are fewer.
///
/// Doubles count up to 2^53 = 9.0e15. Above that, the answer is the smallest double with that property, at most 2^-53
/// of itself beyond the count.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridgelet {

/// The smallest count of (low, high] with cdf(y) >= probability, or `high` if there is none below it. cdf(y) is
/// P(Y <= y); low is -1 or a count.
template <class Cdf>
double smallest_count_between(double low, double high, Cdf&& cdf, double probability) {
  // Ten geometric means bring ends of any size within a factor of four of each other; 55 halvings make them neighbours.
  constexpr int most_steps = 80;
  for (int step = 0; step < most_steps; ++step) {
    const bool far_apart = high > 4 * (low + 1);
    const double middle =
        std::floor(far_apart ? std::sqrt(low + 1) * std::sqrt(high) : low + (high - low) / 2);
    if (middle <= low || middle >= high) break;
    (cdf(middle) < probability ? low : high) = middle;
  }
  return high;
}

/// The same among all counts, of a distribution with this mean.
template <class Cdf>
double smallest_count(Cdf&& cdf, double probability, double mean) {
  const double high = std::min(std::ceil(mean / (1 - probability)) + 1, std::numeric_limits<double>::max());
  return smallest_count_between(-1, high, cdf, probability);
}

}  // namespace ridgelet
