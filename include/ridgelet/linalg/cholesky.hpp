/// The Cholesky factor of a positive definite matrix, by LAPACK's dpotrf: K = C C^T, C lower triangular.
///
/// Eigen's own LLT does not call LAPACK; for hundreds of rows and more the blocked LAPACK routine takes half
/// the time. Beyond `block` rows the blocks are ours: threads share them, and the work can be cancelled between
/// them (core/cancellation.hpp). Cost n^3 / 3, then n^2 for each right-hand side.
#pragma once

#include <optional>

#include "ridgelet/core/types.hpp"
#include "ridgelet/linalg/triangular.hpp"

namespace ridgelet {

class Cholesky {
 public:
  /// The factor of K (its lower triangle is read), or nothing if K is not positive definite in doubles.
  static std::optional<Cholesky> of(Matrix K, Index block = triangular_block);

  explicit Cholesky(Index block = triangular_block) : block_(block) {}

  /// The factor of scale K + shift I into this object, whose memory is used again; false if that is not
  /// positive definite.
  bool compute(const MatrixView& K, double scale = 1, double shift = 0);

  /// K^{-1} F.
  Matrix solve(const MatrixView& F) const;

  /// C^{-1} F: F in coordinates in which K is the identity.
  Matrix whiten(const MatrixView& F) const;

  /// F <- K^{-1} F, F <- C^{-1} F and F <- C^{-T} F, without allocating. The last turns standard normals into draws
  /// with covariance K^{-1}.
  void solve_in_place(MatrixSpan F) const;
  void whiten_in_place(MatrixSpan F) const;
  void solve_transposed_in_place(MatrixSpan F) const;

  /// C x and C^T x.
  Vector times(const VectorView& x) const;
  Vector transposed_times(const VectorView& x) const;

  /// K^{-1} = C^{-T} C^{-1} into the lower triangle of a matrix whose memory is used again; what stands above the
  /// diagonal has no meaning. One block is LAPACK's dpotri. Cost 2 n^3 / 3.
  void inverse_into(Matrix& inverse) const;

  /// log det K = 2 sum_i log C_ii.
  double log_determinant() const;

 private:
  bool factorise();
  Index blocks() const { return (C_.rows() + block_ - 1) / block_; }

  Index block_;
  Matrix C_;
};

}  // namespace ridgelet
