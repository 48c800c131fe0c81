#include "ridgelet/linalg/single_products.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "numbers.hpp"

namespace ridgelet {
namespace {

/// Sums of up to 40 terms, each rounded.
constexpr double single_roundoff = 40 * 6e-8;

TEST(SingleProducts, AreThoseOfDoublePrecisionButForRounding) {
  for (const Index inner : {1, 7, 40}) {
    const Matrix A = testing::numbers(5, inner, 1), B = testing::numbers(inner, 3, 2);
    SingleMatrix C = SingleMatrix::Constant(5, 3, 9);
    set_single_product(C, A.cast<float>(), B.cast<float>());
    EXPECT_LT(testing::relative_error(C.cast<double>(), A * B), single_roundoff) << inner;
    C.setConstant(9);
    set_single_product_transposed(C, A.cast<float>(), B.transpose().cast<float>());
    EXPECT_LT(testing::relative_error(C.cast<double>(), A * B), single_roundoff) << inner;
  }
}

TEST(SingleProducts, OfNothingAreZero) {
  SingleMatrix C = SingleMatrix::Constant(2, 2, 9);
  set_single_product(C, SingleMatrix(2, 0), SingleMatrix(0, 2));
  EXPECT_EQ(C, SingleMatrix::Zero(2, 2));
}

}  // namespace
}  // namespace ridgelet
