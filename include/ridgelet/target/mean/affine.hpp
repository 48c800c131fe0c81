/// Functions a + s . x: the means that another program can be told in d + 1 numbers.
#pragma once

#include <optional>

#include "ridgelet/target/mean/mean_function.hpp"

namespace ridgelet {

struct AffineFunction {
  double constant = 0;  ///< a
  Vector slope;         ///< s, one for each input

  Vector operator()(const MatrixView& X) const;
};

/// The same function of d inputs as a + s . x, or nothing if it is no such function: "0.06*x - 3" is one, "x^2" and
/// "abs(x)" are not. Read off values: a = m(0), s_k from a step of 2^20 either way, and held against m at points of
/// all sizes from 1e-3 to 1e6, to 1e-12 of the largest term.
std::optional<AffineFunction> affine_form(const MeanFunction& mean, Index d);

}  // namespace ridgelet
