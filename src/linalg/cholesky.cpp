#include "ridgelet/linalg/cholesky.hpp"

#include <algorithm>
#include <utility>

#include "linalg/blas.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/linalg/blocked.hpp"
#include "ridgelet/linalg/products.hpp"

namespace ridgelet {

namespace {

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

/// block <- triangle^T block.
void multiply_by_transposed(MatrixSpan block, const MatrixView& triangle) {
  const SingleThreadedBlas one_thread;
  cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit,
              static_cast<blasint>(block.rows()), static_cast<blasint>(block.cols()), 1, triangle.data(),
              static_cast<blasint>(triangle.outerStride()), block.data(),
              static_cast<blasint>(block.outerStride()));
}

/// The lower triangle of triangle^T triangle, in its place.
void square_triangle(MatrixSpan triangle) {
  const char lower = 'L';
  const auto n = static_cast<lapack_int>(triangle.rows());
  const auto stride = static_cast<lapack_int>(triangle.outerStride());
  lapack_int info = 0;
  const SingleThreadedBlas one_thread;
  LAPACK_dlauum(&lower, &n, triangle.data(), &stride, &info);
}

/// Overwrites C with the inverse of C C^T, in one call.
void invert_block(Matrix& C) {
  const char lower = 'L';
  const auto n = static_cast<lapack_int>(C.rows());
  lapack_int info = 0;
  const SingleThreadedBlas one_thread;
  LAPACK_dpotri(&lower, &n, C.data(), &n, &info);
}

}  // namespace

bool Cholesky::factorise() {
  // Panel after panel from the left; what is to its right is brought up to date with each.
  for (Index first = 0; first < C_.rows(); first += block_) {
    throw_if_cancelled();
    const Index size = std::min(block_, C_.rows() - first), below = C_.rows() - first - size;
    auto diagonal = C_.block(first, first, size, size);
    auto panel = C_.block(first + size, first, below, size);
    if (!factorise_block(diagonal)) return false;
    parallel_for((below + block_ - 1) / block_, [&](Index i) {
      solve_rows(panel.middleRows(i * block_, std::min(block_, below - i * block_)), diagonal);
    });
    reduce_by_gram(C_.bottomRightCorner(below, below), panel, block_);
  }
  return true;
}

std::optional<Cholesky> Cholesky::of(Matrix K, Index block) {
  Cholesky factor(block);
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
  solve_triangular(C_, Triangle::lower, F, block_);
}

void Cholesky::solve_transposed_in_place(MatrixSpan F) const {
  solve_transposed_triangular(C_, Triangle::lower, F, block_);
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
  const Index n = C_.rows();
  if (n <= block_) {
    inverse = C_;
    return invert_block(inverse);
  }
  inverse.resize(n, n);
  const auto size = [&](Index p) { return std::min(block_, n - p * block_); };
  // W = C^{-1}, a panel of columns at a time.
  parallel_for(blocks(), [&](Index p) {
    const Index first = p * block_, below = n - first;
    auto panel = inverse.block(first, first, below, size(p));
    panel.setIdentity();
    solve_triangular(C_.bottomRightCorner(below, below), Triangle::lower, panel, block_);
  });
  // W^T W takes the place of W: row p of blocks needs W's rows from p on, none of which has been overwritten by then.
  for (Index p = 0; p < blocks(); ++p) {
    const Index first = p * block_, below = n - first - size(p);
    auto diagonal = inverse.block(first, first, size(p), size(p));
    const auto under_diagonal = inverse.block(first + size(p), first, below, size(p));
    parallel_for(p, [&](Index q) {
      auto block = inverse.block(first, q * block_, size(p), block_);
      multiply_by_transposed(block, diagonal);
      add_transposed_product(block, under_diagonal, inverse.block(n - below, q * block_, below, block_));
    });
    throw_if_cancelled();
    square_triangle(diagonal);
    add_transposed_gram(diagonal, under_diagonal);
  }
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
