#include "ridgelet/network/response_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ridgelet {
namespace {

constexpr ResponseTransform none = ResponseTransform::none, log = ResponseTransform::log;

TEST(ResponseTransform, FitsTheLogarithmOfAPriceAndComesBackToThePrice) {
  EXPECT_DOUBLE_EQ(to_fitted_scale(20, log), std::log(20.0));
  EXPECT_DOUBLE_EQ(from_fitted_scale(std::log(20.0), log), 20);
}

TEST(ResponseTransform, LeavesAResponseThatIsFittedItself) {
  EXPECT_EQ(to_fitted_scale(-3.5, none), -3.5);
  EXPECT_EQ(from_fitted_scale(-3.5, none), -3.5);
}

TEST(ResponseTransform, OfOneComponentHasTheMomentsOfTheLogNormalDistribution) {
  const Vector mean = Vector::Constant(1, 0.3), sd = Vector::Constant(1, 0.5);
  const ResponseMoments moments = response_moments(mean, sd, log);
  EXPECT_NEAR(moments.mean, std::exp(0.3 + 0.125), 1e-14);
  EXPECT_NEAR(moments.sd, std::exp(0.3 + 0.125) * std::sqrt(std::expm1(0.25)), 1e-14);
}

// Means of 1 and 3 with sd of 0.2 and 0.4: the mean is 2 and the variance (0.04 + 0.16) / 2 + 1.
TEST(ResponseTransform, OfAMixtureHasTheVarianceWithinAndBetweenComponents) {
  const ResponseMoments moments = response_moments(Eigen::Vector2d(1, 3), Eigen::Vector2d(0.2, 0.4), none);
  EXPECT_NEAR(moments.mean, 2, 1e-15);
  EXPECT_NEAR(moments.sd, std::sqrt(1.1), 1e-15);
}

}  // namespace
}  // namespace ridgelet
