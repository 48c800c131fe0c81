/// Sample paths of networks and of the process they imitate: what several figures of the paper show.
#pragma once

#include <cstdint>
#include <string>

#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet::experiments {

/// The paper's setting of Sections 6.1 and 6.3: tanh, sigma_w = 3, sigma_b = 12, the left-endpoint grid of D
/// nodes on [-6, 6] mollified to [-5, 5], and a squared exponential of amplitude 1.
struct PriorSetting {
  std::string op = "ridgelet";
  Index units = 1000;
  Index layers = 1;
  Index nodes = 200;
  double lengthscale = 1.5;
};

RidgeletPrior make_prior(const PriorSetting& setting);

/// Networks of one prior, a fresh draw of everything for each.
struct PriorPaths {
  PriorSetting setting;
  Matrix paths;        ///< M x draws
  double sd = 0;       ///< root of the variance of f(x), averaged over x and the hidden layers drawn
  double rmse = 0;     ///< root of the mean square distance from the process's own f(x), likewise
  double seconds = 0;  ///< for all of it
};

/// The paths are those of `ridgelet sample` with the same model and seed.
PriorPaths draw_paths(const PriorSetting& setting, const Matrix& X, Index draws, std::uint64_t seed);

/// Paths of the process, M x draws: those of `ridgelet sample`, too.
Matrix process_paths(const GaussianProcess& process, const Matrix& X, Index draws, std::uint64_t seed);

}  // namespace ridgelet::experiments
