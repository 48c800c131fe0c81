/// Importance weights made reliable, and how reliable they are: Pareto smoothed importance sampling.
///
/// The n largest weights are taken for draws of a generalised Pareto distribution, whose shape k is fitted to them, and
/// are replaced by its quantiles at (i - 1/2) / n, i = 1 .. n, cut at the largest weight. The weights have 1/k moments:
/// for k below 0.5 their variance is finite; up to 0.7 averages still settle within a useful number of draws; above
/// that, the proposal is too far from its target for any number of draws.
///
/// Cost S log S for S weights.
/// References: A. Vehtari, D. Simpson, A. Gelman, Y. Yao, J. Gabry, Pareto smoothed importance sampling, JMLR 25
/// (2024); J. Zhang and M. A. Stephens, A new and efficient estimation method for the generalized Pareto distribution,
/// Technometrics 51 (2009).
#pragma once

#include <cstdint>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// k above which weights are not to be trusted.
inline constexpr double largest_good_shape = 0.7;

struct SmoothedWeights {
  Vector weights;    ///< that add up to 1
  double shape = 0;  ///< k; minus infinity where all weights are the same, infinity where nearly all vanish
  double log_mean = 0;   ///< log of the mean of the smoothed weights, before they were normalised
  double effective = 0;  ///< 1 / sum of squares of the weights: draws that they are worth
};

/// Smooths weights that are given by their logarithms; one that is not a number counts as weight zero. Throws
/// InvalidArgument about "weights" if no weight is positive.
SmoothedWeights smooth_weights(const VectorView& log_weights);

/// `count` of the indices 0 .. S - 1, by systematic resampling from one uniform number: index i comes about
/// count * weights(i) times.
std::vector<Index> resample(const VectorView& weights, Index count, double uniform);

}  // namespace ridgelet
