#include "ridgelet/likelihood/poisson.hpp"

#include <boost/math/distributions/poisson.hpp>

#include "counts.hpp"

namespace ridgelet {

LikelihoodPointer Poisson::with_parameters(const VectorView&) const {
  return std::make_shared<const Poisson>();
}

double Poisson::mean_of(double f) const {
  return exp_of(f);
}

double Poisson::log_density_of(double y, double f) const {
  return y * f - mean_of(f) - log_gamma(y + 1);
}

double Poisson::cdf(double y, double f) const {
  return y < 0 ? 0 : boost::math::gamma_q(std::floor(y) + 1, mean_of(f), CountPolicy());
}

double Poisson::draw_of(double f, double u) const {
  return boost::math::quantile(boost::math::poisson_distribution<double, CountPolicy>(mean_of(f)), u);
}

}  // namespace ridgelet
