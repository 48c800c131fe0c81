#include "ridgelet/linalg/cholesky.hpp"

#include <utility>

#include "linalg/blas.hpp"

namespace ridgelet {

namespace {

/// F <- op(C)^{-1} F by BLAS's dtrsm, op the identity ('N') or the transpose ('T').
void triangular_solve(const Matrix& C, char transposed, MatrixSpan F) {
  const auto n = static_cast<lapack_int>(C.rows());
  const auto columns = static_cast<lapack_int>(F.cols());
  const auto stride = static_cast<lapack_int>(F.outerStride());
  const char lower = 'L', not_unit = 'N';
  lapack_int info = 0;
  const SingleThreadedBlas one_thread;
  if (n > 0 && columns > 0)
    LAPACK_dtrtrs(&lower, &transposed, &not_unit, &n, &columns, C.data(), &n, F.data(), &stride, &info);
}

}  // namespace

bool Cholesky::factorise() {
  const char lower = 'L';
  const auto n = static_cast<lapack_int>(C_.rows());
  lapack_int info = 0;
  const SingleThreadedBlas one_thread;
  if (n > 0) LAPACK_dpotrf(&lower, &n, C_.data(), &n, &info);
  // A NaN passes LAPACK's test of the pivot, so look at the diagonal as well.
  return info == 0 && C_.diagonal().allFinite();
}

std::optional<Cholesky> Cholesky::of(Matrix K) {
  Cholesky factor;
  factor.C_ = std::move(K);
  return factor.factorise() ? std::optional(std::move(factor)) : std::nullopt;
}

bool Cholesky::compute(const MatrixView& K, double scale, double shift) {
  C_ = scale * K;
  C_.diagonal().array() += shift;
  return factorise();
}

void Cholesky::solve_in_place(MatrixSpan F) const {
  whiten_in_place(F);
  solve_transposed_in_place(F);
}

void Cholesky::whiten_in_place(MatrixSpan F) const {
  triangular_solve(C_, 'N', F);
}

void Cholesky::solve_transposed_in_place(MatrixSpan F) const {
  triangular_solve(C_, 'T', F);
}

Matrix Cholesky::solve(const MatrixView& F) const {
  Matrix solution = F;
  solve_in_place(solution);
  return solution;
}

Matrix Cholesky::whiten(const MatrixView& F) const {
  Matrix whitened = F;
  whiten_in_place(whitened);
  return whitened;
}

Matrix Cholesky::solve_transposed(const MatrixView& F) const {
  Matrix solution = F;
  solve_transposed_in_place(solution);
  return solution;
}

double Cholesky::log_determinant() const {
  return 2 * C_.diagonal().array().log().sum();
}

}  // namespace ridgelet
