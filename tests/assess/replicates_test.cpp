#include "ridgelet/assess/replicates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

RidgeletPrior replicated_prior(const std::string& kernel = "se(amplitude=2)") {
  return RidgeletPrior({.target = {.kernel = parse_kernel(kernel), .mean = MeanFunction("0.3*x")},
                        .nodes = grid(3, 30, 1, 3),
                        .units = 40,
                        .op = {.name = "least-squares"}});
}

const Matrix nine_points = Vector::LinSpaced(9, -3, 3);

TEST(ErrorOverReplicates, IsTheErrorGivenEachHiddenLayer) {
  const RidgeletPrior prior = replicated_prior();
  const ErrorOverReplicates error = error_over_replicates(prior, nine_points, {.replicates = 5, .seed = 3});
  ASSERT_EQ(error.rmse.cols(), 5);
  for (std::uint32_t i = 0; i < 5; ++i)
    EXPECT_EQ(error.rmse.col(i), prior.given(prior.draw_hidden(3, i)).rmse(nine_points));
}

TEST(ErrorOverReplicates, HasTheUsualSummaries) {
  const ErrorOverReplicates error{.rmse = Matrix{{1, 3}, {2, 0}}, .floor = Vector::Zero(2)};
  EXPECT_EQ(error.largest().mean, 2.5);
  EXPECT_NEAR(error.largest().sd, std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(error.largest().standard_error(), 0.5, 1e-15);
  EXPECT_EQ(error.largest().replicates, 2);
  EXPECT_EQ(error.mean(), 1.5);
  EXPECT_NEAR(error.root_mean_square()(0), std::sqrt(5.0), 1e-15);
  EXPECT_NEAR(error.root_mean_square()(1), std::sqrt(2.0), 1e-15);
  EXPECT_EQ(OverReplicates::of(Vector::Constant(1, 7)).sd, 0);
}

TEST(ErrorOverReplicates, ShowsEachReplicateToAVisitor) {
  const RidgeletPrior prior = replicated_prior();
  Matrix seen(9, 4);
  const auto look = [&](Index i, const GivenHidden& given, const Gaussian& network) {
    EXPECT_EQ(network.factor, given.output(nine_points).factor);
    seen.col(i) = given.rmse(nine_points);
  };
  EXPECT_EQ(error_over_replicates(prior, nine_points, {.replicates = 4, .seed = 1}, look).rmse, seen);
}

TEST(ErrorOverReplicates, GivesTheSameBitsForAnyNumberOfThreads) {
  const RidgeletPrior prior = replicated_prior();
  const auto with = [&](int threads) {
    const ThreadScope scope(threads);
    return error_over_replicates(prior, nine_points, {.replicates = 5}).rmse;
  };
  EXPECT_EQ(with(1), with(2));
  EXPECT_EQ(with(1), with(4));
}

TEST(ErrorOverReplicates, IsTheSameForNetworksSideBySideAndOneAfterTheOther) {
  const RidgeletPrior prior = replicated_prior();
  const auto with = [&](double bytes) {
    return error_over_replicates(prior, nine_points, {.replicates = 5, .side_by_side_bytes = bytes}).rmse;
  };
  EXPECT_EQ(with(0), with(1e9));
}

TEST(ErrorOverReplicates, RefusesNoReplicates) {
  EXPECT_EQ(testing::complaint_of(
                [] { error_over_replicates(replicated_prior(), nine_points, {.replicates = 0}); }),
            "replicates: must be at least 1, got 0");
}

TEST(ProcessSd, IsTheRootMeanSquareOverThePoints) {
  EXPECT_NEAR(process_sd(replicated_prior(), nine_points), 2, 1e-14);
}

TEST(ProcessSd, LeavesOutWhatDoesNotVary) {
  EXPECT_NEAR(process_sd(replicated_prior("constant(amplitude=1e6) + se(amplitude=2)"), nine_points), 2,
              1e-14);
  EXPECT_NEAR(process_sd(replicated_prior("se() + constant(amplitude=1e6) + se()"), nine_points),
              std::sqrt(2), 1e-14);
  EXPECT_NEAR(process_sd(replicated_prior("constant(amplitude=3)*se(amplitude=2)"), nine_points), 6, 1e-14);
}

TEST(ProcessSd, OfAConstantIsItsOwn) {
  EXPECT_NEAR(process_sd(replicated_prior("constant(amplitude=3)"), nine_points), 3, 1e-14);
}

}  // namespace
}  // namespace ridgelet
