#include "ridgelet/cubature/nodes.hpp"

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

void validate(const Nodes& nodes) {
  require_nonempty(nodes.points, "nodes: points");
  require_finite(nodes.points, "nodes: points");
  require_rows(nodes.weights, nodes.size(), "nodes: weights");
  require_finite(nodes.weights, "nodes: weights");
  if (nodes.weights.minCoeff() < 0 || nodes.weights.maxCoeff() <= 0)
    throw InvalidArgument("nodes: weights", "must not be negative, and not all zero, got a least of " +
                                                shortest(nodes.weights.minCoeff()) + " and a largest of " +
                                                shortest(nodes.weights.maxCoeff()));
}

}  // namespace ridgelet
