/// The covariance of a known shape with a random height, f(x) = a g(x) with a ~ N(0, 1):
///   k(x, x') = g(x) g(x').   Rank 1.
/// The paper's in-painting example adds such a kernel to a squared exponential to say what the image looks like.
#pragma once

#include "ridgelet/target/covariance/kernel.hpp"
#include "ridgelet/target/mean/mean_function.hpp"

namespace ridgelet {

struct Outer {
  MeanFunction g;

  Matrix matrix(const MatrixView& X1, const MatrixView& X2) const { return g(X1) * g(X2).transpose(); }
  Vector diagonal(const MatrixView& X) const { return g(X).array().square(); }
  std::string text() const { return "outer(" + g.text() + ")"; }
  void validate_dimension(Index d) const { g.validate_dimension(d, "kernel"); }
};

static_assert(GeneralKernel<Outer>);

}  // namespace ridgelet
