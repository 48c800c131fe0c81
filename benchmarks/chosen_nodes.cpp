#include <algorithm>
#include <cmath>

#include "families.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "settings.hpp"

namespace ridgelet::benchmarks {

namespace {

/// rmse(x), the exact error of a network against its process, over the domain: its root mean square and its maximum,
/// over a few hidden layers together.
struct Error {
  double rms = 0;
  double largest = 0;
};

Error exact_error(const RidgeletPrior& prior, const Matrix& points, std::uint32_t layers) {
  Error error;
  for (std::uint32_t i = 0; i < layers; ++i) {
    const Vector rmse = GivenHidden(prior, 1, i).rmse(points);
    error.rms += rmse.squaredNorm() / static_cast<double>(rmse.size());
    error.largest = std::max(error.largest, rmse.maxCoeff());
  }
  error.rms = std::sqrt(error.rms / static_cast<double>(layers));
  return error;
}

/// Time of the likelihood on the grid over that on the chosen nodes, whose error must be no larger by either measure.
Measurement compare_nodes(const NodeChoice& nodes, Index points, std::uint32_t layer_count, int turns) {
  const Matrix X = evaluation_points(Box::cube(5, nodes.on_grid.prior.dimension()), points, 0);
  const Error on_grid = exact_error(nodes.on_grid.prior, X, 2),
              on_chosen = exact_error(nodes.on_chosen.prior, X, 2);
  require_agreement(on_chosen.rms - on_grid.rms, 0, "root mean square errors");
  require_agreement(on_chosen.largest - on_grid.largest, 0, "largest errors");
  const std::vector<HiddenLayers> layers = hidden_layers(nodes.on_grid, layer_count);
  CollapsedLikelihood chosen(nodes.on_chosen.prior, nodes.on_chosen.data),
      grid(nodes.on_grid.prior, nodes.on_grid.data);
  const auto side = [&](const char* name, CollapsedLikelihood& likelihood) {
    return Side{.name = name, .threads = Threads::ours, .evaluate = [&](Index i) {
                  likelihood(layers[static_cast<std::size_t>(i) % layers.size()]);
                }};
  };
  Measurement measurement =
      compare_sides({side("chosen", chosen), side("grid", grid)}, turns, on_chosen.rms - on_grid.rms);
  const auto detail = [&](const char* name, double value) { measurement.detail.emplace_back(name, value); };
  detail("chosen_nodes", static_cast<double>(nodes.on_chosen.prior.options().nodes.size()));
  detail("grid_nodes", static_cast<double>(nodes.on_grid.prior.options().nodes.size()));
  detail("chosen_rms_error", on_chosen.rms);
  detail("grid_rms_error", on_grid.rms);
  detail("chosen_largest_error", on_chosen.largest);
  detail("grid_largest_error", on_grid.largest);
  return measurement;
}

}  // namespace

Measurement chosen_nodes_co2() {
  return compare_nodes(co2_nodes(500), 401, 64, 15);
}

Measurement chosen_nodes_inpainting() {
  return compare_nodes(inpainting_nodes(), 50 * 50, 8, 5);
}

}  // namespace ridgelet::benchmarks
