#include "activation_formula.hpp"

#include <fmt/format.h>

#include <numbers>
#include <utility>

#include "ridgelet/activation/leaky_relu.hpp"
#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

Formula variable() {
  return {.name = "z"};
}

Formula number(double value) {
  return {.name = "number", .number = value};
}

Formula call(const std::string& name, std::vector<Formula> arguments) {
  return {.name = name, .arguments = std::move(arguments)};
}

Formula operator+(const Formula& a, const Formula& b) {
  return call("+", {a, b});
}

Formula operator*(const Formula& a, const Formula& b) {
  return call("*", {a, b});
}

Formula operator*(double a, const Formula& b) {
  return number(a) * b;
}

Formula operator+(double a, const Formula& b) {
  return number(a) + b;
}

Formula operator/(const Formula& a, const Formula& b) {
  return call("/", {a, b});
}

Formula of_z(const std::string& name) {
  return call(name, {variable()});
}

/// z for z > 0, slope z below.
Formula with_slope_below_zero(double slope) {
  return call("max", {variable(), slope * variable()});
}

/// 1 + e^-z.
Formula one_and_decay() {
  return 1 + call("exp", {-1 * variable()});
}

/// The names and formulas of activation/*.hpp. Where the form there keeps its relative precision in a tail, this one
/// has an absolute error of the size of rounding at 1, which is enough for a feature of a network.
Formula formula_of(const std::string& name) {
  const Formula z = variable();
  if (name == "tanh" || name == "erf") return of_z(name);
  if (name == "sine") return of_z("sin");
  if (name == "cosine") return of_z("cos");
  if (name == "sigmoid") return number(1) / one_and_decay();
  if (name == "silu") return z / one_and_decay();
  if (name == "gaussian") return call("exp", {-0.5 * (z * z)});
  if (name == "gelu") return 0.5 * (z * (1 + call("erf", {(1 / std::numbers::sqrt2) * z})));
  if (name == "relu") return with_slope_below_zero(0);
  if (name == "leaky-relu") return with_slope_below_zero(LeakyRelu::slope);
  if (name == "softplus")
    return with_slope_below_zero(0) + call("log", {1 + call("exp", {-1 * of_z("abs")})});
  throw InvalidArgument("activation",
                        fmt::format("'{}' has no formula for other programs; fit with another one", name));
}

}  // namespace

Formula activation_formula(const Activation& activation) {
  return formula_of(activation.name());
}

std::string text(const Formula& formula, const FormulaStyle& style) {
  if (formula.name == "z") return "z";
  if (formula.name == "number") return style.number(formula.number);
  const std::string first = text(formula.arguments[0], style);
  if (formula.arguments.size() == 1) return fmt::format("{}({})", style.function(formula.name), first);
  const std::string second = text(formula.arguments[1], style);
  if (formula.name == "max") return fmt::format("{}({}, {})", style.function("max"), first, second);
  return fmt::format("({} {} {})", first, formula.name, second);
}

std::string text(const Formula& formula) {
  return text(formula, {.number = [](double value) { return fmt::format("{}", value); },
                        .function = [](const std::string& name) { return name; }});
}

}  // namespace ridgelet
