#include "ridgelet/network/scaling.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"

namespace ridgelet {
namespace {

TEST(Scaling, StandardisesColumnsAndComesBack) {
  const Matrix X = table().X;
  const Scaling scaling = Scaling::standardising(X);
  const Matrix standard = scaling.apply(X);
  for (Index k = 0; k < 2; ++k) {
    EXPECT_NEAR(standard.col(k).mean(), 0, 1e-15);
    EXPECT_NEAR(standard.col(k).squaredNorm() / 4, 1, 1e-15);
  }
  EXPECT_LT(relative_error(scaling.undo(standard), X), two_routes);
}

TEST(Scaling, OfNothingChangesNothing) {
  const Matrix X = table().X;
  EXPECT_EQ(Scaling::none(2).apply(X), X);
  EXPECT_EQ(Scaling::none(2).undo(X), X);
}

TEST(Scaling, WithoutNumbersChangesNothing) {
  const Matrix X{{1, 2}, {3, 4}};
  EXPECT_EQ(Scaling().apply(X), X);
  EXPECT_EQ(Scaling().undo(X), X);
}

}  // namespace
}  // namespace ridgelet
