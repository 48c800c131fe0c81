/// Sample paths of networks and how far they are from the process: what several figures of the paper show.
#pragma once

#include <cstdint>

#include "experiments/prior_setting.hpp"

namespace ridgelet::experiments {

/// Networks of one prior, a fresh draw of everything for each.
struct PriorPaths {
  PriorSetting setting;
  Matrix paths;        ///< M x draws, those of `ridgelet sample` with the same model and seed
  double sd = 0;       ///< root of the variance of f(x), averaged over x and the hidden layers drawn
  double rmse = 0;     ///< root of the mean square distance from the process's own f(x), likewise
  double seconds = 0;  ///< for all of it
};

PriorPaths draw_paths(const PriorSetting& setting, const Matrix& X, Index draws, std::uint64_t seed);

}  // namespace ridgelet::experiments
