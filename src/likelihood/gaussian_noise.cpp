#include "ridgelet/likelihood/gaussian_noise.hpp"

#include <boost/math/distributions/normal.hpp>
#include <numbers>

#include "parameters.hpp"

namespace ridgelet {

GaussianNoise::GaussianNoise(double scale) : scale_(above(0, scale, "scale")) {}

std::vector<LikelihoodParameter> GaussianNoise::parameters() const {
  return {scale_parameter(scale_)};
}

LikelihoodPointer GaussianNoise::with_parameters(const VectorView& values) const {
  return std::make_shared<const GaussianNoise>(values(0));
}

double GaussianNoise::log_density_of(double y, double f) const {
  const double z = (y - f) / scale_;
  return -0.5 * z * z - std::log(scale_ * std::sqrt(2 * std::numbers::pi));
}

double GaussianNoise::cdf(double y, double f) const {
  return 0.5 * std::erfc((f - y) / (scale_ * std::numbers::sqrt2));
}

double GaussianNoise::draw_of(double f, double u) const {
  return f + scale_ * boost::math::quantile(boost::math::normal(), u);
}

}  // namespace ridgelet
