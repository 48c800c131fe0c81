/// A Gaussian in factored form: mean + factor z with z ~ N(0, I_R), so its covariance is factor factor^T.
///
/// This is the seam between the stages. The target at the nodes, the output weights given the hidden layer,
/// and the network's outputs at any inputs are all of this form, in the same coordinates z.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/core/random.hpp"
#include "ridgelet/core/types.hpp"

namespace ridgelet {

struct Gaussian {
  Vector mean;    ///< n
  Matrix factor;  ///< n x R

  Index dimension() const { return factor.rows(); }
  Index rank() const { return factor.cols(); }

  /// mean + factor z.
  Vector at(const VectorView& z) const;

  /// Independent draws, one in each row: count x n.
  Matrix draws(Index count, const RandomStream& stream) const;

  Matrix covariance() const;
  Vector variance() const;
};

/// The Gaussian given that some of its entries have certain values. With F the rows of the factor that are
/// fixed, V the right singular vectors of F and Q an orthonormal basis of their complement,
///   z = F^+ (values - mean) + Q z',   z' ~ N(0, I):
/// conditioning, not dropping, so that the other entries keep what they know of the fixed ones. The result
/// has R - rank(F) coordinates. Throws InvalidArgument naming `argument` if the values cannot be taken (off
/// by more than 1e-8), or an index is out of range. Cost of the SVD of F, and n R^2.
Gaussian condition_on_entries(const Gaussian& gaussian, const std::vector<Index>& entries,
                              const VectorView& values, const std::string& argument);

/// The log density of w under a Gaussian whose covariance may be singular, with respect to Lebesgue measure
/// on the affine subspace that carries it:
///   -1/2 [ r log 2 pi + log pdet(F F^T) + |s|^2 ],
///   F = U S V^T (thin, rank r),   s = S^{-1} U^T (w - mean),
/// pdet the product of the nonzero eigenvalues. With F of full row rank this is the ordinary density.
/// Throws InvalidArgument naming `argument` if w is off the subspace by more than 1e-8 of |w - mean| +
/// |mean|. Cost n R^2.
double log_density_on_support(const Gaussian& gaussian, const VectorView& w, const std::string& argument);

}  // namespace ridgelet
