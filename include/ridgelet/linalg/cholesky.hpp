/// The Cholesky factor of a symmetric positive definite matrix, by LAPACK's dpotrf: K = C C^T, C lower
/// triangular.
///
/// Eigen's own LLT does not call LAPACK; for hundreds of rows and more the blocked LAPACK routine takes half
/// the time. Cost n^3 / 3, then n^2 a right-hand side.
#pragma once

#include <optional>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

class Cholesky {
 public:
  /// The factor of K (its lower triangle is read), or nothing if K is not positive definite in double
  /// precision.
  static std::optional<Cholesky> of(Matrix K);

  /// K^{-1} F.
  Matrix solve(const MatrixView& F) const;

  /// C^{-1} F: F in coordinates in which K is the identity.
  Matrix whiten(const MatrixView& F) const;

  /// C^{-T} F: turns standard normals into draws with covariance K^{-1}.
  Matrix solve_transposed(const MatrixView& F) const;

  /// log det K = 2 sum_i log C_ii.
  double log_determinant() const;

 private:
  explicit Cholesky(Matrix C) : C_(std::move(C)) {}
  Matrix C_;
};

}  // namespace ridgelet
