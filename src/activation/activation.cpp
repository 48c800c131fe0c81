#include "ridgelet/activation/activation.hpp"

#include "activation/registry.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

const Activation::Functions& find(const std::string& name) {
  for (const RegistryEntry& entry : activation_registry())
    if (entry.functions.name == name) return entry.functions;
  throw InvalidArgument("activation", unknown_name_complaint(name, activation_names()));
}

void evaluate(Activation::Lanes lanes, double (*scalar)(double), std::span<const double> z,
              std::span<double> values) {
  if (lanes) return lanes(z.data(), values.data(), z.size());
  for (std::size_t i = 0; i < z.size(); ++i) values[i] = scalar(z[i]);
}

}  // namespace

Activation::Activation(const std::string& name) : functions_(find(name)) {}

void Activation::phi(std::span<const double> z, std::span<double> values) const {
  evaluate(functions_.phi_lanes, functions_.phi, z, values);
}

void Activation::derivative(std::span<const double> z, std::span<double> values) const {
  evaluate(functions_.derivative_lanes, functions_.derivative, z, values);
}

std::vector<std::string> activation_names() {
  std::vector<std::string> names;
  for (const RegistryEntry& entry : activation_registry()) names.emplace_back(entry.functions.name);
  return names;
}

}  // namespace ridgelet
