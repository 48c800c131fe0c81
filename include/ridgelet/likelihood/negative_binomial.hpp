/// `negative-binomial`: counts with mean mu = e^f and variance mu + mu^2 / k, which vary more than Poisson's. As the
/// shape k grows, they tend to Poisson's.
///   log p(y | f) = log Gamma(y + k) - log Gamma(k) - log y! + k log k + y f - (y + k) log(k + mu)
///   slope k (y - mu) / (k + mu),   W = (y + k) k mu / (k + mu)^2,   dW/df = W (k - mu) / (k + mu)
#pragma once

#include "ridgelet/likelihood/single_function.hpp"

namespace ridgelet {

class NegativeBinomial final : public SingleFunction<NegativeBinomial> {
 public:
  /// Throws InvalidArgument about "likelihood" unless the shape is positive.
  explicit NegativeBinomial(double shape = 5);

  std::string name() const override { return "negative-binomial"; }
  ResponseKind response() const override { return ResponseKind::count; }
  std::vector<LikelihoodParameter> parameters() const override;
  LikelihoodPointer with_parameters(const VectorView& values) const override;

  double log_density_of(double y, double f) const;
  double slope_of(double y, double f) const;
  double curvature_of(double y, double f) const;
  double curvature_slope_of(double y, double f) const;
  double mean_of(double f) const;
  double variance_of(double f) const { return mean_of(f) * (1 + mean_of(f) / shape_); }
  double cdf(double y, double f) const override;
  double draw_of(double f, double u) const;

 private:
  double log_density_of_large(double y, double f) const;
  double part_of_mean(double f) const;   ///< q = mu / (k + mu)
  double part_of_shape(double f) const;  ///< p = k / (k + mu)
  double shape_;
};

}  // namespace ridgelet
