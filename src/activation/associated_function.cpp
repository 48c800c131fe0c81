#include "ridgelet/activation/associated_function.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ridgelet/activation/activation_function.hpp"

namespace ridgelet {

namespace {

constexpr double negligible = 1e-17;
/// Here exp(-z^2/2) is 1e-322, and a little further it is zero in double precision.
constexpr double farthest = 38.5;
constexpr double step = 0.125;

}  // namespace

double sine_base_constant(double frequency, int d, int n) {
  const double half = (n - d + 1) / 2.0;
  return derivative_sign(n) * std::exp(frequency * frequency / 2) /
         (std::pow(2 * std::numbers::pi, d / 2.0) * std::sqrt(std::numbers::pi / 2) * std::pow(2, half) *
          std::tgamma(half));
}

std::complex<double> hermite(int n, std::complex<double> z) {
  std::complex<double> previous = 0, current = 1;
  for (int k = 0; k < n; ++k) {
    const std::complex<double> next = z * current - static_cast<double>(k) * previous;
    previous = current;
    current = next;
  }
  return current;
}

AssociatedFunction::AssociatedFunction(double constant, double frequency, int order)
    : constant_(constant), frequency_(frequency), order_(order), cutoff_(farthest) {
  double peak = 0;
  for (double z = 0; z < farthest; z += step) peak = std::max(peak, envelope(z));
  while (cutoff_ > step && envelope(cutoff_ - step) < negligible * peak) cutoff_ -= step;
}

double AssociatedFunction::envelope(double z) const {
  return std::abs(constant_ * hermite(order_, {z, -frequency_})) * std::exp(-z * z / 2);
}

double AssociatedFunction::operator()(double z) const {
  if (std::isnan(z)) return z;
  if (std::abs(z) > cutoff_) return 0;
  const std::complex<double> polynomial = hermite(order_, {z, -frequency_});
  const double oscillation = frequency_ == 0 ? polynomial.real()
                                             : polynomial.real() * std::sin(frequency_ * z) +
                                                   polynomial.imag() * std::cos(frequency_ * z);
  return constant_ * oscillation * std::exp(-z * z / 2);
}

double AssociatedFunction::smoothed(double z, double variance) const {
  const double a = frequency_, square = 1 + variance, scale = std::sqrt(square);
  const std::complex<double> polynomial = hermite(order_, {z / scale, -a / scale});
  const double angle = a * z / square;
  const double oscillation =
      a == 0 ? polynomial.real() : polynomial.real() * std::sin(angle) + polynomial.imag() * std::cos(angle);
  const double exponent = -z * z / (2 * square) - (1 - 1 / square) * a * a / 2;
  return constant_ * std::pow(scale, -order_ - 1) * oscillation * std::exp(exponent);
}

std::complex<double> AssociatedFunction::fourier_transform(double xi) const {
  constexpr std::complex<double> powers[] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};  // of -i
  const std::complex<double> derivative = constant_ * powers[order_ % 4] * std::pow(xi, order_);
  const double a = frequency_;
  if (a == 0) return derivative * std::exp(-xi * xi / 2);
  return derivative * std::complex<double>(0, -std::exp(-(xi * xi + a * a) / 2) * std::sinh(a * xi));
}

}  // namespace ridgelet
