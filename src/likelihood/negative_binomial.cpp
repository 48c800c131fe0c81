#include "ridgelet/likelihood/negative_binomial.hpp"

#include <boost/math/distributions/negative_binomial.hpp>

#include "counts.hpp"
#include "parameters.hpp"

namespace ridgelet {

namespace {

/// log Gamma(k + y) - log Gamma(k) - y log k. For large k the first two are huge beside their difference, which then comes
/// from Stirling's series.
double log_rising(double k, double y) {
  constexpr double large = 100;
  if (k < large) return log_gamma(k + y) - log_gamma(k) - y * std::log(k);
  const auto series = [](double x) { return (1.0 / 12 - (1.0 / 360 - 1.0 / (1260 * x * x)) / (x * x)) / x; };
  return (k + y - 0.5) * std::log1p(y / k) - y + series(k + y) - series(k);
}

using Distribution = boost::math::negative_binomial_distribution<double, CountPolicy>;

}  // namespace

NegativeBinomial::NegativeBinomial(double shape) : shape_(above(0, shape, "shape")) {}

std::vector<LikelihoodParameter> NegativeBinomial::parameters() const {
  return {{.name = "shape", .value = shape_, .lower = 1e-2, .upper = 1e4}};
}

LikelihoodPointer NegativeBinomial::with_parameters(const VectorView& values) const {
  return std::make_shared<const NegativeBinomial>(values(0));
}

double NegativeBinomial::mean_of(double f) const {
  return exp_of(f);
}

double NegativeBinomial::part_of_mean(double f) const {
  return 1 / (1 + shape_ * exp_of(-f));
}

double NegativeBinomial::log_density_of(double y, double f) const {
  // With mu = k e^ratio, k log k + y f - (y + k) log(k + mu) = y f - y log k - (y + k) log(1 + e^ratio).
  const double ratio = f - std::log(shape_);
  const double log_one_plus = std::max(ratio, 0.0) + std::log1p(std::exp(-std::abs(ratio)));
  return log_rising(shape_, y) + y * f - (y + shape_) * log_one_plus - log_gamma(y + 1);
}

double NegativeBinomial::slope_of(double y, double f) const {
  return y - (y + shape_) * part_of_mean(f);
}

double NegativeBinomial::curvature_of(double y, double f) const {
  const double part = part_of_mean(f);
  return (y + shape_) * part * (1 - part);
}

double NegativeBinomial::curvature_slope_of(double y, double f) const {
  return curvature_of(y, f) * (1 - 2 * part_of_mean(f));
}

double NegativeBinomial::cdf(double y, double f) const {
  return y < 0 ? 0 : boost::math::cdf(Distribution(shape_, 1 - part_of_mean(f)), std::floor(y));
}

double NegativeBinomial::draw_of(double f, double u) const {
  return boost::math::quantile(Distribution(shape_, 1 - part_of_mean(f)), u);
}

}  // namespace ridgelet
