#include "ridgelet/network/scaling.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::two_routes;

const Matrix X{{1, 10}, {2, 30}, {3, 20}, {6, 40}};

TEST(Scaling, StandardisesColumnsAndComesBack) {
  const Scaling scaling = Scaling::standardising(X);
  const Matrix standard = scaling.apply(X);
  for (Index k = 0; k < 2; ++k) {
    EXPECT_NEAR(standard.col(k).mean(), 0, 1e-15);
    EXPECT_NEAR(standard.col(k).squaredNorm() / 4, 1, 1e-15);
  }
  EXPECT_LT(relative_error(scaling.undo(standard), X), two_routes);
}

TEST(Scaling, OfNothingChangesNothing) {
  EXPECT_EQ(Scaling::none(2).apply(X), X);
  EXPECT_EQ(Scaling::none(2).undo(X), X);
}

TEST(Scaling, WithoutNumbersChangesNothing) {
  EXPECT_EQ(Scaling().apply(X), X);
  EXPECT_EQ(Scaling().undo(X), X);
}

TEST(Scaling, StandardisesNumbersWhoseSquaresLeaveTheRangeOfADouble) {
  for (const double unit : {1e200, 1e-200}) {
    const Scaling scaling = Scaling::standardising(unit * X);
    EXPECT_LT(relative_error(scaling.apply(unit * X), Scaling::standardising(X).apply(X)), two_routes)
        << unit;
  }
}

TEST(Scaling, RefusesColumnsThatDoublesCannotStandardise) {
  const Matrix huge{{-1.7e308}, {1.7e308}}, equal{{3}, {3}};
  for (const Matrix& column : {huge, equal})
    EXPECT_EQ(complaint_of([&] { Scaling::standardising(column); }),
              "data: has numbers too large, or too close together, to standardise");
}

}  // namespace
}  // namespace ridgelet
