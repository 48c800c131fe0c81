/// The Matern covariance with smoothness 5/2; paths are twice differentiable:
///   k(x, x') = amplitude^2 (1 + s + s^2 / 3) exp(-s),   s = sqrt(5) r,   r = |(x - x') / lengthscale|.
/// Reference: Rasmussen and Williams (2006), eq. 4.17.
#pragma once

#include <cmath>

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct Matern52 {
  static constexpr std::string_view name = "matern52";
  double amplitude = 1;
  Lengthscale lengthscale = 1.0;
  ActiveInputs active = {};

  double correlation(double r2) const {
    const double s = std::sqrt(5 * r2);
    return (1 + s + s * s / 3) * std::exp(-s);
  }
  double correlation_slope(double r2) const {
    const double s = std::sqrt(5 * r2);
    return -5.0 / 6 * (1 + s) * std::exp(-s);
  }

  static constexpr void parameters(auto& self, auto&& visit) {
    visit("amplitude", self.amplitude);
    visit("lengthscale", self.lengthscale);
    visit("active", self.active);
  }
};

static_assert(StationaryKernel<Matern52>);

}  // namespace ridgelet
