#include "ridgelet/transform/bandwidth.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

TEST(Bandwidth, IsOneForAllInputsOrOneForEach) {
  const Bandwidth all = 3, each = {3, 1, 0.5};
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(all[k], 3);
  EXPECT_EQ(each[0], 3);
  EXPECT_EQ(each[2], 0.5);
  EXPECT_DOUBLE_EQ(all.product(3), 27);
  EXPECT_DOUBLE_EQ(each.product(3), 1.5);
  EXPECT_EQ(each.smallest(), 0.5);
  EXPECT_EQ(each.largest(), 3);
  const Matrix X = Matrix::Ones(2, 3), scaled{{3, 1, 0.5}, {3, 1, 0.5}};
  EXPECT_EQ(each.scale(X), scaled);
  EXPECT_EQ(all.scale(X), 3 * X);
}

TEST(Bandwidth, ReadsWhatItWrites) {
  for (const Bandwidth& bandwidth : {Bandwidth(3), Bandwidth({3, 1}), Bandwidth({0.1, 1e-7, 2.5})})
    EXPECT_EQ(Bandwidth::parse(bandwidth.text(), "sigma-w"), bandwidth);
  EXPECT_EQ(Bandwidth({3, 1}).text(), "3,1");
  for (const std::string text : {"", "three", "3,", ",3", "3;1", "3, 1", "3,,1"})
    EXPECT_EQ(complaint_of([&] { Bandwidth::parse(text, "sigma-w"); }),
              "sigma-w: must be a number, or one for each input such as 3,1, got '" + text + "'");
}

}  // namespace
}  // namespace ridgelet
