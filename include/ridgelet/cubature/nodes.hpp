/// A cubature rule: integral f(x) dx is about sum_j u_j f(x_j). The process enters a prior through its values at
/// the nodes x_j.
#pragma once

#include <string>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

struct Nodes {
  Matrix points;   ///< x_j, D x d
  Vector weights;  ///< u_j >= 0, D

  Index size() const { return points.rows(); }
  Index dimension() const { return points.cols(); }
};

/// Throws InvalidArgument about "nodes" unless shapes agree, all is finite, no weight is negative and one is
/// positive.
void validate(const Nodes& nodes);

}  // namespace ridgelet
