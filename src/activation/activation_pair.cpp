#include "ridgelet/activation/activation_pair.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

#include "activation/lanes.hpp"
#include "ridgelet/activation/gaussian_bump.hpp"
#include "ridgelet/activation/relu.hpp"
#include "ridgelet/activation/sigmoid.hpp"
#include "ridgelet/activation/tanh.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

struct ActivationPair::Entry {
  std::string_view name;
  bool bounded;
  double frequency;
  double (*phi)(double);
  std::complex<double> (*phi_hat)(double);
  double (*constant)(int, int);
  int (*least_order)(int);
  int (*default_order)(int);
  int (*integrable_order)(int);
  /// Vector code, or null: then phi is called element by element.
  void (*phi_lanes)(const double*, double*, std::size_t);

  template <RidgeletActivation A>
  static constexpr Entry of(void (*phi_lanes)(const double*, double*, std::size_t) = nullptr) {
    return {A::name,        A::bounded,       A::frequency,        A::phi,   A::phi_hat, A::constant,
            A::least_order, A::default_order, A::integrable_order, phi_lanes};
  }

  /// The registry: one line an activation.
  static const std::array<Entry, 4>& registry() {
    static constexpr std::array entries = {
        of<Tanh>(lanes::tanh),
        of<Sigmoid>(lanes::sigmoid),
        of<GaussianBump>(lanes::gaussian),
        of<Relu>(lanes::relu),
    };
    return entries;
  }

  AssociatedFunction associated_function(int dimension, std::optional<int> order) const {
    require_at_least(dimension, 1, "dimension");
    const int n = order.value_or(default_order(dimension));
    if (n % 2 != 0 || n < least_order(dimension))
      throw InvalidArgument("order", fmt::format("must be even and at least {} for {} in {} input{}, got {}",
                                                 least_order(dimension) + least_order(dimension) % 2, name,
                                                 dimension, dimension == 1 ? "" : "s", n));
    if (n > 40) throw InvalidArgument("order", fmt::format("must be at most 40, got {}", n));
    return AssociatedFunction(constant(dimension, n), frequency, n);
  }
};

const ActivationPair::Entry& ActivationPair::find(const std::string& name) {
  for (const Entry& entry : Entry::registry())
    if (entry.name == name) return entry;
  throw InvalidArgument("activation", unknown_name_complaint(name, activation_names()));
}

std::vector<std::string> activation_names() {
  std::vector<std::string> names;
  for (const auto& entry : ActivationPair::Entry::registry()) names.emplace_back(entry.name);
  return names;
}

std::string Assumptions::text(int integrable_order) const {
  const auto answer = [](bool met) { return met ? "yes" : "no"; };
  return fmt::format("1 bounded: {}, 2 Schwartz: {}, 3 admissible: {}, 4 integrable: {}", answer(bounded),
                     answer(schwartz), answer(admissible),
                     integrable ? "yes" : fmt::format("no (needs order {})", integrable_order));
}

ActivationPair::ActivationPair(const std::string& name, int dimension, std::optional<int> order)
    : name_(name),
      dimension_(dimension),
      entry_(&find(name)),
      psi_(entry_->associated_function(dimension, order)) {}

void ActivationPair::phi(std::span<const double> z, std::span<double> values) const {
  if (entry_->phi_lanes) return entry_->phi_lanes(z.data(), values.data(), z.size());
  for (std::size_t i = 0; i < z.size(); ++i) values[i] = entry_->phi(z[i]);
}

void ActivationPair::psi(std::span<const double> z, std::span<double> values) const {
  lanes::psi({psi_.constant(), psi_.frequency(), psi_.order(), psi_.cutoff()}, z.data(), values.data(),
             z.size());
}

std::complex<double> ActivationPair::phi_hat(double xi) const {
  return entry_->phi_hat(xi);
}

double ActivationPair::phi_scalar(double z) const {
  return entry_->phi(z);
}

double ActivationPair::admissibility() const {
  using boost::math::quadrature::gauss_kronrod;
  const auto integrand = [this](double xi) {
    return std::pow(xi, -dimension_) * (std::conj(psi_hat(xi)) * phi_hat(xi)).real();
  };
  // The integrand is even, and below exp(-xi^2/2) times a polynomial: nothing is left at 40.
  const double half_line = gauss_kronrod<double, 61>::integrate(integrand, 0.0, 40.0, 15, 1e-13);
  return std::pow(2 * std::numbers::pi, dimension_ / 2.0) * 2 * half_line;
}

int ActivationPair::integrable_order() const {
  const int least = entry_->integrable_order(dimension_);
  return least + least % 2;
}

Assumptions ActivationPair::assumptions() const {
  return {.bounded = entry_->bounded,
          .schwartz = true,  // a polynomial, perhaps with a sine, times exp(-z^2/2)
          .admissible = std::abs(admissibility() - 1) < 1e-8,
          .integrable = order() >= entry_->integrable_order(dimension_)};
}

}  // namespace ridgelet
