/// The Matern covariance with smoothness 1/2 (Ornstein-Uhlenbeck); paths are continuous and rough:
///   k(x, x') = amplitude^2 exp(-r),   r = |(x - x') / lengthscale|.
/// Reference: Rasmussen and Williams (2006), Section 4.2.1.
#pragma once

#include <cmath>

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct Matern12 {
  static constexpr std::string_view name = "matern12";
  double amplitude = 1;
  Lengthscale lengthscale = 1.0;
  ActiveInputs active = {};

  double correlation(double r2) const { return std::exp(-std::sqrt(r2)); }
  double correlation_slope(double r2) const { return -std::exp(-std::sqrt(r2)) / (2 * std::sqrt(r2)); }

  static constexpr void parameters(auto& self, auto&& visit) {
    visit("amplitude", self.amplitude);
    visit("lengthscale", self.lengthscale);
    visit("active", self.active);
  }
};

static_assert(StationaryKernel<Matern12>);

}  // namespace ridgelet
