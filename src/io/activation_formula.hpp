/// Activations as formulas that other languages can express: one line for each activation, one style for each language.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/activation/activation.hpp"

namespace ridgelet {

/// "z"; a "number"; one of +, *, / and max, of two arguments; or a function of one: abs, cos, erf, exp, log, sin, tanh.
struct Formula {
  std::string name;
  double number = 0;
  std::vector<Formula> arguments = {};
};

/// phi(z). Throws InvalidArgument about "activation" for one that is not the library's own.
Formula activation_formula(const Activation& activation);

/// How a language writes numbers and functions.
struct FormulaStyle {
  std::string (*number)(double);
  std::string (*function)(const std::string& name);
};

/// "(0.5 * (z * (1.0 + erf((z * 0.7071067811865476)))))"
std::string text(const Formula& formula, const FormulaStyle& style);

/// The formula as a person reads it.
std::string text(const Formula& formula);

}  // namespace ridgelet
