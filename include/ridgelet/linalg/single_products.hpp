/// Matrices in single precision, for sums whose last digits do not matter, and their products by BLAS.
///
/// A number has 24 bits: rounding changes it by at most 6e-8 of itself. A product takes half the time of one in double
/// precision (products.hpp), on the calling thread.
#pragma once

#include "ridgelet/core/types.hpp"

namespace ridgelet {

using SingleMatrix = Eigen::MatrixXf;
using SingleView = Eigen::Ref<const SingleMatrix>;
using SingleSpan = Eigen::Ref<SingleMatrix>;

/// C = A B and C = A B^T.
void set_single_product(SingleSpan C, const SingleView& A, const SingleView& B);
void set_single_product_transposed(SingleSpan C, const SingleView& A, const SingleView& B);

}  // namespace ridgelet
