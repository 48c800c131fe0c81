/// A rank-revealing factor of a covariance matrix: K = L L^T with L of D x R, R <= D, by pivoted Cholesky.
///
/// Each step takes as its pivot the row with the largest variance that is left unexplained by the rows taken before:
///   p = argmax_i d_i,   L_:r = (K_:p - L_:,<r L_p,<r^T) / sqrt(d_p),   d <- d - L_:r^2,   d = diag K at first,
/// and the factorisation stops when every d_i that is left is below 1e-12 of the mean diagonal, so the trace that
/// is dropped is at most 1e-12 of the whole. Smooth kernels have R << D: a squared exponential at 200 nodes with
/// four or more nodes to a lengthscale has rank about 25.
///
/// Rows that are tied, as on any symmetric grid, are taken in the order of their indices: every d_i within 1e-10
/// of the largest, or within rounding of it, counts as tied, so that another processor, whose sums differ in the
/// last digits, takes the same rows. (Where d is rounding alone, near the end, no rule can promise that.)
///
/// Cost D R^2 if columns are computed on demand: then only the diagonal of K and the R columns of the pivots are looked
/// at. A K given as a matrix is also compared with L L^T, at a cost of D^2 R.
/// Reference: N. Higham, "Analysis of the Cholesky decomposition of a semi-definite matrix" (1990).
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

struct RankRevealingFactor {
  Matrix L;                   ///< D x R, rows in the order of K.
  std::vector<Index> pivots;  ///< The R rows chosen, in order: the rows L(pivots, :) are lower triangular.

  Index rank() const { return L.cols(); }

  /// C = L(pivots, :)^{-1} F for F of R x M, function values at the pivot rows: the coordinates z for which
  /// L z agrees with F there. With F = k(x_pivots, x) this is E[z f(x)] (R x M).
  Matrix coordinates(const MatrixView& values_at_pivots) const;
};

inline constexpr double rank_tolerance = 1e-12;

/// Throws InvalidArgument naming `argument` if K is not positive semi-definite: L L^T must give K back within
/// 1e-8 of its largest entry. Holds K twice.
RankRevealingFactor factorise(Matrix K, const std::string& argument, double tolerance = rank_tolerance);

/// A covariance matrix whose columns are computed when they are asked for.
struct CovarianceColumns {
  Vector diagonal;                                  ///< K_ii, D of them
  std::function<void(Index, Vector&)> read_column;  ///< fills a vector of length D with a column of K
};

/// Where to stop: when all unexplained variances are below `tolerance` times the mean diagonal, or at a rank of `most`.
struct RankLimit {
  double tolerance = rank_tolerance;
  Index most = std::numeric_limits<Index>::max();
};

/// The same factor without K itself: memory is D x R, and the pivots are the rows that say most about the others.
/// Throws InvalidArgument naming `argument` if the diagonal or a column is not finite.
RankRevealingFactor factorise(const CovarianceColumns& K, const RankLimit& limit,
                              const std::string& argument);

}  // namespace ridgelet
