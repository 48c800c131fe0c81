/// The left-endpoint grid of Assumption 2: x = lo + (hi - lo) j / n on each axis, j = 0 .. n - 1, in d
/// dimensions D = n^d nodes with the first axis slowest, and weights u_j = volume * 1(x_j) / D, where 1(x) is the
/// mollifier (mollifier.hpp).
///
/// Memory D (d + 1) doubles; a grid that cannot be held, or whose D x D covariance matrix cannot, is refused
/// with the numbers before anything is allocated.
#pragma once

#include "ridgelet/cubature/box.hpp"
#include "ridgelet/cubature/nodes.hpp"

namespace ridgelet {

/// The grid on `box`, mollified to `domain`. The two have the same centre; on an axis where they are equal, nothing is
/// mollified.
Nodes grid(const Box& domain, const Box& box, Index points_per_axis);

/// [-half_width, half_width]^d, mollified to [-support, support]^d.
Nodes grid(double half_width, Index points_per_axis, Index dimension, double support);

}  // namespace ridgelet
