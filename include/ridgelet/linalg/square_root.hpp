/// The linear Gaussian model in square-root form: nothing is squared that has to be subtracted again.
///
///   r = G z + e,   z ~ N(0, I_R),   e ~ N(0, s^2 I_M)
/// The normal equations know G only through G^T G + s^2 I, whose entries reach |G|^2: what the noise adds is
/// lost among their last digits once |G| / s nears 1e8. The triangular factor T of a QR decomposition,
///   [ s I   0 ]
///   [   G   r ]  =  Q T,   T = [ T11  t12 ]   upper triangular, (R + 1) x (R + 1),
///                              [   0  t22 ]
/// holds the square roots of the same numbers, and every quantity is a product or a sum of squares:
///   P = I + G^T G / s^2 = T11^T T11 / s^2         log det P = 2 sum_i log( |T11_ii| / s )
///   E[z | r] = T11^{-1} t12                       cov[z | r] = s^2 T11^{-1} T11^{-T}
///   r^T (G G^T + s^2 I)^{-1} r = t22^2 / s^2      var[g . z | r] = | s T11^{-T} g |^2
/// Relative errors are of the order 1e-16 |G| / s, where those of the normal equations have |G|^2 / s^2.
///
/// Rows come in blocks: the factor of all rows is the factor of [T; block], so memory does not grow with M
/// (LAPACK's dtpqrt, a panel of columns at a time, so that it can be cancelled between two). Cost 2 M R^2. Reference:
/// Golub and Van Loan, Matrix Computations (2013), Section 5.3.
#pragma once

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// The triangular factor T of a QR decomposition of rows that come one block after the other. An object of
/// this type is a workspace: starting again reuses its memory.
class StackedFactor {
 public:
  /// T = 0, n x n: the factor of no rows.
  void start(Index n);

  /// T = diag(diagonal): the factor of that many rows, each with one number on the diagonal.
  void start(const VectorView& diagonal);

  /// T <- the factor of [T; rows]. `rows` is scratch memory afterwards.
  void append(MatrixSpan rows);

  /// T <- the factor of [T; rows] for rows that form an upper triangular matrix, at half the cost.
  void append_triangle(MatrixSpan rows);

  /// Upper triangular; what is below the diagonal is zero. Diagonal entries may have either sign.
  const Matrix& T() const { return T_; }

  /// F <- T11^{-1} F and F <- T11^{-T} F for the leading block T11 of F.rows() rows.
  void solve_in_place(MatrixSpan F) const;
  void solve_transposed_in_place(MatrixSpan F) const;

  /// sum_i log |T_ii| over the first n diagonal entries.
  double log_determinant(Index n) const;

 private:
  void append_pentagon(MatrixSpan rows, Index triangle);
  void reduce_panel(MatrixSpan rows, Index triangle, Index first, Index width);

  Matrix T_;
  Matrix reflectors_;
  Vector work_;
};

/// An orthonormal basis Q (R x M, M <= R) of the rows of G and their coordinates in it: G = L Q^T with L
/// (M x M) lower triangular, by dgeqrf of G^T. Cost 4 R M^2. A workspace too.
class RowBasis {
 public:
  void compute(const MatrixView& G);

  const Matrix& Q() const { return Q_; }
  const Matrix& L() const { return L_; }

 private:
  Matrix Q_, L_;
  Vector reflector_scales_, work_;
};

/// z given r, in the form above.
class SquareRootPosterior {
 public:
  /// `rows` are [G, r], or any rows with the same products, such as their triangular factor. They are
  /// scratch memory afterwards. False if a number is not finite. `triangular` promises that the rows form an
  /// upper triangular matrix.
  bool condition(MatrixSpan rows, double noise, bool triangular = false);

  /// E[z | r].
  const Vector& mean() const { return mean_; }

  /// r^T (G G^T + s^2 I)^{-1} r.
  double misfit() const { return misfit_; }

  /// log det P.
  double log_determinant() const { return log_determinant_; }

  /// F <- s T11^{-T} F: a column g becomes a vector whose squared length is var[g . z | r].
  void whiten_in_place(MatrixSpan F) const;

  /// n <- s T11^{-1} n: standard normals become a draw of z - E[z | r].
  void spread_in_place(MatrixSpan n) const;

 private:
  StackedFactor factor_;
  Vector prior_;  ///< the diagonal of s I and the 0 after it
  Vector mean_;
  double noise_ = 1;
  double misfit_ = 0;
  double log_determinant_ = 0;
};

}  // namespace ridgelet
