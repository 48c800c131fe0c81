/// Products of matrices by BLAS, each on the calling thread.
///
/// Eigen's own products are compiled for the oldest processor that the library runs on; OpenBLAS chooses its code at
/// run time and is several times faster. Every product whose cost matters goes through here. blocked.hpp spreads large
/// ones over threads.
#pragma once

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// C += A B.
void add_product(MatrixSpan C, const MatrixView& A, const MatrixView& B);

/// C += A^T B.
void add_transposed_product(MatrixSpan C, const MatrixView& A, const MatrixView& B);

/// C += A B^T.
void add_product_transposed(MatrixSpan C, const MatrixView& A, const MatrixView& B);

/// C += A^T B^T.
void add_transposed_product_transposed(MatrixSpan C, const MatrixView& A, const MatrixView& B);

/// The lower triangle of C += A A^T and of C += A^T A, at half the cost of a product; what stands above the diagonal is
/// left alone.
void add_gram(MatrixSpan C, const MatrixView& A);
void add_transposed_gram(MatrixSpan C, const MatrixView& A);

/// C -= A B, C -= A^T B and C -= A B^T.
void subtract_product(MatrixSpan C, const MatrixView& A, const MatrixView& B);
void subtract_transposed_product(MatrixSpan C, const MatrixView& A, const MatrixView& B);
void subtract_product_transposed(MatrixSpan C, const MatrixView& A, const MatrixView& B);

/// The lower triangle of C -= A A^T.
void subtract_gram(MatrixSpan C, const MatrixView& A);

/// C = A B, C = A^T B and C = A B^T.
void set_product(MatrixSpan C, const MatrixView& A, const MatrixView& B);
void set_transposed_product(MatrixSpan C, const MatrixView& A, const MatrixView& B);
void set_product_transposed(MatrixSpan C, const MatrixView& A, const MatrixView& B);

/// A B, A^T B and A B^T.
Matrix product(const MatrixView& A, const MatrixView& B);
Matrix transposed_product(const MatrixView& A, const MatrixView& B);
Matrix product_transposed(const MatrixView& A, const MatrixView& B);

}  // namespace ridgelet
