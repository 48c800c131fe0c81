/// `bernoulli`: y is 1 with probability p = 1 / (1 + e^-f), and 0 otherwise.
///   log p(y | f) = y f - log(1 + e^f),   slope y - p,   W = p (1 - p),   dW/df = p (1 - p) (1 - 2 p)
/// log(1 + e^f) is taken as max(f, 0) + log1p(e^-|f|), so that no f overflows.
#pragma once

#include "ridgelet/likelihood/single_function.hpp"

namespace ridgelet {

/// 1 / (1 + e^-f).
double logistic(double f);

class Bernoulli final : public SingleFunction<Bernoulli> {
 public:
  std::string name() const override { return "bernoulli"; }
  ResponseKind response() const override { return ResponseKind::two_classes; }
  LikelihoodPointer with_parameters(const VectorView& values) const override;

  double log_density_of(double y, double f) const;
  double slope_of(double y, double f) const { return y - logistic(f); }
  double curvature_of(double, double f) const { return logistic(f) * logistic(-f); }
  double curvature_slope_of(double, double f) const {
    return logistic(f) * logistic(-f) * (logistic(-f) - logistic(f));
  }
  double mean_of(double f) const { return logistic(f); }
  double variance_of(double f) const { return logistic(f) * logistic(-f); }
  double cdf(double y, double f) const override;
  double draw_of(double f, double u) const { return u < logistic(f) ? 1 : 0; }
};

}  // namespace ridgelet
