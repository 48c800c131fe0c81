/// `categorical`: one of K classes, each with a function of its own, and p_k = e^f_k / sum_l e^f_l (softmax).
///   log p(y | f) = f_y - log sum_l e^f_l,   slope y_k - p_k,   W = diag(p) - p p^T
///   sum_kl S_kl dW_kl / df_a = p_a (S_aa - sum_k S_kk p_k - 2 (S p)_a + 2 p^T S p)
/// Adding the same number to all f_k changes nothing, so data say nothing of their mean: it is what the prior says.
#pragma once

#include "ridgelet/likelihood/likelihood.hpp"

namespace ridgelet {

class Categorical final : public Likelihood {
 public:
  /// Throws InvalidArgument about "likelihood" for fewer than two classes.
  explicit Categorical(Index classes);

  std::string name() const override { return "categorical"; }
  ResponseKind response() const override { return ResponseKind::classes; }
  Index functions() const override { return classes_; }
  LikelihoodPointer with_parameters(const VectorView& values) const override;

  double log_density(const double* y, const double* f) const override;
  using Likelihood::log_density;
  void derivatives(const double* y, const double* f, double* slope, double* curvature) const override;
  using Likelihood::derivatives;
  void normal_curvature(const double*, const double* f, double* curvature) const override {
    mean(f, curvature);
  }
  using Likelihood::normal_curvature;
  void contract_curvature_slope(const double* y, const double* f, const double* S,
                                double* result) const override;
  void mean(const double* f, double* result) const override;
  void variance(const double* f, double* result) const override;

  /// Classes have no order: throws std::logic_error.
  double cdf(double y, double f) const override;
  void draw(const double* f, double u, double* y) const override;

 private:
  Index classes_;
};

}  // namespace ridgelet
