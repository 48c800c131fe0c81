#include "ridgelet/linalg/cholesky.hpp"

#include <algorithm>
#include <utility>

#include "linalg/blas.hpp"
#include "ridgelet/core/parallel.hpp"

namespace ridgelet {

namespace {

/// Work on a large factor is cut into pieces of so many rows or columns: they are shared by threads, and between
/// them a factorisation of minutes can be cancelled.
constexpr Index piece = 512;

Index pieces(Index size) {
  return (size + piece - 1) / piece;
}

/// F <- op(C)^{-1} F by LAPACK's dtrtrs, op the identity ('N') or the transpose ('T').
void triangular_solve(const Matrix& C, char transposed, MatrixSpan F) {
  const auto n = static_cast<lapack_int>(C.rows());
  const auto stride = static_cast<lapack_int>(F.outerStride());
  const char lower = 'L', not_unit = 'N';
  if (n == 0) return;
  parallel_for(pieces(F.cols()), [&](Index p) {
    auto part = F.middleCols(p * piece, std::min(piece, F.cols() - p * piece));
    const auto columns = static_cast<lapack_int>(part.cols());
    lapack_int info = 0;
    const SingleThreadedBlas one_thread;
    LAPACK_dtrtrs(&lower, &transposed, &not_unit, &n, &columns, C.data(), &n, part.data(), &stride, &info);
  });
}

/// The factor of a block on the diagonal, in its place; false if it is not positive definite.
bool factorise_block(MatrixSpan block) {
  const char lower = 'L';
  const auto n = static_cast<lapack_int>(block.rows()), stride = static_cast<lapack_int>(block.outerStride());
  lapack_int info = 0;
  const SingleThreadedBlas one_thread;
  LAPACK_dpotrf(&lower, &n, block.data(), &stride, &info);
  // A NaN passes LAPACK's test of the pivot, so look at the diagonal as well.
  return info == 0 && block.diagonal().allFinite();
}

/// rows <- rows block^{-T}, where the block is lower triangular.
void solve_rows(MatrixSpan rows, const MatrixView& block) {
  const SingleThreadedBlas one_thread;
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit,
              static_cast<blasint>(rows.rows()), static_cast<blasint>(rows.cols()), 1, block.data(),
              static_cast<blasint>(block.outerStride()), rows.data(),
              static_cast<blasint>(rows.outerStride()));
}

/// target <- target - A B^T.
void subtract_product(MatrixSpan target, const MatrixView& A, const MatrixView& B) {
  const SingleThreadedBlas one_thread;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, static_cast<blasint>(target.rows()),
              static_cast<blasint>(target.cols()), static_cast<blasint>(A.cols()), -1, A.data(),
              static_cast<blasint>(A.outerStride()), B.data(), static_cast<blasint>(B.outerStride()), 1,
              target.data(), static_cast<blasint>(target.outerStride()));
}

}  // namespace

bool Cholesky::factorise() {
  const Index n = C_.rows();
  const auto size = [&](Index p) { return std::min(piece, n - p * piece); };
  const auto block = [&](Index p, Index q) { return C_.block(p * piece, q * piece, size(p), size(q)); };
  // Panel after panel from the left; the panels to its right are brought up to date with each.
  for (Index p = 0; p < pieces(n); ++p) {
    if (!factorise_block(block(p, p))) return false;
    const Index below = pieces(n) - p - 1;
    parallel_for(below, [&](Index i) { solve_rows(block(p + 1 + i, p), block(p, p)); });
    parallel_for(below * below, [&](Index pair) {
      const Index row = p + 1 + pair / below, column = p + 1 + pair % below;
      if (row >= column) subtract_product(block(row, column), block(row, p), block(column, p));
    });
  }
  return true;
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

void Cholesky::inverse_into(Matrix& inverse) const {
  inverse = C_;
  const char lower = 'L';
  const auto n = static_cast<lapack_int>(C_.rows());
  lapack_int info = 0;
  const SingleThreadedBlas one_thread;
  LAPACK_dpotri(&lower, &n, inverse.data(), &n, &info);
}

Vector Cholesky::times(const VectorView& x) const {
  return C_.triangularView<Eigen::Lower>() * x;
}

Vector Cholesky::transposed_times(const VectorView& x) const {
  return C_.transpose().triangularView<Eigen::Upper>() * x;
}

double Cholesky::log_determinant() const {
  return 2 * C_.diagonal().array().log().sum();
}

}  // namespace ridgelet
