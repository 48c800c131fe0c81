/// `student`: y = f + scale t, where t has Student's distribution with nu degrees of freedom: an outlier pulls less the
/// farther away it is. With r = y - f,
///   log p = log Gamma((nu + 1)/2) - log Gamma(nu/2) - log(nu pi)/2 - log scale
///           - (nu + 1)/2 log(1 + r^2 / (nu scale^2))
///   slope (nu + 1) r / (nu scale^2 + r^2)
///   - d^2 log p / df^2 = (nu + 1) (nu scale^2 - r^2) / (nu scale^2 + r^2)^2
/// The last is negative for outliers, where log p is not concave in f. The search for the mode uses 0 there instead.
/// The normal approximation at the mode uses its expectation (nu + 1) / ((nu + 3) scale^2), which does not depend on f.
/// Reference: P. Jylanki, J. Vanhatalo, A. Vehtari, Robust Gaussian process regression with a Student-t likelihood,
/// JMLR 12 (2011); M. Hartmann and J. Vanhatalo, Laplace approximation and natural gradient for Gaussian process
/// regression with heteroscedastic Student-t model, Statistics and Computing 29 (2019), for the expected curvature.
#pragma once

#include "ridgelet/likelihood/single_function.hpp"

namespace ridgelet {

class Student final : public SingleFunction<Student> {
 public:
  /// Throws InvalidArgument about "likelihood" unless the scale is positive and the degrees are above 2: otherwise
  /// there is no standard deviation.
  explicit Student(double scale = 0.3, double degrees = 4);

  std::string name() const override { return "student"; }
  ResponseKind response() const override { return ResponseKind::real; }
  std::vector<LikelihoodParameter> parameters() const override;
  LikelihoodPointer with_parameters(const VectorView& values) const override;

  double log_density_of(double y, double f) const;
  double slope_of(double y, double f) const;
  double curvature_of(double y, double f) const;
  double normal_curvature_of(double, double) const {
    return (degrees_ + 1) / ((degrees_ + 3) * scale_ * scale_);
  }
  double curvature_slope_of(double, double) const { return 0; }
  double mean_of(double f) const { return f; }
  double variance_of(double) const { return scale_ * scale_ * degrees_ / (degrees_ - 2); }
  double cdf(double y, double f) const override;
  double draw_of(double f, double u) const;

 private:
  double scale_, degrees_;
};

}  // namespace ridgelet
