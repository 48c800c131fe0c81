/// The squared exponential (Gaussian, RBF) covariance, whose sample paths are infinitely smooth:
///   k(x, x') = amplitude^2 exp(-r^2 / 2),   r = |(x - x') / lengthscale|.
/// Special value: k(x, x') = 0.6065 amplitude^2 at a distance of one lengthscale.
/// Reference: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), eq. 4.9.
#pragma once

#include <cmath>

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct SquaredExponential {
  static constexpr std::string_view name = "se";
  double amplitude = 1;
  Lengthscale lengthscale = 1.0;
  ActiveInputs active = {};

  double correlation(double r2) const { return std::exp(-r2 / 2); }
  double correlation_slope(double r2) const { return -std::exp(-r2 / 2) / 2; }

  static constexpr void parameters(auto& self, auto&& visit) {
    visit("amplitude", self.amplitude);
    visit("lengthscale", self.lengthscale);
    visit("active", self.active);
  }
};

static_assert(StationaryKernel<SquaredExponential>);

}  // namespace ridgelet
