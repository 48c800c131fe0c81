#include "ridgelet/linalg/products.hpp"

#include "linalg/blas.hpp"

namespace ridgelet {

namespace {

/// C = alpha op(A) op(B) + beta C, where op(A) has `inner` columns.
void gemm(CBLAS_TRANSPOSE op_a, CBLAS_TRANSPOSE op_b, Index inner, const MatrixView& A, const MatrixView& B,
          double alpha, double beta, MatrixSpan& C) {
  if (C.size() == 0) return;
  if (inner == 0) {
    if (beta == 0) C.setZero();
    return;
  }
  const SingleThreadedBlas one_thread;
  const auto as_int = [](Index value) { return static_cast<blasint>(value); };
  cblas_dgemm(CblasColMajor, op_a, op_b, as_int(C.rows()), as_int(C.cols()), as_int(inner), alpha, A.data(),
              as_int(A.outerStride()), B.data(), as_int(B.outerStride()), beta, C.data(),
              as_int(C.outerStride()));
}

/// The lower triangle of C += alpha op(A) op(A)^T, where op(A) has `inner` columns.
void syrk(CBLAS_TRANSPOSE op, Index inner, const MatrixView& A, double alpha, MatrixSpan& C) {
  if (C.size() == 0 || inner == 0) return;
  const SingleThreadedBlas one_thread;
  cblas_dsyrk(CblasColMajor, CblasLower, op, static_cast<blasint>(C.rows()), static_cast<blasint>(inner),
              alpha, A.data(), static_cast<blasint>(A.outerStride()), 1, C.data(),
              static_cast<blasint>(C.outerStride()));
}

}  // namespace

void add_product(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  gemm(CblasNoTrans, CblasNoTrans, A.cols(), A, B, 1, 1, C);
}

void add_transposed_product(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  gemm(CblasTrans, CblasNoTrans, A.rows(), A, B, 1, 1, C);
}

void add_product_transposed(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  gemm(CblasNoTrans, CblasTrans, A.cols(), A, B, 1, 1, C);
}

void add_transposed_product_transposed(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  gemm(CblasTrans, CblasTrans, A.rows(), A, B, 1, 1, C);
}

void add_gram(MatrixSpan C, const MatrixView& A) {
  syrk(CblasNoTrans, A.cols(), A, 1, C);
}

void add_transposed_gram(MatrixSpan C, const MatrixView& A) {
  syrk(CblasTrans, A.rows(), A, 1, C);
}

void subtract_product(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  gemm(CblasNoTrans, CblasNoTrans, A.cols(), A, B, -1, 1, C);
}

void subtract_transposed_product(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  gemm(CblasTrans, CblasNoTrans, A.rows(), A, B, -1, 1, C);
}

void subtract_product_transposed(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  gemm(CblasNoTrans, CblasTrans, A.cols(), A, B, -1, 1, C);
}

void subtract_gram(MatrixSpan C, const MatrixView& A) {
  syrk(CblasNoTrans, A.cols(), A, -1, C);
}

void set_product(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  gemm(CblasNoTrans, CblasNoTrans, A.cols(), A, B, 1, 0, C);
}

void set_transposed_product(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  gemm(CblasTrans, CblasNoTrans, A.rows(), A, B, 1, 0, C);
}

void set_product_transposed(MatrixSpan C, const MatrixView& A, const MatrixView& B) {
  gemm(CblasNoTrans, CblasTrans, A.cols(), A, B, 1, 0, C);
}

Matrix product(const MatrixView& A, const MatrixView& B) {
  Matrix C(A.rows(), B.cols());
  set_product(C, A, B);
  return C;
}

Matrix transposed_product(const MatrixView& A, const MatrixView& B) {
  Matrix C(A.cols(), B.cols());
  set_transposed_product(C, A, B);
  return C;
}

Matrix product_transposed(const MatrixView& A, const MatrixView& B) {
  Matrix C(A.rows(), B.rows());
  set_product_transposed(C, A, B);
  return C;
}

}  // namespace ridgelet
