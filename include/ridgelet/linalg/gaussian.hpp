/// A Gaussian in factored form: mean + factor z with z ~ N(0, I_R), so its covariance is factor factor^T.
///
/// This is the seam between the stages. The target at the nodes, the output weights given the hidden layer,
/// and the network's outputs at any inputs are all of this form, in the same coordinates z.
#pragma once

#include "ridgelet/core/types.hpp"

namespace ridgelet {

struct Gaussian {
  Vector mean;    ///< n
  Matrix factor;  ///< n x R

  Index dimension() const { return factor.rows(); }
  Index rank() const { return factor.cols(); }

  /// mean + factor z.
  Vector at(const VectorView& z) const;

  Matrix covariance() const;
  Vector variance() const;
};

/// The log density of w under a Gaussian whose covariance may be singular, with respect to Lebesgue measure
/// on the affine subspace that carries it:
///   -1/2 [ r log 2 pi + log pdet(F F^T) + |s|^2 ],
///   F = U S V^T (thin, rank r),   s = S^{-1} U^T (w - mean),
/// pdet the product of the nonzero eigenvalues. With F of full row rank this is the ordinary density.
/// Throws InvalidArgument naming `argument` if w is off the subspace by more than 1e-8 of |w - mean| +
/// |mean|. Cost n R^2.
double log_density_on_support(const Gaussian& gaussian, const VectorView& w, const std::string& argument);

}  // namespace ridgelet
