#include "ridgelet/linalg/single_products.hpp"

#include "linalg/blas.hpp"

namespace ridgelet {

namespace {

/// C = A op(B).
void gemm(CBLAS_TRANSPOSE op_b, const SingleView& A, const SingleView& B, SingleSpan& C) {
  if (C.size() == 0) return;
  if (A.cols() == 0) {
    C.setZero();
    return;
  }
  const SingleThreadedBlas one_thread;
  const auto as_int = [](Index value) { return static_cast<blasint>(value); };
  cblas_sgemm(CblasColMajor, CblasNoTrans, op_b, as_int(C.rows()), as_int(C.cols()), as_int(A.cols()), 1,
              A.data(), as_int(A.outerStride()), B.data(), as_int(B.outerStride()), 0, C.data(),
              as_int(C.outerStride()));
}

}  // namespace

void set_single_product(SingleSpan C, const SingleView& A, const SingleView& B) {
  gemm(CblasNoTrans, A, B, C);
}

void set_single_product_transposed(SingleSpan C, const SingleView& A, const SingleView& B) {
  gemm(CblasTrans, A, B, C);
}

}  // namespace ridgelet
