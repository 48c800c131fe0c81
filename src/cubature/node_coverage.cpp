#include "ridgelet/cubature/node_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/cubature/data_nodes.hpp"
#include "ridgelet/target/process_at_points.hpp"

namespace ridgelet {

namespace {

Matrix points_with_weight(const Nodes& nodes) {
  std::vector<Index> kept;
  for (Index j = 0; j < nodes.size(); ++j)
    if (nodes.weights(j) > 0) kept.push_back(j);
  return nodes.points(kept, Eigen::all);
}

/// The floor at the points over the sd there; 0 where the process is known to be its mean.
Eigen::ArrayXd relative_floor(const Kernel& kernel, const Matrix& nodes, const Matrix& points) {
  const Vector floor = ProcessAtPoints({.kernel = kernel}, nodes).kriging(points).floor;
  const Vector variance = kernel.diagonal(points);
  return (variance.array() > 0).select(floor.array() / variance.array().sqrt(), 0.0);
}

}  // namespace

NodeCoverage node_coverage(const Nodes& nodes, const Kernel& kernel, const Matrix& points, double tolerance) {
  validate(nodes);
  require_columns(points, nodes.dimension(), "points");
  const Matrix kept = points_with_weight(nodes);
  NodeCoverage coverage{
      .with_weight = kept.rows(),
      .needed = static_cast<Index>(choose_nodes(kernel, points, {.tolerance = tolerance}).size())};
  const Kernel smooth = *without_white_noise(kernel, points);
  for (const Kernel& group : groups_of_terms(smooth, points)) {
    const Eigen::ArrayXd floor = relative_floor(group, kept, points);
    coverage.floor = std::max(coverage.floor, std::sqrt(floor.square().mean()));
    coverage.largest = std::max(coverage.largest, floor.maxCoeff());
  }
  coverage.needs_more_than_points = coverage.needed == points.rows();
  coverage.falls_short = coverage.floor > std::sqrt(tolerance);
  return coverage;
}

std::string text(const NodeCoverage& coverage) {
  return fmt::format(
      "{} node{} with weight, and the kernel asks for {}{}: {:.2g} % of the process's sd is left unknown",
      coverage.with_weight, coverage.with_weight == 1 ? "" : "s",
      coverage.needs_more_than_points ? "at least " : "", coverage.needed, 100 * coverage.floor);
}

}  // namespace ridgelet
