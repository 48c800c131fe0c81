/// What a sampler knows: a log density over whitened coordinates, and nothing else.
///
/// The coordinates xi are standard normal a priori, so the posterior is proportional to N(xi; 0, I) exp(L(xi)),
/// and L is what is evaluated here. The collapsed Gaussian likelihood is one such L
/// (collapsed_density.hpp); a likelihood of counts or classes is another.
#pragma once

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// An object of this type is a workspace: one chain at a time evaluates it.
class LogDensity {
 public:
  virtual ~LogDensity() = default;

  /// Length of xi.
  virtual Index dimension() const = 0;

  /// L(xi), up to a constant; minus infinity (or not a number) where xi is impossible.
  virtual double operator()(const Vector& xi) = 0;
};

/// A log density that can be differentiated.
class DifferentiableLogDensity : public virtual LogDensity {
 public:
  /// L(xi), the same number as that of operator(), and its gradient, into a vector of the length of xi. The gradient is
  /// zero where xi is impossible.
  virtual double value_and_gradient(const Vector& xi, Vector& gradient) = 0;
};

}  // namespace ridgelet
