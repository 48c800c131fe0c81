/// What an activation is, and what else it needs for the ridgelet operator.
///
/// An ActivationFunction is a type with a name, phi(z) and its derivative phi'(z); that is all a network, a
/// prior or a likelihood asks for. A RidgeletActivation also knows its associated function
///   psi(z)  = C d^n/dz^n [ base(z) ],   n even,
///   base(z) = exp(-z^2/2) sin(a z)   with a = `frequency`, or exp(-z^2/2) where the frequency is 0,
/// with the constant C(d, n) that makes the pair admissible in d dimensions, the Fourier transform of phi
/// away from the origin, and the orders n it can take. psi itself is written once, for all
/// (associated_function.hpp).
///
/// To add one: a header in this folder, a test, and a line in the registry (src/activation/registry.cpp); vector
/// code, if it is to have some, in src/activation/lanes.cpp.
#pragma once

#include <complex>
#include <concepts>
#include <string_view>

namespace ridgelet {

template <class A>
concept ActivationFunction = requires(double z) {
  { A::name } -> std::convertible_to<std::string_view>;
  { A::phi(z) } -> std::same_as<double>;
  { A::derivative(z) } -> std::same_as<double>;
};

template <class A>
concept RidgeletActivation = ActivationFunction<A> && requires(double xi, int d, int n) {
  { A::bounded } -> std::convertible_to<bool>;
  { A::frequency } -> std::convertible_to<double>;
  { A::phi_hat(xi) } -> std::same_as<std::complex<double>>;
  { A::constant(d, n) } -> std::same_as<double>;
  { A::least_order(d) } -> std::same_as<int>;
  { A::default_order(d) } -> std::same_as<int>;
  { A::integrable_order(d) } -> std::same_as<int>;
};

/// (-1)^{n/2} for even n: the sign that the Fourier transform of an n-th derivative carries.
constexpr double derivative_sign(int n) {
  return n % 4 == 0 ? 1.0 : -1.0;
}

/// The constant of an activation whose transform is -i sqrt(pi/2) csch(a xi), a = `frequency`, with the base
/// exp(-z^2/2) sin(a z): their product is a Gaussian, and
///   C = (-1)^{n/2} e^{a^2/2} / ( (2 pi)^{d/2} (pi/2)^{1/2} 2^{(n-d+1)/2} Gamma((n-d+1)/2) ).
double sine_base_constant(double frequency, int d, int n);

}  // namespace ridgelet
