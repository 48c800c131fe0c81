#include "ridgelet/core/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace ridgelet {
namespace {

const std::vector<std::string> activations = {"tanh", "sigmoid", "gaussian", "relu"};

TEST(Shortest, WritesNumbersAsAPersonWould) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(1.5), "1.5");
  EXPECT_EQ(shortest(2), "2");
  EXPECT_EQ(shortest(-3), "-3");
  EXPECT_EQ(shortest(1e-6), "1e-06");
}

RC_GTEST_PROP(Shortest, ReadsBackAsTheSameDouble, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const double back = std::strtod(shortest(value).c_str(), nullptr);
  RC_ASSERT(std::bit_cast<std::uint64_t>(back) == bits);
}

TEST(Join, PutsTheSeparatorBetweenWordsOnly) {
  EXPECT_EQ(join({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(join({"a", "b"}, " | "), "a | b");
  EXPECT_EQ(join({"a"}), "a");
  EXPECT_EQ(join({}), "");
}

TEST(NearestName, ForgivesOneSlipOfEachKind) {
  EXPECT_EQ(nearest_name("tahn", activations), "tanh");   // neighbours swapped
  EXPECT_EQ(nearest_name("tnh", activations), "tanh");    // a letter lost
  EXPECT_EQ(nearest_name("tannh", activations), "tanh");  // a letter doubled
  EXPECT_EQ(nearest_name("ranh", activations), "tanh");   // a letter mistaken
}

TEST(NearestName, ForgivesTwoSlipsInALongWordOnly) {
  EXPECT_EQ(nearest_name("gausian", activations), "gaussian");
  EXPECT_EQ(nearest_name("guasian", activations), "gaussian");
  EXPECT_EQ(nearest_name("gusian", activations), "gaussian");
  EXPECT_EQ(nearest_name("tsin", activations), "");
}

TEST(NearestName, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("softplus", activations), "");
  EXPECT_EQ(nearest_name("", activations), "");
  EXPECT_EQ(nearest_name("tanh", {}), "");
}

TEST(NearestName, PrefersTheClosestOfSeveral) {
  EXPECT_EQ(nearest_name("matern52", {"matern12", "matern32", "matern52"}), "matern52");
  EXPECT_EQ(nearest_name("mattern52", {"matern12", "matern32", "matern52"}), "matern52");
}

TEST(UnknownNameComplaint, ListsTheNamesAndSuggestsTheNearest) {
  EXPECT_EQ(unknown_name_complaint("tahn", activations),
            "must be one of tanh, sigmoid, gaussian, relu, got 'tahn'; did you mean 'tanh'?");
  EXPECT_EQ(unknown_name_complaint("softplus", activations),
            "must be one of tanh, sigmoid, gaussian, relu, got 'softplus'");
}

}  // namespace
}  // namespace ridgelet
