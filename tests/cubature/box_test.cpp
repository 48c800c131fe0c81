#include "ridgelet/cubature/box.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

std::string complaint_about(const std::string& text) {
  return complaint_of([&] { parse_box(text, "domain"); });
}

TEST(Box, ReadsOneIntervalForEachInput) {
  const Box box = parse_box("-5:5,0:1.5,-2e-1:3", "domain");
  ASSERT_EQ(box.dimension(), 3);
  EXPECT_EQ(box.lower, Eigen::Vector3d(-5, 0, -0.2));
  EXPECT_EQ(box.upper, Eigen::Vector3d(5, 1.5, 3));
}

TEST(Box, ReadsBackWhatItWrites) {
  EXPECT_TRUE(rc::check("parse_box(text(box)) is box", [](double centre, double width) {
    RC_PRE(std::isfinite(centre) && std::isfinite(width));
    const Box box{.lower = Eigen::Vector2d(centre, -1),
                  .upper = Eigen::Vector2d(centre + std::abs(width), 1.0 / 3)};
    RC_PRE(box.lower(0) < box.upper(0));
    const Box again = parse_box(text(box), "domain");
    RC_ASSERT(again.lower == box.lower);
    RC_ASSERT(again.upper == box.upper);
  }));
}

TEST(Box, WritesLowAndHighOfEachInput) {
  EXPECT_EQ(text(parse_box("-5:5,0:1", "domain")), "-5:5,0:1");
}

TEST(Box, HasTheProductOfItsSidesAsVolume) {
  EXPECT_DOUBLE_EQ(parse_box("-5:5,0:0.5,1:4", "domain").volume(), 15);
}

TEST(Box, ReachesTheMarginFurtherOnBothSidesWhenWidened) {
  const Box wide = parse_box("-5:5,0:1", "domain").widened(Eigen::Vector2d(1, 0.25));
  EXPECT_EQ(text(wide), "-6:6,-0.25:1.25");
}

TEST(Box, OfACubeIsSymmetricOnEveryAxis) {
  EXPECT_EQ(text(Box::cube(2.5, 3)), "-2.5:2.5,-2.5:2.5,-2.5:2.5");
}

TEST(Box, RefusesLowNotBelowHigh) {
  const std::string rule = "domain: must have LO below HI, both finite, for every input, got ";
  EXPECT_EQ(complaint_about("5:-5"), rule + "5:-5 for input 1");
  EXPECT_EQ(complaint_about("0:1,2:2"), rule + "2:2 for input 2");
}

TEST(Box, RefusesBoundsThatAreNotFinite) {
  const std::string rule = "domain: must have LO below HI, both finite, for every input, got ";
  EXPECT_EQ(complaint_about("nan:5"), rule + "nan:5 for input 1");
  EXPECT_EQ(complaint_about("0:1,-5:nan"), rule + "-5:nan for input 2");
  EXPECT_EQ(complaint_about("-inf:5"), rule + "-inf:5 for input 1");
  EXPECT_EQ(complaint_about("0:inf"), rule + "0:inf for input 1");
}

TEST(Box, RefusesAWidthThatDoublesDoNotHold) {
  EXPECT_EQ(
      complaint_about("0:1,-1e308:1e308"),
      "domain: must have LO and HI so near that doubles hold HI - LO for every input, got -1e+308:1e+308 "
      "for input 2");
}

TEST(Box, RefusesTextThatIsNoInterval) {
  const std::string rule = "domain: must be LO:HI for each input, such as -5:5 or -5:5,0:1, got ";
  for (const std::string text :
       {"", "5", "a:b", "-5:", ":5", "-5:5,", "-5:5;0:1", "-5:5x", "1:2:3", "-5 : 5"})
    EXPECT_EQ(complaint_about(text), rule + "'" + text + "'");
}

TEST(Box, RefusesToHaveNoInputs) {
  EXPECT_EQ(complaint_of([] { validate(Box{}, "domain"); }), "domain: must be at least 1, got 0");
}

}  // namespace
}  // namespace ridgelet
