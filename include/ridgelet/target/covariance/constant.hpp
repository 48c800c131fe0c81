/// The constant covariance, of functions that are one random number:
///   k(x, x') = amplitude^2.   Rank 1.
/// A number c in a kernel expression is constant(amplitude=sqrt(c)), so `2 * se()` doubles the variance.
#pragma once

#include "ridgelet/target/covariance/kernel.hpp"

namespace ridgelet {

struct Constant {
  static constexpr std::string_view name = "constant";
  double amplitude = 1;

  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const {
    return Matrix::Constant(X1.rows(), X2.rows(), amplitude * amplitude);
  }
  Vector diagonal(const MatrixView& X) const { return Vector::Constant(X.rows(), amplitude * amplitude); }

  std::optional<Constant> with_inputs_in(const UnitChange&) const { return *this; }

  static constexpr void parameters(auto& self, auto&& visit) { visit("amplitude", self.amplitude); }
};

static_assert(GeneralKernel<Constant>);

}  // namespace ridgelet
