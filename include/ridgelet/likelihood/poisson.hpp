/// `poisson`: counts with mean e^f.
///   log p(y | f) = y f - e^f - log y!,   slope y - e^f,   W = e^f,   dW/df = e^f
#pragma once

#include "ridgelet/likelihood/single_function.hpp"

namespace ridgelet {

class Poisson final : public SingleFunction<Poisson> {
 public:
  std::string name() const override { return "poisson"; }
  ResponseKind response() const override { return ResponseKind::count; }
  LikelihoodPointer with_parameters(const VectorView& values) const override;

  double log_density_of(double y, double f) const;
  double slope_of(double y, double f) const { return y - mean_of(f); }
  double curvature_of(double, double f) const { return mean_of(f); }
  double curvature_slope_of(double, double f) const { return mean_of(f); }
  double mean_of(double f) const;
  double variance_of(double f) const { return mean_of(f); }
  double cdf(double y, double f) const override;
  double draw_of(double f, double u) const;
};

}  // namespace ridgelet
