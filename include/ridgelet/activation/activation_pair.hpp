/// An activation with its associated function: the pair (phi, psi) of the ridgelet transform in d dimensions.
///
/// phi makes the network; psi takes the function apart into it. Only the ridgelet operator, and what measures
/// it, needs a pair; everything else works with an Activation.
#pragma once

#include <algorithm>
#include <complex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/activation/associated_function.hpp"

namespace ridgelet {

struct PsiRecipe;

/// Which parts of the paper's Assumption 1 a pair meets.
struct Assumptions {
  bool bounded;     ///< 1. phi is bounded (otherwise the theory for unbounded phi applies)
  bool schwartz;    ///< 2. psi is a Schwartz function
  bool admissible;  ///< 3. the admissibility integral is 1 (numerically, within 1e-8)
  bool integrable;  ///< 4. |xi|^{-d-2} |psi^ phi^| is integrable: n >= d + 2 (ReLU: d + 4)

  bool all() const { return bounded && schwartz && admissible && integrable; }

  /// "1 bounded: yes, 2 Schwartz: yes, 3 admissible: yes, 4 integrable: no (needs order 4)" or the like.
  std::string text(int integrable_order) const;
};

class ActivationPair {
 public:
  /// Without an order, the activation's default for the dimension. Throws InvalidArgument about "activation",
  /// "dimension" or "order".
  ActivationPair(const Activation& activation, int dimension, std::optional<int> order = std::nullopt);

  const Activation& activation() const { return activation_; }
  std::string name() const { return activation_.name(); }
  int dimension() const { return dimension_; }
  int order() const { return psi_.order(); }
  double constant() const { return psi_.constant(); }

  /// phi, psi and psi', elementwise; `values` may be `z`. NaN gives NaN.
  void phi(std::span<const double> z, std::span<double> values) const { activation_.phi(z, values); }
  void psi(std::span<const double> z, std::span<double> values) const;
  void psi_derivative(std::span<const double> z, std::span<double> values) const;

  /// Where |z| is larger, psi and psi' are returned as 0.
  double cutoff() const { return std::max(psi_.cutoff(), psi_derivative_.cutoff()); }

  std::complex<double> phi_hat(double xi) const;
  std::complex<double> psi_hat(double xi) const { return psi_.fourier_transform(xi); }

  /// (2 pi)^{d/2} integral |xi|^{-d} conj(psi^) phi^ dxi, by adaptive quadrature. It is 1, not -1: a wrong
  /// sign cancels in the covariance and flips the mean.
  double admissibility() const;

  /// Whether phi is bounded, the first part of the assumptions.
  bool bounded() const;

  Assumptions assumptions() const;

  /// The least order with which part 4 of the assumption holds.
  int integrable_order() const;

  /// The scalar forms that the vector code must agree with.
  double phi_scalar(double z) const { return activation_.phi_scalar(z); }
  double psi_scalar(double z) const { return psi_(z); }
  double psi_derivative_scalar(double z) const { return psi_derivative_(z); }

  const AssociatedFunction& associated_function() const { return psi_; }

 private:
  Activation activation_;
  const PsiRecipe* recipe_;
  int dimension_;
  AssociatedFunction psi_;
  AssociatedFunction psi_derivative_;
};

/// Those of activation_names() that have a psi.
std::vector<std::string> ridgelet_activation_names();

}  // namespace ridgelet
