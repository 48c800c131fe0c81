#include "ridgelet/fitting/reach.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

ModelSettings model_to_reach(const std::string& kernel = "se()") {
  ModelSettings settings;
  settings.kernel = kernel;
  return settings;
}

std::string complaint_about_reach(const ModelSettings& settings) {
  return complaint_of([&] { require_reach(settings, region_of(settings)); });
}

TEST(Reach, NamesWhatWasGivenAndNotTheBiasesThatFollow) {
  const std::string rule = " that sigma-b, which follows from it, is finite in doubles, got ";
  ModelSettings wide = model_to_reach(), margin = model_to_reach(), turning = model_to_reach(),
                rough = model_to_reach("se(lengthscale=1e-300)");
  wide.domain = "0:1e308";
  margin.margin = 1e300;
  turning.sigma_w = 1e300;
  EXPECT_EQ(complaint_about_reach(wide), "domain: must be so narrow" + rule + "0:1e308");
  EXPECT_EQ(complaint_about_reach(margin), "margin: must be so small" + rule + "1e+300");
  EXPECT_EQ(complaint_about_reach(turning), "sigma_w: must be so small" + rule + "1e+300");
  EXPECT_EQ(complaint_about_reach(rough), "kernel: must be so smooth" + rule + "se(lengthscale=1e-300)");
}

TEST(Reach, AsksNothingWhereItIsShortOrGiven) {
  ModelSettings given = model_to_reach("se(lengthscale=1e-300)"),
                large = model_to_reach("se(lengthscale=1e-40)");
  given.sigma_b = 1;
  large.domain = "0:1e60";
  EXPECT_EQ(complaint_about_reach(model_to_reach()), "");
  EXPECT_EQ(complaint_about_reach(model_to_reach("linear() + white()")), "");
  EXPECT_EQ(complaint_about_reach(large), "");
  EXPECT_EQ(complaint_about_reach(given), "");
}

}  // namespace
}  // namespace ridgelet
