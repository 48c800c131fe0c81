#include "ridgelet/activation/activation_pair.hpp"

#include <fmt/format.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

#include "activation/lanes.hpp"
#include "activation/registry.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

/// An activation is recognised by its phi, since one of the caller's own may have any name.
const PsiRecipe* find_recipe(const Activation& activation) {
  for (const RegistryEntry& entry : activation_registry())
    if (entry.psi && entry.functions.phi == activation.functions().phi) return &*entry.psi;
  throw InvalidArgument(
      "activation",
      fmt::format("'{}' has no associated function psi, which the ridgelet operator and an order "
                  "of psi need: use one of {}, or the least-squares operator, which takes any",
                  activation.name(), join(ridgelet_activation_names())));
}

AssociatedFunction make_psi(const PsiRecipe& recipe, const std::string& name, int dimension,
                            std::optional<int> order) {
  require_at_least(dimension, 1, "dimension");
  const int least = recipe.least_order(dimension), n = order.value_or(recipe.default_order(dimension));
  if (n % 2 != 0 || n < least)
    throw InvalidArgument(
        "order", fmt::format("must be even and at least {} for {} in {} input{}, got {}", least + least % 2,
                             name, dimension, dimension == 1 ? "" : "s", n));
  if (n > 40) throw InvalidArgument("order", fmt::format("must be at most 40, got {}", n));
  return AssociatedFunction(recipe.constant(dimension, n), recipe.frequency, n);
}

void evaluate(const AssociatedFunction& f, std::span<const double> z, std::span<double> values) {
  lanes::psi({f.constant(), f.frequency(), f.order(), f.cutoff()}, z.data(), values.data(), z.size());
}

}  // namespace

std::string Assumptions::text(int integrable_order) const {
  const auto answer = [](bool met) { return met ? "yes" : "no"; };
  return fmt::format("1 bounded: {}, 2 Schwartz: {}, 3 admissible: {}, 4 integrable: {}", answer(bounded),
                     answer(schwartz), answer(admissible),
                     integrable ? "yes" : fmt::format("no (needs order {})", integrable_order));
}

ActivationPair::ActivationPair(const Activation& activation, int dimension, std::optional<int> order)
    : activation_(activation),
      recipe_(find_recipe(activation)),
      dimension_(dimension),
      psi_(make_psi(*recipe_, activation.name(), dimension, order)),
      psi_derivative_(psi_.derivative()) {}

void ActivationPair::psi(std::span<const double> z, std::span<double> values) const {
  evaluate(psi_, z, values);
}

void ActivationPair::psi_derivative(std::span<const double> z, std::span<double> values) const {
  evaluate(psi_derivative_, z, values);
}

std::vector<std::string> ridgelet_activation_names() {
  std::vector<std::string> names;
  for (const RegistryEntry& entry : activation_registry())
    if (entry.psi) names.emplace_back(entry.functions.name);
  return names;
}

std::complex<double> ActivationPair::phi_hat(double xi) const {
  return recipe_->phi_hat(xi);
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

bool ActivationPair::bounded() const {
  return recipe_->bounded;
}

int ActivationPair::integrable_order() const {
  const int least = recipe_->integrable_order(dimension_);
  return least + least % 2;
}

Assumptions ActivationPair::assumptions() const {
  return {.bounded = bounded(),
          .schwartz = true,  // a polynomial, perhaps with a sine, times exp(-z^2/2)
          .admissible = std::abs(admissibility() - 1) < 1e-8,
          .integrable = order() >= recipe_->integrable_order(dimension_)};
}

}  // namespace ridgelet
