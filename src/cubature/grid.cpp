#include "ridgelet/cubature/grid.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/mollifier.hpp"

namespace ridgelet {

namespace {

/// Room for the nodes, and for the covariance matrix and its factor that any use of them needs.
void require_room(Index points_per_axis, Index dimension) {
  const double D = std::pow(static_cast<double>(points_per_axis), static_cast<double>(dimension));
  const double doubles = D * static_cast<double>(dimension + 1) + 3 * D * D;
  require_memory(
      8 * doubles, "points_per_axis",
      fmt::format("a grid of {} points on each of {} axes ({:.6g} nodes and their covariance matrix)",
                  points_per_axis, dimension, D));
}

}  // namespace

Nodes grid(const Box& domain, const Box& box, Index points_per_axis) {
  validate(domain, "domain");
  validate(box, "domain");
  require_at_least(points_per_axis, 1, "points_per_axis");
  require_concentric(domain, box);
  const Index d = box.dimension();
  require_room(points_per_axis, d);

  Index D = 1;
  for (Index i = 0; i < d; ++i) D *= points_per_axis;
  Nodes nodes{.points = Matrix(D, d), .weights = Vector()};
  Index stride = D;
  for (Index i = 0; i < d; ++i) {
    stride /= points_per_axis;
    const double step = (box.upper(i) - box.lower(i)) / static_cast<double>(points_per_axis);
    for (Index j = 0; j < D; ++j)
      nodes.points(j, i) = box.lower(i) + step * static_cast<double>((j / stride) % points_per_axis);
  }
  nodes.weights = cubature_weights(nodes.points, domain, box);
  if (nodes.weights.maxCoeff() <= 0)
    throw InvalidArgument(
        "points_per_axis",
        fmt::format("must be larger: none of the {} nodes lies inside the box", nodes.size()));
  return nodes;
}

Nodes grid(double half_width, Index points_per_axis, Index dimension, double support) {
  require_positive(half_width, "half_width");
  require_positive(support, "support");
  require_at_least(dimension, 1, "dimension");
  if (support > half_width)
    throw InvalidArgument("support", fmt::format("must be at most the half_width {}, got {}",
                                                 shortest(half_width), shortest(support)));
  return grid(Box::cube(support, dimension), Box::cube(half_width, dimension), points_per_axis);
}

}  // namespace ridgelet
