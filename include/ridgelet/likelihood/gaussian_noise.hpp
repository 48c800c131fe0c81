/// `gaussian`: y = f + scale e, e ~ N(0, 1). The library has closed forms for it. It is also a likelihood like the
/// others, so that the general code can be checked against those closed forms.
///   log p = -((y - f) / scale)^2 / 2 - log scale - log(2 pi) / 2,   slope (y - f) / scale^2,   W = 1 / scale^2
#pragma once

#include "ridgelet/likelihood/single_function.hpp"

namespace ridgelet {

class GaussianNoise final : public SingleFunction<GaussianNoise> {
 public:
  /// Throws InvalidArgument about "likelihood" unless the scale is positive.
  explicit GaussianNoise(double scale = 0.3);

  std::string name() const override { return "gaussian"; }
  ResponseKind response() const override { return ResponseKind::real; }
  std::vector<LikelihoodParameter> parameters() const override;
  LikelihoodPointer with_parameters(const VectorView& values) const override;

  double log_density_of(double y, double f) const;
  double slope_of(double y, double f) const { return (y - f) / (scale_ * scale_); }
  double curvature_of(double, double) const { return 1 / (scale_ * scale_); }
  double curvature_slope_of(double, double) const { return 0; }
  double mean_of(double f) const { return f; }
  double variance_of(double) const { return scale_ * scale_; }
  double cdf(double y, double f) const override;
  double draw_of(double f, double u) const;

 private:
  double scale_;
};

}  // namespace ridgelet
