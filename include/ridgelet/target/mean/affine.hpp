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
/// "abs(x)" are not. It is read off values of m: a = m(0), and s_k from a step of 2^20 either way along axis k. Then it
/// must agree with m at points of all sizes from 1e-3 to 1e6, to 1e-12 of the sum of the sizes of its terms.
std::optional<AffineFunction> affine_form(const MeanFunction& mean, Index d);

}  // namespace ridgelet
