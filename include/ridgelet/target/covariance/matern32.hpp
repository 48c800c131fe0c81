/// The Matern covariance with smoothness 3/2; paths are once differentiable:
///   k(x, x') = amplitude^2 (1 + s) exp(-s),   s = sqrt(3) r,   r = |(x - x') / lengthscale|.
/// Reference: Rasmussen and Williams (2006), eq. 4.17.
#pragma once

#include <cmath>

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct Matern32 {
  static constexpr std::string_view name = "matern32";
  double amplitude = 1;
  Lengthscale lengthscale = 1.0;
  ActiveInputs active = {};

  double correlation(double r2) const {
    const double s = std::sqrt(3 * r2);
    return (1 + s) * std::exp(-s);
  }
  double correlation_slope(double r2) const { return -1.5 * std::exp(-std::sqrt(3 * r2)); }

  static constexpr void parameters(auto& self, auto&& visit) {
    visit("amplitude", self.amplitude);
    visit("lengthscale", self.lengthscale);
    visit("active", self.active);
  }
};

static_assert(StationaryKernel<Matern32>);

}  // namespace ridgelet
