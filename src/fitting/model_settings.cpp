#include "ridgelet/fitting/model_settings.hpp"

#include <cmath>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/node_rules.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {

namespace {

Vector margin_of(const ModelSettings& settings, const Box& domain) {
  if (!settings.margin) return 0.1 * (domain.upper - domain.lower);
  if (!(*settings.margin >= 0) || !std::isfinite(*settings.margin))
    throw InvalidArgument("margin", "must be at least 0 and finite, got " + shortest(*settings.margin));
  return Vector::Constant(domain.dimension(), *settings.margin);
}

}  // namespace

Region region_of(const ModelSettings& settings) {
  const Box domain = parse_box(settings.domain.value_or("-5:5"), "domain");
  return {.domain = domain, .margin = margin_of(settings, domain)};
}

Nodes build_nodes(const ModelSettings& settings, const Region& region, Index refinement) {
  return make_nodes(settings.nodes, {.domain = region.domain,
                                     .margin = region.margin,
                                     .number = settings.points,
                                     .refinement = refinement,
                                     .kernel = parse_kernel(settings.kernel),
                                     .integrates = operator_traits(settings.op.name).integrates});
}

Model build_model(const ModelSettings& settings) {
  return build_model(settings, region_of(settings));
}

Model build_model(const ModelSettings& settings, const Region& region, std::optional<FactorAtPoints> factor) {
  if (settings.kernel.empty())
    throw InvalidArgument("kernel", "is required, e.g. \"se(amplitude=1, lengthscale=1.5)\"");
  PriorOptions options{
      .target = {.kernel = parse_kernel(settings.kernel), .mean = MeanFunction(settings.mean)},
      .nodes = build_nodes(settings, region),
      .activation = settings.activation,
      .units = settings.units,
      .layers = settings.layers,
      .hidden = settings.hidden,
      .op = settings.op,
      .layer_scale = settings.layer_scale,
      .layer_bias = settings.layer_bias,
      .skip = settings.skip,
  };
  return {.prior = RidgeletPrior(std::move(options), std::move(factor)), .domain = region.domain};
}

}  // namespace ridgelet
