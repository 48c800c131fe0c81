#include "ridgelet/likelihood/negative_binomial.hpp"

#include <boost/math/special_functions/beta.hpp>

#include "counts.hpp"
#include "parameters.hpp"
#include "ridgelet/likelihood/smallest_count.hpp"

namespace ridgelet {

namespace {

/// log(1 + e^x), for any x.
double log_one_plus_exp(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

/// log Gamma(k + y) - log Gamma(k) - y log k. For large k the first two are huge beside their difference.
double log_rising(double k, double y) {
  if (k < large_count) return log_gamma(k + y) - log_gamma(k) - y * std::log(k);
  return (k + y - 0.5) * std::log1p(y / k) - y + stirling_rest(k + y) - stirling_rest(k);
}

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

double NegativeBinomial::part_of_shape(double f) const {
  return 1 / (1 + exp_of(f) / shape_);
}

double NegativeBinomial::log_density_of(double y, double f) const {
  // With mu = k e^ratio, k log k + y f - (y + k) log(k + mu) = y f - y log k - (y + k) log(1 + e^ratio).
  const double ratio = f - std::log(shape_);
  if (y < large_count)
    return log_rising(shape_, y) + y * f - (y + shape_) * log_one_plus_exp(ratio) - log_gamma(y + 1);
  return log_density_of_large(y, f);
}

double NegativeBinomial::log_density_of_large(double y, double f) const {
  // By Stirling's formula for all three gamma functions, with n = y + k, q = mu / (k + mu) and p = 1 - q,
  //   log p(y | f) = y log(n q / y) + k log(n p / k) - log(2 pi n y / k) / 2 + what the formula leaves.
  // n q = y + e and n p = k - e with e = p (mu - y): near the mean e and -e cancel, so log(1 + x) - x leaves them out.
  const double k = shape_, n = y + k, ratio = f - std::log(k), d = f - std::log(y);
  const double rest = stirling_rest(n) - stirling_rest(y) - stirling_rest(k) -
                      0.5 * std::log(2 * std::numbers::pi * (n / k) * y);
  if (std::abs(d) > 1)
    return rest + y * (std::log1p(k / y) - log_one_plus_exp(-ratio)) +
           k * (std::log1p(y / k) - log_one_plus_exp(ratio));
  const double e = part_of_shape(f) * y * std::expm1(d);
  return rest + y * log1p_rest(e / y) + k * log1p_rest(-e / k);
}

double NegativeBinomial::slope_of(double y, double f) const {
  return y * part_of_shape(f) - shape_ * part_of_mean(f);
}

double NegativeBinomial::curvature_of(double y, double f) const {
  return (y + shape_) * part_of_mean(f) * part_of_shape(f);
}

double NegativeBinomial::curvature_slope_of(double y, double f) const {
  return curvature_of(y, f) * (part_of_shape(f) - part_of_mean(f));
}

double NegativeBinomial::cdf(double y, double f) const {
  if (y < 0) return 0;
  // I_p(k, y + 1) = 1 - I_q(y + 1, k), evaluated with the smaller of p and q = 1 - p, which keeps its digits.
  const double p = part_of_shape(f), q = part_of_mean(f), a = std::floor(y) + 1;
  return p < q ? boost::math::ibeta(shape_, a, p, CountPolicy())
               : boost::math::ibetac(a, shape_, q, CountPolicy());
}

double NegativeBinomial::draw_of(double f, double u) const {
  return smallest_count([&](double y) { return cdf(y, f); }, u, mean_of(f));
}

}  // namespace ridgelet
