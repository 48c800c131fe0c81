/// An activation as a value: phi and its derivative, one number at a time or whole arrays.
///
/// Arrays are evaluated by SIMD (Highway), with the instruction set chosen at run time; an activation without
/// vector code is evaluated by its scalar functions. Networks, priors and likelihoods know activations only;
/// the associated function psi, which depends on the number of inputs, belongs to ActivationPair.
///
///   Activation("tanh")            one of the library's, by name: activation_names()
///   Activation::of<Mine>()        any type that models ActivationFunction
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridgelet/activation/activation_function.hpp"

namespace ridgelet {

class Activation {
 public:
  /// Vector code: values[i] = f(z[i]) for i < size; `values` may be `z`.
  using Lanes = void (*)(const double* z, double* values, std::size_t size);

  /// The same in single precision.
  using SingleLanes = void (*)(const float* z, float* values, std::size_t size);

  struct Functions {
    std::string_view name;
    double (*phi)(double);
    double (*derivative)(double);
    Lanes phi_lanes = nullptr;
    Lanes derivative_lanes = nullptr;
    SingleLanes phi_single_lanes = nullptr;
  };

  /// Throws InvalidArgument about "activation" unless the name is one of activation_names().
  Activation(const std::string& name);
  Activation(const char* name) : Activation(std::string(name)) {}

  /// An activation of the caller's own.
  template <ActivationFunction A>
  static Activation of() {
    return Activation(Functions{.name = A::name, .phi = A::phi, .derivative = A::derivative});
  }

  std::string name() const { return std::string(functions_.name); }

  /// phi and phi', elementwise; `values` may be `z`. NaN gives NaN.
  void phi(std::span<const double> z, std::span<double> values) const;
  void derivative(std::span<const double> z, std::span<double> values) const;

  /// phi in single precision, in place. The error is a few units in the last place of phi, or of 1 where phi is
  /// smaller. An activation without vector code of this kind is evaluated in double precision and rounded.
  void phi(std::span<float> z) const;

  /// The scalar forms that the vector code must agree with.
  double phi_scalar(double z) const { return functions_.phi(z); }
  double derivative_scalar(double z) const { return functions_.derivative(z); }

  const Functions& functions() const { return functions_; }

 private:
  explicit Activation(const Functions& functions) : functions_(functions) {}

  Functions functions_;
};

std::vector<std::string> activation_names();

}  // namespace ridgelet
