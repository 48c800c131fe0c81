#include "ridgelet/prior/ridgelet_prior.hpp"

#include <fmt/format.h>

#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

PriorOptions validated(PriorOptions options) {
  validate(options);
  return options;
}

Vector mean_at_nodes(const PriorOptions& options) {
  Vector m = options.target.mean(options.nodes.points);
  if (!m.allFinite())
    throw InvalidArgument("mean",
                          "must be finite at every node, and '" + options.target.mean.text() + "' is not");
  return m;
}

RankRevealingFactor factor_at_nodes(const PriorOptions& options) {
  const Matrix K = options.target.kernel.matrix(options.nodes.points, options.nodes.points);
  if (!K.allFinite())
    throw InvalidArgument("kernel",
                          "must be finite at every node, and '" + options.target.kernel.text() + "' is not");
  return factorise(K, "kernel");
}

}  // namespace

void validate(const PriorOptions& options) {
  validate(options.nodes);
  options.target.validate_dimension(options.nodes.dimension());
  require_at_least(options.units, 1, "units");
  if (options.layers != 1)
    throw InvalidArgument(
        "layers", fmt::format("must be 1, deeper networks are not supported, got {}", options.layers));
  validate(options.hidden);
  validate(options.op);
  const double D = static_cast<double>(options.nodes.size());
  require_memory(8 * 3 * D * D, "nodes", fmt::format("a prior on {} nodes", options.nodes.size()));
  const double hidden =
      static_cast<double>(options.units) * static_cast<double>(options.nodes.dimension() + 2);
  require_memory(8 * hidden, "units", fmt::format("a network of {} units", options.units));
}

RidgeletPrior::RidgeletPrior(PriorOptions options)
    : options_(validated(std::move(options))),
      pair_(options_.activation, static_cast<int>(options_.nodes.dimension()), options_.order),
      node_mean_(mean_at_nodes(options_)),
      node_factor_(factor_at_nodes(options_)) {}

HiddenLayer RidgeletPrior::draw_hidden(std::uint64_t seed, std::uint32_t replicate) const {
  return options_.hidden.draw(options_.units, dimension(), seed, replicate);
}

GivenHidden RidgeletPrior::given(HiddenLayer layer) const {
  return GivenHidden(*this, std::move(layer));
}

RidgeletPrior::Kriging RidgeletPrior::kriging(const MatrixView& X) const {
  const Matrix pivots = options_.nodes.points(node_factor_.pivots, Eigen::all);
  Matrix c = node_factor_.coordinates(options_.target.kernel.matrix(pivots, X));
  const Vector explained = c.colwise().squaredNorm();
  Vector floor = (options_.target.kernel.diagonal(X) - explained).cwiseMax(0).cwiseSqrt();
  return {.coordinates = std::move(c), .floor = std::move(floor)};
}

}  // namespace ridgelet
