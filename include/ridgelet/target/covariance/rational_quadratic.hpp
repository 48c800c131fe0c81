/// The rational quadratic covariance, a mixture of squared exponentials over lengthscales:
///   k(x, x') = amplitude^2 (1 + r^2 / (2 alpha))^-alpha,   r = |(x - x') / lengthscale|.
/// As alpha grows it tends to the squared exponential.
/// Reference: Rasmussen and Williams (2006), eq. 4.19.
#pragma once

#include <cmath>

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct RationalQuadratic {
  static constexpr std::string_view name = "rq";
  double amplitude = 1;
  Lengthscale lengthscale = 1.0;
  double alpha = 1;
  ActiveInputs active = {};

  double correlation(double r2) const { return std::exp(-alpha * std::log1p(r2 / (2 * alpha))); }
  double correlation_slope(double r2) const { return -correlation(r2) / (2 * (1 + r2 / (2 * alpha))); }

  /// d rho / d log alpha = alpha rho (t / (1 + t) - log(1 + t)) with t = r^2 / (2 alpha).
  double shape_slope(double r2) const {
    const double t = r2 / (2 * alpha);
    return alpha * correlation(r2) * (t / (1 + t) - std::log1p(t));
  }

  static constexpr void parameters(auto& self, auto&& visit) {
    visit("amplitude", self.amplitude);
    visit("lengthscale", self.lengthscale);
    visit("alpha", self.alpha);
    visit("active", self.active);
  }
};

static_assert(StationaryKernel<RationalQuadratic>);

}  // namespace ridgelet
