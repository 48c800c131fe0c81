#include "ridgelet/cubature/node_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/sobol.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/data_nodes.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/cubature/sobol_nodes.hpp"

namespace ridgelet {

namespace {

Index default_points_per_axis(Index dimension) {
  const double per_axis = std::round(std::pow(900.0, 1.0 / static_cast<double>(dimension)));
  return static_cast<Index>(std::clamp(per_axis, 2.0, 200.0));
}

/// The number of different coordinates on an axis among the nodes with weight.
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
              "follow a function; use --nodes sobol or data, or more --points on each axis",
              (nodes.weights.array() > 0).count(), nodes.size(), points, axis + 1));
  }
}

Nodes grid_rule(const NodeRequest& request) {
  const Index points = request.number.value_or(default_points_per_axis(request.domain.dimension()));
  try {
    Nodes nodes = grid(request.domain, request.domain.widened(request.margin), request.refinement * points);
    require_three_on_every_axis(nodes);
    return nodes;
  } catch (const InvalidArgument& error) {
    // The grid has another name for this number than the request has.
    if (error.argument() == "points_per_axis") throw InvalidArgument("points", error.complaint());
    throw;
  }
}

Index default_sobol_points(Index dimension) {
  return dimension == 1 ? 256 : dimension == 2 ? 512 : 1024;
}

Nodes sobol_rule(const NodeRequest& request) {
  const Index number =
      request.refinement * request.number.value_or(default_sobol_points(request.domain.dimension()));
  const Box box = request.domain.widened(request.margin);
  if (request.integrates) return sobol_nodes(request.domain, box, number, request.seed);
  return {.points = sobol_points_of(box, number, request.seed), .weights = Vector::Ones(number)};
}

/// Whether candidates that are no rows are inputs that further rows might have (node_candidates()).
bool looks_beyond_rows(const NodeRequest& request) {
  return request.inputs.rows() > 0 && request.domain.dimension() > 2;
}

/// Where further rows might be, the process is followed less closely than at rows, where there are responses: predictions
/// are less certain there.
double tolerance_beyond_rows(double tolerance) {
  constexpr double times = 30, least = 1e-4, most = 3e-3;
  return std::max(tolerance, std::clamp(times * tolerance, least, most));
}

/// Of the candidates, rows of the data first.
Vector importance_of(const Matrix& candidates, const NodeRequest& request) {
  Vector importance = Vector::Ones(candidates.rows());
  const Index others = std::max<Index>(candidates.rows() - request.inputs.rows(), 0);
  if (looks_beyond_rows(request))
    importance.tail(others).setConstant(
        std::sqrt(request.tolerance / tolerance_beyond_rows(request.tolerance)));
  return importance;
}

/// Few rows in many inputs know little of the process, and hundreds of nodes follow it as closely as that is worth.
Index default_budget(const NodeRequest& request) {
  constexpr Index most = 1000, beyond_rows = 300;
  return looks_beyond_rows(request) ? std::min(most, request.inputs.rows() + beyond_rows) : most;
}

Nodes data_rule(const NodeRequest& request) {
  if (!request.kernel)
    throw InvalidArgument("kernel", "is required for nodes that are chosen by it (--nodes data)");
  const Box box = request.domain.widened(request.margin);
  const Matrix candidates = node_candidates(box, request.inputs, request.seed);
  return data_nodes(with_network_pinned(*request.kernel, candidates, box), candidates,
                    {.tolerance = request.tolerance,
                     .most = request.refinement * request.number.value_or(default_budget(request))},
                    importance_of(candidates, request));
}

struct Rule {
  const char* name;
  Nodes (*make)(const NodeRequest&);
  bool has_cubature_weights;
};

/// One line for each rule.
constexpr std::array registry = {
    Rule{"grid", grid_rule, true},
    Rule{"sobol", sobol_rule, true},
    Rule{"data", data_rule, false},
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
  for (const Rule& each : registry) {
    if (each.name != rule) continue;
    if (request.integrates && !each.has_cubature_weights)
      throw InvalidArgument("nodes",
                            fmt::format("{} has no cubature weights, which the operator needs; use --nodes "
                                        "grid or sobol, or --operator least-squares",
                                        rule));
    return each.make(request);
  }
  throw InvalidArgument("nodes", unknown_name_complaint(rule, node_rule_names()));
}

std::string default_node_rule(Index inputs, bool with_data, bool integrates) {
  if (with_data && !integrates) return "data";
  return inputs <= 2 ? "grid" : "sobol";
}

Matrix coverage_points(const NodeRequest& request, Index count) {
  const Index d = request.domain.dimension();
  const bool with_data = request.inputs.rows() > 0;
  // Not the seed of the nodes: Sobol nodes would be looked at where they lie.
  const std::uint64_t seed = request.seed + 1;
  const bool fills = !with_data || d <= 2;
  const Index between = fills ? 0 : count / 2;
  const Matrix rows = with_data ? subset_of_rows(request.inputs, count - between, seed) : Matrix(0, d);
  const Matrix others =
      fills ? sobol_points_of(request.domain, count, seed) : points_between(request.inputs, between, seed);
  Matrix points(rows.rows() + others.rows(), d);
  points << rows, others;
  return points;
}

}  // namespace ridgelet
