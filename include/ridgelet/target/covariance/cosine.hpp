/// The cosine covariance, whose paths are sine waves of one period with random phase and amplitude:
///   k(x, x') = amplitude^2 cos(2 pi r / period),   r = |x - x'|.   Rank 2.
/// It is a covariance of one input: for several, multiply one for each (active=[1], active=[2], ...).
/// Reference: Duvenaud, Automatic model construction with Gaussian processes (2014), Section 2.
#pragma once

#include <cmath>
#include <numbers>

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct Cosine {
  static constexpr std::string_view name = "cosine";
  double amplitude = 1;
  double period = 1;
  ActiveInputs active = {};

  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const {
    return scaled_squared_distances(X1, X2, period, active).unaryExpr([this](double r2) {
      return amplitude * amplitude * std::cos(2 * std::numbers::pi * std::sqrt(r2));
    });
  }
  Vector diagonal(const MatrixView& X) const { return Vector::Constant(X.rows(), amplitude * amplitude); }

  /// For the period: amplitude^2 v sin(v) with v = 2 pi r / period.
  Matrix log_derivative(std::string_view, const MatrixView& X1, const MatrixView& X2) const {
    return scaled_squared_distances(X1, X2, period, active).unaryExpr([this](double r2) {
      const double v = 2 * std::numbers::pi * std::sqrt(r2);
      return amplitude * amplitude * v * std::sin(v);
    });
  }

  std::optional<Cosine> with_inputs_in(const UnitChange& units) const {
    Cosine other = *this;
    const std::optional<double> scale = units.common_scale(active);
    other.period *= scale.value_or(1);
    return scale ? std::optional(other) : std::nullopt;
  }

  static constexpr void parameters(auto& self, auto&& visit) {
    visit("amplitude", self.amplitude);
    visit("period", self.period);
    visit("active", self.active);
  }
};

static_assert(GeneralKernel<Cosine>);

}  // namespace ridgelet
