/// Every likelihood, and responses that it can have.
#pragma once

#include <vector>

#include "ridgelet/core/random.hpp"
#include "ridgelet/likelihood/likelihood.hpp"

namespace ridgelet::testing {

inline std::vector<LikelihoodPointer> likelihoods() {
  return {parse_likelihood("gaussian(scale=0.6)"),
          parse_likelihood("bernoulli"),
          parse_likelihood("categorical", 3),
          parse_likelihood("poisson"),
          parse_likelihood("negative-binomial(shape=3)"),
          parse_likelihood("student(scale=0.5, degrees=4)")};
}

/// Responses to functions that are N(0, 1) at each of n rows, n x K.
inline Matrix drawn_responses(const Likelihood& likelihood, Index n) {
  const Index K = likelihood.functions();
  const Matrix F = RandomStream{.seed = 6}.normals(n, K);
  const RandomStream uniforms{.seed = 7};
  Matrix Y(n, K);
  for (Index i = 0; i < n; ++i) {
    const Vector f = F.row(i);
    Vector y(K);
    likelihood.draw(f.data(), uniforms.uniform(static_cast<std::uint64_t>(i)), y.data());
    Y.row(i) = y;
  }
  return Y;
}

}  // namespace ridgelet::testing
