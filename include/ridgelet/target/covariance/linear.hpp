/// The linear covariance, of Bayesian linear regression through the origin:
///   k(x, x') = amplitude^2 x . x'.   Rank d.
/// Reference: Rasmussen and Williams (2006), Section 2.1.2.
#pragma once

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct Linear {
  static constexpr std::string_view name = "linear";
  double amplitude = 1;
  ActiveInputs active = {};

  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const {
    const std::vector<Index> columns = active.columns(X1.cols());
    const Matrix scaled = amplitude * amplitude * X1(Eigen::all, columns);
    return scaled * X2(Eigen::all, columns).transpose();
  }
  Vector diagonal(const MatrixView& X) const {
    return amplitude * amplitude * X(Eigen::all, active.columns(X.cols())).rowwise().squaredNorm();
  }

  /// Only where the origin stays the same.
  std::optional<Linear> with_inputs_in(const UnitChange& units) const {
    Linear other = *this;
    const std::optional<double> scale = units.common_scale(active);
    other.amplitude /= scale.value_or(1);
    const bool same_origin = (units.centre(active.columns(units.centre.size())).array() == 0).all();
    return scale && same_origin ? std::optional(other) : std::nullopt;
  }

  static constexpr void parameters(auto& self, auto&& visit) {
    visit("amplitude", self.amplitude);
    visit("active", self.active);
  }
};

static_assert(GeneralKernel<Linear>);

}  // namespace ridgelet
