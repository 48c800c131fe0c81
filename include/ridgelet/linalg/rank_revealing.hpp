/// A rank-revealing factor of a covariance matrix: K = L L^T with L of D x R, R <= D, by pivoted Cholesky.
///
/// Smooth kernels have R << D: a squared exponential at 200 nodes, four nodes to a lengthscale and more, has
/// rank about 25. The factorisation stops when every diagonal entry that is left is below 1e-12 of the mean
/// diagonal, so the trace that is dropped is at most 1e-12 of the whole. Cost D R^2 (LAPACK's dpstrf).
///
/// Reference: N. Higham, "Analysis of the Cholesky decomposition of a semi-definite matrix" (1990).
#pragma once

#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

struct RankRevealingFactor {
  Matrix L;                   ///< D x R, rows in the order of K.
  std::vector<Index> pivots;  ///< The R rows chosen, in order: the rows L(pivots, :) are lower triangular.

  Index rank() const { return L.cols(); }

  /// C = L(pivots, :)^{-1} F for F of R x M, function values at the pivot rows: the coordinates z for which L
  /// z agrees with F there. With F = k(x_pivots, x) this is E[z f(x)] (R x M).
  Matrix coordinates(const MatrixView& values_at_pivots) const;
};

inline constexpr double rank_tolerance = 1e-12;

/// Throws InvalidArgument naming `argument` if K is not positive semi-definite: L L^T must give K back within
/// 1e-8 of its largest entry.
RankRevealingFactor factorise(const Matrix& K, const std::string& argument);

}  // namespace ridgelet
