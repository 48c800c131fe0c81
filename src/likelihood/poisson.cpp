#include "ridgelet/likelihood/poisson.hpp"

#include <array>
#include <utility>

#include "counts.hpp"
#include "ridgelet/likelihood/smallest_count.hpp"

namespace ridgelet {

namespace {

/// From this count on, series and continued fractions for Gamma(a, x) take many terms.
constexpr double least_for_uniform_expansion = 100;

/// eta / (lambda - 1) = 1 + d_1 eta + d_2 eta^2 + ... where eta^2 / 2 = lambda - 1 - log(lambda); the first is d_1.
constexpr std::array coefficients{
    -1.0 / 3,
    1.0 / 12,
    -2.0 / 135,
    1.0 / 864,
    1.0 / 2835,
    -139.0 / 777600,
    1.0 / 25515,
    -2.185448510679992e-06,
    -1.85406221071516e-06,
    8.296711340953087e-07,
    -1.7665952736826078e-07,
    6.707853543401498e-09,
    1.0261809784240309e-08,
    -4.382036018453353e-09,
    9.14769958223679e-10,
    -2.5514193994946248e-11,
    -5.830772132550426e-11,
    2.4361948020667415e-11,
    -5.0276692801141755e-12,
    1.1004392031956135e-13,
    3.371763262400985e-13,
    -1.392388722418162e-13,
    2.8534893807047445e-14,
    -5.139111834242572e-16,
    -1.9752288294349442e-15,
};

/// S(eta) of upper_gamma(), for |eta| <= 1. From the derivative of Q, S' - a eta S = a (1 - f / g) with
/// f = eta / (lambda - 1) and g = Gamma(a) (e/a)^a sqrt(a / (2 pi)). So S = (b_0 + b_1 eta + ...) / g, in which
/// b_{n-1} = d_n + (n + 1) b_{n+1} / a and g = 1 + b_1 / a.
double tail_series(double a, double eta) {
  double sum = 0, b = 0, next = 0;  // b_n and b_{n+1}
  for (std::size_t n = coefficients.size(); n > 0; --n) {
    next = std::exchange(b, coefficients[n - 1] + static_cast<double>(n + 1) * next / a);
    sum = sum * eta + b;
  }
  return sum / (1 + next / a);
}

/// Q(a, x) = Gamma(a, x) / Gamma(a). With lambda = x / a and eta^2 / 2 = lambda - 1 - log(lambda),
///   Q = erfc(eta sqrt(a/2)) / 2 + e^(-a eta^2 / 2) / sqrt(2 pi a) S(eta)
/// which is used for large a where |eta| <= 1; elsewhere series and continued fractions have few terms.
/// Reference: N. M. Temme, The asymptotic expansion of the incomplete gamma functions, SIAM J. Math. Anal. 10 (1979).
double upper_gamma(double a, double x) {
  if (std::isinf(x)) return 0;
  const auto by_its_terms = [=] { return boost::math::gamma_q(a, x, CountPolicy()); };
  if (a < least_for_uniform_expansion) return by_its_terms();
  const double lambda_less_one = (x - a) / a;
  const double half_square = -log1p_rest(lambda_less_one);
  if (half_square > 0.5) return by_its_terms();
  const double eta = std::copysign(std::sqrt(2 * half_square), lambda_less_one);
  const double density = std::exp(-a * half_square) / std::sqrt(2 * std::numbers::pi * a);
  return 0.5 * std::erfc(eta * std::sqrt(a / 2)) + density * tail_series(a, eta);
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
  return upper_gamma(std::floor(y) + 1, mean_of(f));
}

double Poisson::draw_of(double f, double u) const {
  return smallest_count([&](double y) { return cdf(y, f); }, u, mean_of(f));
}

}  // namespace ridgelet
