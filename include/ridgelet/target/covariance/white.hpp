/// White noise, independent at every point:
///   k(x, x') = amplitude^2 if x = x' in every active input, else 0.
/// No network can reproduce it between the nodes; it is there for targets with a rough part.
#pragma once

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct White {
  static constexpr std::string_view name = "white";
  double amplitude = 1;
  ActiveInputs active = {};

  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const {
    return scaled_squared_distances(X1, X2, 1.0, active).unaryExpr([this](double r2) {
      return r2 == 0 ? amplitude * amplitude : 0.0;
    });
  }
  Vector diagonal(const MatrixView& X) const { return Vector::Constant(X.rows(), amplitude * amplitude); }

  std::optional<White> with_inputs_in(const UnitChange&) const { return *this; }

  static constexpr void parameters(auto& self, auto&& visit) {
    visit("amplitude", self.amplitude);
    visit("active", self.active);
  }
};

static_assert(GeneralKernel<White>);

}  // namespace ridgelet
