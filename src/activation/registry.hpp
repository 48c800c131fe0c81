/// The activations of the library, and what each of them knows of its associated function. Private to this
/// stage.
#pragma once

#include <complex>
#include <optional>
#include <span>

#include "ridgelet/activation/activation.hpp"

namespace ridgelet {

/// How psi is made for an activation in d dimensions (activation_function.hpp).
struct PsiRecipe {
  bool bounded;
  double frequency;
  std::complex<double> (*phi_hat)(double xi);
  double (*constant)(int d, int n);
  int (*least_order)(int d);
  int (*default_order)(int d);
  int (*integrable_order)(int d);
};

struct RegistryEntry {
  Activation::Functions functions;
  std::optional<PsiRecipe> psi;  ///< none for an activation that serves only operators without psi
};

std::span<const RegistryEntry> activation_registry();

}  // namespace ridgelet
