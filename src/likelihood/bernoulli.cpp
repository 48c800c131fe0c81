#include "ridgelet/likelihood/bernoulli.hpp"

#include <cmath>

namespace ridgelet {

double logistic(double f) {
  // e^-|f| never overflows.
  const double tail = std::exp(-std::abs(f));
  return f >= 0 ? 1 / (1 + tail) : tail / (1 + tail);
}

LikelihoodPointer Bernoulli::with_parameters(const VectorView&) const {
  return std::make_shared<const Bernoulli>();
}

double Bernoulli::log_density_of(double y, double f) const {
  // log p of either class is -log(1 + e^-g), with g = f for y = 1 and -f for y = 0.
  const double g = y > 0.5 ? f : -f;
  return std::min(g, 0.0) - std::log1p(std::exp(-std::abs(g)));
}

double Bernoulli::cdf(double y, double f) const {
  return y < 0 ? 0 : y < 1 ? logistic(-f) : 1;
}

}  // namespace ridgelet
