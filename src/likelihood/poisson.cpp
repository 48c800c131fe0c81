#include "ridgelet/likelihood/poisson.hpp"

#include "counts.hpp"
#include "ridgelet/likelihood/smallest_count.hpp"

namespace ridgelet {

namespace {

/// From this count on, series and continued fractions for Gamma(a, x) would take thousands of terms.
constexpr double least_for_uniform_expansion = 1e6;

/// c_0(eta) = 1 / (lambda - 1) - 1 / eta, by its series where the two cancel.
double first_coefficient(double eta, double lambda_less_one) {
  constexpr double small = 1e-2;
  if (std::abs(eta) > small) return 1 / lambda_less_one - 1 / eta;
  return -1.0 / 3 + eta * (1.0 / 12 + eta * (-2.0 / 135 + eta * (1.0 / 864 + eta / 2835)));
}

/// Q(a, x) = Gamma(a, x) / Gamma(a) for large a. With lambda = x / a and eta^2 / 2 = lambda - 1 - log lambda,
///   Q = erfc(eta sqrt(a/2)) / 2 + e^(-a eta^2 / 2) / sqrt(2 pi a) (c_0(eta) + c_1(eta) / a + ...)
/// in which c_1(0) = -1/540 stands for c_1: from a = 1e6 on the error is below 1e-15.
/// Reference: N. M. Temme, The asymptotic expansion of the incomplete gamma functions, SIAM J. Math. Anal. 10 (1979).
double upper_gamma_of_large(double a, double x) {
  if (std::isinf(x)) return 0;
  const double lambda_less_one = (x - a) / a;
  const double half_square = -log1p_rest(lambda_less_one);
  const double eta = std::copysign(std::sqrt(2 * half_square), lambda_less_one);
  const double density = std::exp(-a * half_square) / std::sqrt(2 * std::numbers::pi * a);
  return 0.5 * std::erfc(eta * std::sqrt(a / 2)) +
         density * (first_coefficient(eta, lambda_less_one) - 1 / (540 * a));
}

}  // namespace

LikelihoodPointer Poisson::with_parameters(const VectorView&) const {
  return std::make_shared<const Poisson>();
}

double Poisson::mean_of(double f) const {
  return exp_of(f);
}

double Poisson::log_density_of(double y, double f) const {
  if (y < large_count) return y * f - mean_of(f) - log_gamma(y + 1);
  // With mu = y e^d: y f - mu - log y! = y (1 + d - e^d) - log(2 pi y) / 2 - the rest of Stirling's formula.
  const double d = f - std::log(y);
  return y * (d - std::expm1(d)) - 0.5 * std::log(2 * std::numbers::pi * y) - stirling_rest(y);
}

double Poisson::cdf(double y, double f) const {
  if (y < 0) return 0;
  const double a = std::floor(y) + 1, mean = mean_of(f);
  return a < least_for_uniform_expansion ? boost::math::gamma_q(a, mean, CountPolicy())
                                         : upper_gamma_of_large(a, mean);
}

double Poisson::draw_of(double f, double u) const {
  return smallest_count([&](double y) { return cdf(y, f); }, u, mean_of(f));
}

}  // namespace ridgelet
