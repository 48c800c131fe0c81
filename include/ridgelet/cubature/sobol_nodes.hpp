/// Scrambled Sobol points of a box as nodes (core/sobol.hpp): D of them in all, whatever the number of inputs, with
/// weights u_j = volume * 1(x_j) / D, where 1(x) is the mollifier (mollifier.hpp).
///
/// Where a grid of n points on each of d axes needs n^d, these are spread evenly over every input, and over pairs of
/// inputs, for any D. Powers of two are best.
///
/// Memory D (d + 1) doubles; nodes that cannot be held, or whose D x D covariance matrix cannot, are refused with
/// the numbers.
#pragma once

#include <cstdint>

#include "ridgelet/cubature/box.hpp"
#include "ridgelet/cubature/nodes.hpp"

namespace ridgelet {

/// The points alone.
Matrix sobol_points_of(const Box& box, Index number, std::uint64_t seed);

/// Points of `box`, mollified to `domain`. The two have the same centre; if they are equal, nothing is mollified and
/// all weights are equal.
Nodes sobol_nodes(const Box& domain, const Box& box, Index number, std::uint64_t seed);

}  // namespace ridgelet
