/// How well nodes cover a process: what it leaves unknown elsewhere once it is known at the nodes.
///
/// The kriging floor (target/process_at_points.hpp) at a point is the standard deviation of the process there given
/// its values at the nodes, and no operator on these nodes can have a smaller error. Here it is relative to the
/// process's own standard deviation: 0 where the nodes say all, 1 where they say nothing. Nodes without weight do not
/// count, and neither does white noise. If the terms of a kernel form groups of different size, the group that is
/// covered worst is reported.
#pragma once

#include <string>

#include "ridgelet/cubature/nodes.hpp"
#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct NodeCoverage {
  Index with_weight = 0;  ///< nodes that count
  /// Nodes that pivoted Cholesky takes from the points themselves to leave no more than `tolerance` of the mean
  /// variance anywhere: the kernel's rank there, and only a lower bound on what it asks for if all points are taken.
  Index needed = 0;
  bool needs_more_than_points = false;
  double floor = 0;    ///< root mean square of the relative kriging floor over the points
  double largest = 0;  ///< its largest value
  /// The floor exceeds sqrt(tolerance): the nodes are too few, or in the wrong place.
  bool falls_short = false;
};

/// The coverage at the rows of `points`, which should not be nodes. Cost: that of a prior on the nodes, and n R^2 for n
/// points and R the rank of the kernel there.
NodeCoverage node_coverage(const Nodes& nodes, const Kernel& kernel, const Matrix& points,
                           double tolerance = 1e-6);

/// "256 nodes with weight, and the kernel asks for 812: 12 % of the process's sd is left unknown".
std::string text(const NodeCoverage& coverage);

}  // namespace ridgelet
