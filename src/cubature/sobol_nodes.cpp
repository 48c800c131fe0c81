#include "ridgelet/cubature/sobol_nodes.hpp"

#include <fmt/format.h>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/sobol.hpp"
#include "ridgelet/cubature/mollifier.hpp"

namespace ridgelet {

Matrix sobol_points_of(const Box& box, Index number, std::uint64_t seed) {
  validate(box, "domain");
  require_at_least(number, 1, "points");
  const double D = static_cast<double>(number);
  require_memory(8 * (D * static_cast<double>(box.dimension() + 1) + 3 * D * D), "points",
                 fmt::format("{} nodes and their covariance matrix", number));
  const RandomStream scrambling{.seed = seed, .purpose = Purpose::node_points};
  return from_unit_cube(sobol_points(number, box.dimension(), scrambling), box);
}

Nodes sobol_nodes(const Box& domain, const Box& box, Index number, std::uint64_t seed) {
  validate(domain, "domain");
  validate(box, "domain");
  require_concentric(domain, box);
  const Matrix points = sobol_points_of(box, number, seed);
  const Vector weights = cubature_weights(points, domain, box);
  if (weights.maxCoeff() <= 0)
    throw InvalidArgument("points", fmt::format("must be more: none of {} has weight", number));
  return {.points = points, .weights = weights};
}

}  // namespace ridgelet
