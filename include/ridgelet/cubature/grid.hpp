/// The left-endpoint grid of Assumption 2: x = lo + (hi - lo) j / n on each axis, j = 0 .. n - 1, in d
/// dimensions D = n^d nodes with the first axis slowest, and weights u_j = volume * 1(x_j) / D with the
/// mollifier 1.
///
/// Memory D (d + 1) doubles; a grid that cannot be held, or whose D x D covariance matrix cannot, is refused
/// with the numbers before anything is allocated.
#pragma once

#include "ridgelet/cubature/box.hpp"
#include "ridgelet/cubature/nodes.hpp"

namespace ridgelet {

/// The grid on `box`, mollified to `domain`; they have the same centre, and where they agree the mollifier
/// is 1.
Nodes grid(const Box& domain, const Box& box, Index points_per_axis);

/// [-half_width, half_width]^d, mollified to [-support, support]^d.
Nodes grid(double half_width, Index points_per_axis, Index dimension, double support);

}  // namespace ridgelet
