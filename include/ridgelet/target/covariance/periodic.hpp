/// The periodic covariance, whose paths repeat exactly with the period:
///   k(x, x') = amplitude^2 exp(-2 sin^2(pi r / period) / lengthscale^2),   r = |x - x'|.
/// The paper prints sin(pi r / p^2), but its own example, in which twelve months are p = 1.8 on (-5, 5), needs the
/// form written here. It is a covariance of one input: for several, multiply one for each (active=[1],
/// active=[2], ...).
/// Reference: MacKay, Introduction to Gaussian processes (1998).
#pragma once

#include <cmath>
#include <numbers>

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct Periodic {
  static constexpr std::string_view name = "periodic";
  double amplitude = 1;
  double lengthscale = 1;
  double period = 1;
  ActiveInputs active = {};

  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const {
    return scaled_squared_distances(X1, X2, 1.0, active).unaryExpr([this](double r2) {
      const double s = std::sin(std::numbers::pi * std::sqrt(r2) / period) / lengthscale;
      return amplitude * amplitude * std::exp(-2 * s * s);
    });
  }
  Vector diagonal(const MatrixView& X) const { return Vector::Constant(X.rows(), amplitude * amplitude); }

  /// With u = pi r / period:  4 k sin^2(u) / lengthscale^2  for the lengthscale,
  ///                          2 k u sin(2 u) / lengthscale^2  for the period.
  Matrix log_derivative(std::string_view parameter, const MatrixView& X1, const MatrixView& X2) const {
    const bool of_period = parameter == "period";
    return scaled_squared_distances(X1, X2, 1.0, active).unaryExpr([this, of_period](double r2) {
      const double u = std::numbers::pi * std::sqrt(r2) / period, s = std::sin(u);
      const double slope = of_period ? 2 * u * std::sin(2 * u) : 4 * s * s;
      const double precision = 1 / (lengthscale * lengthscale);
      return amplitude * amplitude * std::exp(-2 * s * s * precision) * slope * precision;
    });
  }

  std::optional<Periodic> with_inputs_in(const UnitChange& units) const {
    Periodic other = *this;
    const std::optional<double> scale = units.common_scale(active);
    other.period *= scale.value_or(1);
    return scale ? std::optional(other) : std::nullopt;
  }

  static constexpr void parameters(auto& self, auto&& visit) {
    visit("amplitude", self.amplitude);
    visit("lengthscale", self.lengthscale);
    visit("period", self.period);
    visit("active", self.active);
  }
};

static_assert(GeneralKernel<Periodic>);

}  // namespace ridgelet
