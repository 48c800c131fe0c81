#include "ridgelet/target/covariance/parameters.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "expectations.hpp"
#include "ridgelet/target/covariance/cosine.hpp"
#include "ridgelet/target/covariance/linear.hpp"
#include "ridgelet/target/covariance/matern32.hpp"
#include "ridgelet/target/covariance/matern52.hpp"
#include "ridgelet/target/covariance/outer.hpp"
#include "ridgelet/target/covariance/periodic.hpp"
#include "ridgelet/target/covariance/rational_quadratic.hpp"
#include "ridgelet/target/covariance/squared_exponential.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

std::string complaint_about(const auto& k) {
  return complaint_of([&] { Kernel{k}; });
}

std::string complaint_about(const Kernel& k, Index inputs) {
  return complaint_of([&] { k.validate_dimension(inputs); });
}

TEST(Lengthscale, IsOneForAllInputsOrOneForEach) {
  const Lengthscale shared = 2.5, each = std::vector{1.0, 3.0};
  EXPECT_EQ(shared.of(0), 2.5);
  EXPECT_EQ(shared.of(7), 2.5);
  EXPECT_EQ(each.of(0), 1);
  EXPECT_EQ(each.of(1), 3);
}

TEST(ActiveInputs, AreAllOfThemUnlessListed) {
  EXPECT_EQ(ActiveInputs{}.columns(3), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ((ActiveInputs{{3, 1}}.columns(3)), (std::vector<Index>{2, 0}));
}

TEST(ScaledSquaredDistances, AreSumsOverTheActiveInputs) {
  const Matrix X{{0, 0, 0}, {1, 2, 3}}, Y{{2, 2, 2}};
  EXPECT_EQ(scaled_squared_distances(X, Y, 1.0, {}), (Matrix{{12}, {2}}));
  EXPECT_EQ(scaled_squared_distances(X, Y, std::vector{1.0, 2.0, 0.5}, {}),
            (Matrix{{4 + 1 + 16}, {1 + 0 + 4}}));
  EXPECT_EQ(scaled_squared_distances(X, Y, std::vector{0.5, 2.0}, {{3, 1}}), (Matrix{{16 + 1}, {4 + 0.25}}));
}

TEST(ScaledSquaredDistances, AreExactlyZeroBetweenEqualPointsFarFromTheOrigin) {
  const Matrix X{{1e8 + 0.1, -1e8}};
  EXPECT_EQ(scaled_squared_distances(X, X, 0.3, {})(0, 0), 0);
}

TEST(ScaledSquaredDistances, AreFiniteHoweverSmallTheLengthscale) {
  EXPECT_EQ(scaled_squared_distances(Matrix{{0}}, Matrix{{1}}, 1e-200, {})(0, 0), 1e300);
  for (const Kernel& k : {Kernel(Matern32{.lengthscale = 1e-200}), Kernel(Matern52{.lengthscale = 1e-200})})
    EXPECT_EQ(k.matrix(Matrix{{0}}, Matrix{{1}})(0, 0), 0) << k.text();
}

TEST(ParameterText, LeavesOutWhatIsNotRestricted) {
  EXPECT_EQ(parameter_text(1.5), "1.5");
  EXPECT_EQ(parameter_text(Lengthscale(2)), "2");
  EXPECT_EQ(parameter_text(Lengthscale({1, 2.5})), "[1, 2.5]");
  EXPECT_EQ(parameter_text(ActiveInputs{{1, 3}}), "[1, 3]");
  EXPECT_EQ(parameter_text(ActiveInputs{}), "");
}

TEST(KernelParameters, MustBePositiveAndFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint_about(SquaredExponential{.amplitude = 0}),
            "kernel: se: amplitude: must be positive and finite, got 0");
  EXPECT_EQ(complaint_about(SquaredExponential{.lengthscale = nan}),
            "kernel: se: lengthscale: must be positive and finite, got nan");
  EXPECT_EQ(complaint_about(SquaredExponential{.lengthscale = std::vector{1.0, -2.0}}),
            "kernel: se: lengthscale: must be positive and finite, got -2");
  EXPECT_EQ(complaint_about(RationalQuadratic{.alpha = -1}),
            "kernel: rq: alpha: must be positive and finite, got -1");
  EXPECT_EQ(complaint_about(Periodic{.lengthscale = 0}),
            "kernel: periodic: lengthscale: must be positive and finite, got 0");
  EXPECT_EQ(complaint_about(Cosine{.period = std::numeric_limits<double>::infinity()}),
            "kernel: cosine: period: must be positive and finite, got inf");
}

TEST(KernelParameters, NeedAtLeastOneLengthscale) {
  EXPECT_EQ(complaint_about(SquaredExponential{.lengthscale = std::vector<double>{}}),
            "kernel: se: lengthscale: must not be an empty list");
}

TEST(KernelParameters, ListDifferentInputsCountedFromOne) {
  EXPECT_EQ(complaint_about(Linear{.active = {{1, 2, 1}}}),
            "kernel: linear: active: must list different inputs, counted from 1, got [1, 2, 1]");
  EXPECT_EQ(complaint_about(Linear{.active = {{0}}}),
            "kernel: linear: active: must list different inputs, counted from 1, got [0]");
  EXPECT_EQ(complaint_about(Linear{.active = {{2, -1}}}),
            "kernel: linear: active: must list different inputs, counted from 1, got [2, -1]");
}

TEST(KernelDimension, HoldsTheActiveInputs) {
  const Kernel k = SquaredExponential{.active = {{1, 3}}};
  EXPECT_NO_THROW(k.validate_dimension(3));
  EXPECT_EQ(complaint_about(k, 2), "kernel: se: active: must be at most 2, the number of inputs, got 3");
}

TEST(KernelDimension, IsTheNumberOfLengthscalesUnlessInputsAreActive) {
  const Kernel all = SquaredExponential{.lengthscale = std::vector{1.0, 2.5}};
  EXPECT_NO_THROW(all.validate_dimension(2));
  EXPECT_EQ(complaint_about(all, 3),
            "kernel: se: lengthscale: must be one number or 3, one for each active input, got [1, 2.5]");
  const Kernel some = SquaredExponential{.lengthscale = std::vector{1.0, 2.5}, .active = {{1, 4}}};
  EXPECT_NO_THROW(some.validate_dimension(4));
}

TEST(KernelDimension, IsCheckedInEveryPartOfASumOrProduct) {
  const Kernel fine = SquaredExponential{}, narrow = Linear{.active = {{2}}};
  EXPECT_NO_THROW((fine + narrow).validate_dimension(2));
  EXPECT_EQ(complaint_about(fine + narrow, 1),
            "kernel: linear: active: must be at most 1, the number of inputs, got 2");
  EXPECT_EQ(complaint_about(fine * (fine + fine * narrow), 1),
            "kernel: linear: active: must be at most 1, the number of inputs, got 2");
  EXPECT_EQ(complaint_about(Outer{MeanFunction("x1*x2")}, 1),
            "kernel: 'x1*x2' uses x2, and there is only 1 input");
}

}  // namespace
}  // namespace ridgelet
