#include "ridgelet/fitting/smallest_model.hpp"

#include <utility>

#include "ridgelet/cubature/evaluation.hpp"

namespace ridgelet {

namespace {

constexpr Index evaluated_points = 200;

/// Any numbers in place of those to be tuned, so that the nodes are all that is chosen.
ModelSettings with_numbers(ModelSettings settings) {
  settings.units = settings.units.value_or(1);
  settings.sigma_w = settings.sigma_w.value_or(1);
  settings.sigma_b = settings.sigma_b.value_or(1);
  settings.ridge = settings.ridge.value_or(OperatorSettings{}.ridge);
  return settings;
}

}  // namespace

SmallestModel smallest_model(const ModelSettings& settings, const Region& region, WidthSearch search,
                             std::uint64_t seed) {
  const Model model = build_model(with_numbers(settings), region, {.seed = seed});
  if (search.points.size() == 0) search.points = evaluation_points(region.domain, evaluated_points, seed);
  const TuningRequest request = tuning_request(settings, model.prior.options(), region, {.seed = seed});
  SmallestModel found{.settings = model.settings,
                      .search = smallest_network(request, search),
                      .nodes = model.prior.options().nodes.size()};
  const TriedWidth& chosen = found.search.chosen;
  found.settings.units = chosen.units;
  found.settings.sigma_w = chosen.hidden.sigma_w;
  found.settings.sigma_b = chosen.hidden.sigma_b;
  found.settings.ridge = chosen.ridge;
  return found;
}

}  // namespace ridgelet
