#include "ridgelet/fitting/reach.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/lengthscales.hpp"
#include "ridgelet/transform/operator.hpp"

namespace ridgelet {

namespace {

/// Bandwidths are tried that are this many times 1 / lengthscale.
constexpr double room_for_trials = 1e3;

[[noreturn]] void refuse_reach(const std::string& argument, const std::string& rule,
                               const std::string& value) {
  throw InvalidArgument(
      argument, fmt::format("must be so {} that sigma-b, which follows from it, is finite in doubles, got {}",
                            rule, value));
}

/// What is to blame for a product of a bandwidth and a half-width: the factor that is further from 1.
[[noreturn]] void blame_for_reach(const ModelSettings& settings, const Region& region, Index input,
                                  double sigma_w) {
  const double half = 0.5 * (region.domain.upper(input) - region.domain.lower(input));
  const double margin = region.margin(input);
  if (sigma_w > half + margin && settings.sigma_w) refuse_reach("sigma_w", "small", settings.sigma_w->text());
  if (sigma_w > half + margin) refuse_reach("kernel", "smooth", settings.kernel);
  if (settings.margin && margin > half) refuse_reach("margin", "small", shortest(*settings.margin));
  refuse_reach("domain", "narrow", settings.domain.value_or(text(region.domain)));
}

}  // namespace

void require_reach(const ModelSettings& settings, const Region& region) {
  if (settings.sigma_b || operator_traits(settings.operator_name).integrates) return;
  const Index d = region.domain.dimension();
  if (settings.sigma_w) settings.sigma_w->validate(d);
  const Vector half = 0.5 * (region.domain.upper - region.domain.lower) + region.margin;
  const Vector lengths = shortest_lengthscales(parse_kernel(settings.kernel), d);
  for (Index k = 0; k < d; ++k) {
    const double sigma_w = settings.sigma_w ? (*settings.sigma_w)[k] : 1 / lengths(k);
    const double reach = room_for_trials * sigma_w * half(k);
    if (!std::isfinite(reach * reach)) blame_for_reach(settings, region, k, sigma_w);
  }
}

}  // namespace ridgelet
