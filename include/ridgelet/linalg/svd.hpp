/// Singular values and eigenvalues by LAPACK.
///
///   F = U diag(S) V^T,   U and V with orthonormal columns,   S_1 >= S_2 >= ... >= 0
/// Cost of an n x R matrix about 6 max(n, R) min(n, R)^2 (dgesdd).
#pragma once

#include "ridgelet/core/types.hpp"

namespace ridgelet {

struct SingularValueDecomposition {
  Matrix U;  ///< n x min(n, R), or n x n
  Vector S;  ///< min(n, R) of them, the largest first
  Matrix V;  ///< R x min(n, R), or R x R

  /// Singular values above rounding: larger than S_1 times min(n, R) times 2.2e-16.
  Index rank() const;

  /// F^+ b, the shortest least-squares solution of F x = b.
  Vector solve(const VectorView& b) const;
};

/// U and V with min(n, R) columns.
SingularValueDecomposition thin_svd(const MatrixView& F);

/// U and V square: the columns of V past the rank are an orthonormal basis of the null space of F.
SingularValueDecomposition full_svd(const MatrixView& F);

/// The singular values alone.
Vector singular_values(const MatrixView& F);

/// The eigenvalues of a symmetric matrix (its lower triangle is read), the smallest first (dsyevd).
Vector symmetric_eigenvalues(Matrix S);

/// S = vectors diag(values) vectors^T.
struct SymmetricEigenDecomposition {
  Vector values;   ///< the smallest first
  Matrix vectors;  ///< orthonormal columns
};

/// The same with its vectors, at a cost of about 4 n^3.
SymmetricEigenDecomposition symmetric_eigen(Matrix S);

}  // namespace ridgelet
