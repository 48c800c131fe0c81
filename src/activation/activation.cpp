#include "ridgelet/activation/activation.hpp"

#include <algorithm>
#include <array>

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

void Activation::phi(std::span<float> z) const {
  if (functions_.phi_single_lanes) return functions_.phi_single_lanes(z.data(), z.data(), z.size());
  std::array<double, 256> wide;
  for (std::size_t first = 0; first < z.size(); first += wide.size()) {
    const std::span<float> part = z.subspan(first, std::min(wide.size(), z.size() - first));
    const std::span<double> values(wide.data(), part.size());
    std::ranges::copy(part, values.begin());
    phi(values, values);
    std::ranges::transform(values, part.begin(), [](double value) { return static_cast<float>(value); });
  }
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
