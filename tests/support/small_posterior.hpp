/// A small network of two inputs, data of two outputs for it, and the posterior of draws given both.
#pragma once

#include <string>
#include <utility>

#include "network_chain.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::testing {

/// Its outputs have 9 coordinates z.
inline RidgeletPrior small_network(Index units = 6, Index layers = 1) {
  return RidgeletPrior(
      {.target = {.kernel = parse_kernel("se(lengthscale=1)"), .mean = MeanFunction("0.3*x1")},
       .nodes = grid(3, 3, 2, 3),
       .units = units,
       .layers = layers,
       .hidden = {.sigma_w = 1, .sigma_b = 2},
       .op = {.name = "least-squares", .ridge = 1e-2}});
}

inline Data two_outputs(Index rows) {
  return {.X = RandomStream{.seed = 5}.normals(rows, 2),
          .Y = RandomStream{.seed = 6}.normals(rows, 2),
          .noise = Vector::LinSpaced(2, 0.3, 0.6)};
}

inline Posterior posterior_of(const LayerPrior& prior, const Data& data, const std::string& offset,
                              PosteriorDraws draws) {
  return {borrowed(prior), borrowed(data), MeanFunction(offset), std::move(draws)};
}

}  // namespace ridgelet::testing
