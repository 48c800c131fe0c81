/// A likelihood of one function, written as functions of the numbers y and f.
///
/// A class L derives from SingleFunction<L> and has, for numbers y and f,
///   log_density_of(y, f), slope_of(y, f), curvature_of(y, f), curvature_slope_of(y, f)
///   mean_of(f), variance_of(f), draw_of(f, u)
/// with slope d log p / df, curvature W and its slope dW / df. A likelihood whose normal approximation uses another W
/// has normal_curvature_of(y, f) as well, and curvature_slope_of is then the slope of that W.
#pragma once

#include "ridgelet/likelihood/likelihood.hpp"

namespace ridgelet {

template <class L>
class SingleFunction : public Likelihood {
 public:
  double log_density(const double* y, const double* f) const final { return self().log_density_of(*y, *f); }
  using Likelihood::log_density;

  void derivatives(const double* y, const double* f, double* slope, double* curvature) const final {
    *slope = self().slope_of(*y, *f);
    *curvature = self().curvature_of(*y, *f);
  }
  using Likelihood::derivatives;

  void normal_curvature(const double* y, const double* f, double* curvature) const final {
    *curvature = self().normal_curvature_of(*y, *f);
  }
  using Likelihood::normal_curvature;
  double normal_curvature_of(double y, double f) const { return self().curvature_of(y, f); }

  void contract_curvature_slope(const double* y, const double* f, const double* S,
                                double* result) const final {
    *result = *S * self().curvature_slope_of(*y, *f);
  }

  void mean(const double* f, double* result) const final { *result = self().mean_of(*f); }
  void variance(const double* f, double* result) const final { *result = self().variance_of(*f); }
  void draw(const double* f, double u, double* y) const final { *y = self().draw_of(*f, u); }

 private:
  const L& self() const { return static_cast<const L&>(*this); }
};

}  // namespace ridgelet
