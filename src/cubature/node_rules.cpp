#include "ridgelet/cubature/node_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/grid.hpp"

namespace ridgelet {

namespace {

Index default_points_per_axis(Index dimension) {
  const double per_axis = std::round(std::pow(900.0, 1.0 / static_cast<double>(dimension)));
  return static_cast<Index>(std::clamp(per_axis, 2.0, 200.0));
}

/// Different coordinates on an axis among the nodes with weight.
std::size_t points_with_weight(const Nodes& nodes, Index axis) {
  std::set<double> coordinates;
  for (Index j = 0; j < nodes.size(); ++j)
    if (nodes.weights(j) > 0) coordinates.insert(nodes.points(j, axis));
  return coordinates.size();
}

void require_three_on_every_axis(const Nodes& nodes) {
  const Index d = nodes.dimension();
  if (d == 1) return;
  for (Index axis = 0; axis < d; ++axis) {
    const std::size_t points = points_with_weight(nodes, axis);
    if (points < 3)
      throw InvalidArgument(
          "points",
          fmt::format(
              "only {} of the {} nodes of the grid have weight, {} along input {}, which is too few to "
              "follow a function; use fewer inputs than {}, or more --points on each axis",
              (nodes.weights.array() > 0).count(), nodes.size(), points, axis + 1, d));
  }
}

Nodes grid_rule(const NodeRequest& request) {
  const Index points = request.number.value_or(default_points_per_axis(request.domain.dimension()));
  try {
    Nodes nodes = grid(request.domain, request.domain.widened(request.margin), request.refinement * points);
    require_three_on_every_axis(nodes);
    return nodes;
  } catch (const InvalidArgument& error) {
    // The grid's own name for it is not the request's.
    if (error.argument() == "points_per_axis") throw InvalidArgument("points", error.complaint());
    throw;
  }
}

struct Rule {
  const char* name;
  Nodes (*make)(const NodeRequest&);
};

/// One line a rule.
constexpr std::array registry = {
    Rule{"grid", grid_rule},
};

}  // namespace

std::vector<std::string> node_rule_names() {
  std::vector<std::string> names;
  for (const Rule& rule : registry) names.emplace_back(rule.name);
  return names;
}

Nodes make_nodes(const std::string& rule, const NodeRequest& request) {
  validate(request.domain, "domain");
  require_rows(request.margin, request.domain.dimension(), "margin");
  for (const Rule& each : registry)
    if (each.name == rule) return each.make(request);
  throw InvalidArgument("nodes", unknown_name_complaint(rule, node_rule_names()));
}

}  // namespace ridgelet
