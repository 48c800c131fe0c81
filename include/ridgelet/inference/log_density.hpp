/// What a sampler knows: a log density over whitened coordinates, and nothing else.
///
/// The coordinates xi are standard normal a priori, so the posterior is proportional to N(xi; 0, I) exp(L(xi)),
/// and L is what is evaluated here. The collapsed Gaussian likelihood is one such L
/// (collapsed_density.hpp); a likelihood of counts or classes is another, and one that can be
/// differentiated would add its gradient to this class.
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

}  // namespace ridgelet
