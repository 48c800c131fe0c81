/// What the ridgelet operator tends to as units are added: the finite-bandwidth ridgelet transform and back,
///   (R*_sigma R f)(x) = integral r(x, x') f(x') dx',
///   r(x, x') = Z E[ phi(w . x + b) psi(w . x' + b) ],   Z as in hidden_layer.hpp.
/// r is close to a delta function of width 1 / sigma_w. Reference: Section 4.2 of the paper.
///
/// Inputs below are multiplied by sigma_w, each by its own, so that the weights have scale 1. For normal w and b
/// the two arguments (p, q) are normal with mean 0, variances s^2 = |x|^2 + sigma_b^2 and s'^2 (the same of
/// x'), and covariance c = x . x' + sigma_b^2. Given p, psi(q) has a closed mean
/// (AssociatedFunction::smoothed), so one integral is left:
///   r(x, x') = Z integral phi(p) N(p; 0, s^2) E psi(c p / s^2 + t) dp,   Var t = s'^2 - c^2 / s^2,
/// and as sigma_b grows without bound
///   r(x, x') = (prod_k sigma_w,k) integral phi(p) E psi(p + t) dp,       Var t = |x - x'|^2.
/// The integral is taken by Gauss-Legendre rules on panels that meet at 0, where ReLU has its kink. Cost of a pair:
/// about 1,000 evaluations.
#pragma once

#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/transform/hidden_layer.hpp"

namespace ridgelet {

class ReconstructionKernel {
 public:
  /// sigma_b may be infinite. Throws InvalidArgument about "sigma_w", "sigma_b" or "density" (normal only).
  ReconstructionKernel(ActivationPair pair, HiddenDistribution hidden);

  /// r at all pairs of rows, in parallel.
  Matrix operator()(const MatrixView& X, const MatrixView& nodes) const;

 private:
  /// At one pair, both multiplied by sigma_w.
  double at(const Vector& x, const Vector& node) const;

  ActivationPair pair_;
  HiddenDistribution hidden_;
};

}  // namespace ridgelet
