#include <stdexcept>

#include "families.hpp"
#include "growth.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/network/network.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::benchmarks {

namespace {

RidgeletPrior prior_of(Index units, Index layers) {
  return RidgeletPrior({.target = {.kernel = parse_kernel("se(amplitude=1, lengthscale=1.5)")},
                        .nodes = grid(6, 50, 1, 5),
                        .units = units,
                        .layers = layers});
}

/// All that `assess` and `sample` do with one network of the prior: hidden layers, the outputs' mean and covariance,
/// and the outputs of a draw, at 50 inputs.
void use_prior(const RidgeletPrior& prior) {
  const Matrix X = Vector::LinSpaced(50, -5, 5);
  const Gaussian outputs = GivenHidden(prior, 1, 0).output(X);
  const Matrix draw = draw_network(prior, 1, 0)(X);
  if (!outputs.mean.allFinite() || !draw.allFinite()) throw std::runtime_error("outputs are not finite");
}

}  // namespace

Measurement units_slope() {
  return time_slope([](Index units) { use_prior(prior_of(units, 1)); }, few, many);
}

Measurement units_peak_mb() {
  return peak_memory([](Index units) { use_prior(prior_of(units, 2)); }, many);
}

}  // namespace ridgelet::benchmarks
