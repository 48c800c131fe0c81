#include "ridgelet/target/mean/affine.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

TEST(AffineForm, HasTheCoefficientsOfALinearExpression) {
  const auto affine = affine_form(MeanFunction("0.06*x1 - 3*(x2 - 1000)/4"), 3);
  ASSERT_TRUE(affine);
  EXPECT_DOUBLE_EQ(affine->constant, 750);
  EXPECT_DOUBLE_EQ(affine->slope(0), 0.06);
  EXPECT_DOUBLE_EQ(affine->slope(1), -0.75);
  EXPECT_EQ(affine->slope(2), 0);
}

TEST(AffineForm, IsTheFunctionItself) {
  const Matrix X = 1e3 * RandomStream{.seed = 2}.normals(50, 2);
  for (const char* text : {"0", "2.5", "x", "330 + 0.12*x", "x1 + 1e-6*x2", "-(x1 - x2)*pi"}) {
    const MeanFunction mean(text);
    const auto affine = affine_form(mean, 2);
    ASSERT_TRUE(affine) << text;
    const Vector difference = (*affine)(X)-mean(X);
    EXPECT_LE(difference.lpNorm<Eigen::Infinity>(), 1e-14 * mean(X).lpNorm<Eigen::Infinity>()) << text;
  }
}

TEST(AffineForm, RefusesWhatOnlyLooksLinearSomewhere) {
  for (const char* text : {"x^2", "abs(x)", "max(x, -1000)", "x1*x2", "1e-3*x + sin(x)", "x + (x > 0.5)",
                           "log(x)", "1/x", "x + 1e-7*x^2"})
    EXPECT_FALSE(affine_form(MeanFunction(text), 2)) << text;
}

}  // namespace
}  // namespace ridgelet
