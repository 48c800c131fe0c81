#include "experiments/prior_paths.hpp"

#include <cmath>

#include "experiments/draws.hpp"
#include "ridgelet/core/stopwatch.hpp"

namespace ridgelet::experiments {

PriorPaths draw_paths(const PriorSetting& setting, const Matrix& X, Index draws, std::uint64_t seed) {
  const Stopwatch watch;
  Vector variance(draws);
  const MeasuredDraws measured =
      measured_draws(make_prior(setting), X, {.count = draws, .seed = seed}, draws, Purpose::output_weights,
                     [&](Index i, const Gaussian& network) { variance(i) = network.variance().mean(); });
  return {.setting = setting,
          .paths = measured.paths,
          .sd = std::sqrt(variance.mean()),
          .rmse = std::sqrt(measured.error.rmse.array().square().mean()),
          .seconds = watch.seconds()};
}

}  // namespace ridgelet::experiments
