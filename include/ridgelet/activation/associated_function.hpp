/// The associated function psi = C d^n/dz^n [ base ] of any pair, evaluated stably for any even order n.
///
/// With the Hermite polynomials He_{k+1}(z) = z He_k(z) - k He_{k-1}(z), and n even,
///   d^n/dz^n exp(-z^2/2)          =     He_n(z)                exp(-z^2/2)
///   d^n/dz^n exp(-z^2/2) sin(a z) = Im[ He_n(z - i a) e^{i a z} ] exp(-z^2/2),
/// with the recurrence in complex arithmetic. Cost n multiplications and, with a > 0, one sine and cosine. For odd n
/// both right sides change sign, so psi' is -C times the right side of order n + 1. Beyond `cutoff` psi is below 1e-17
/// of its peak and returned as 0. NaN gives NaN.
#pragma once

#include <complex>

namespace ridgelet {

class AssociatedFunction {
 public:
  AssociatedFunction(double constant, double frequency, int order);

  double operator()(double z) const;

  /// psi', of odd order.
  AssociatedFunction derivative() const { return {-constant_, frequency_, order_ + 1}; }

  /// E psi(z + t) for normal t with mean 0 and this variance. With s^2 = 1 + variance,
  ///   C s^{-n-1} Im[ He_n((z - i a) / s) e^{i a z / s^2} ] exp(-z^2 / (2 s^2) - (1 - 1/s^2) a^2 / 2),
  /// with the real part instead of Im for a = 0: smoothing by a normal density keeps the shape of exp(-z^2/2).
  double smoothed(double z, double variance) const;

  /// The unitary Fourier transform, C (-i xi)^n base^(xi), with base^(xi) = exp(-xi^2/2) or, for a > 0,
  /// -i exp(-(xi^2 + a^2)/2) sinh(a xi).
  std::complex<double> fourier_transform(double xi) const;

  double constant() const { return constant_; }
  double frequency() const { return frequency_; }
  int order() const { return order_; }
  double cutoff() const { return cutoff_; }

 private:
  /// |C He_n(z - i a)| exp(-z^2/2), an envelope of |psi| that falls without psi's zeros for large z.
  double envelope(double z) const;

  double constant_;
  double frequency_;
  int order_;
  double cutoff_;
};

/// He_n at a complex point, by the three-term recurrence.
std::complex<double> hermite(int n, std::complex<double> z);

}  // namespace ridgelet
