#include "ridgelet/fitting/reach.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

ModelSettings model(const std::string& kernel = "se()") {
  ModelSettings settings;
  settings.kernel = kernel;
  return settings;
}

std::string complaint(const ModelSettings& settings) {
  return complaint_of([&] { require_reach(settings, region_of(settings)); });
}

TEST(Reach, NamesWhatWasGivenAndNotTheBiasesThatFollow) {
  const std::string rule = " that sigma-b, which follows from it, is finite in doubles, got ";
  ModelSettings wide = model(), margin = model(), turning = model(), rough = model("se(lengthscale=1e-300)");
  wide.domain = "0:1e308";
  margin.margin = 1e300;
  turning.sigma_w = 1e300;
  EXPECT_EQ(complaint(wide), "domain: must be so narrow" + rule + "0:1e308");
  EXPECT_EQ(complaint(margin), "margin: must be so small" + rule + "1e+300");
  EXPECT_EQ(complaint(turning), "sigma_w: must be so small" + rule + "1e+300");
  EXPECT_EQ(complaint(rough), "kernel: must be so smooth" + rule + "se(lengthscale=1e-300)");
}

TEST(Reach, AsksNothingWhereItIsShortOrGiven) {
  ModelSettings given = model("se(lengthscale=1e-300)"), large = model("se(lengthscale=1e-40)");
  given.sigma_b = 1;
  large.domain = "0:1e60";
  EXPECT_EQ(complaint(model()), "");
  EXPECT_EQ(complaint(model("linear() + white()")), "");
  EXPECT_EQ(complaint(large), "");
  EXPECT_EQ(complaint(given), "");
}

}  // namespace
}  // namespace ridgelet
