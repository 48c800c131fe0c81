#include "ridgelet/assess/smallest_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "expectations.hpp"
#include "ridgelet/assess/replicates.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

TuningRequest width_request(const std::string& kernel) {
  return {.model = {.target = {.kernel = parse_kernel(kernel)},
                    .nodes = grid(6, 60, 1, 5),
                    .hidden = {.units_from = UnitsFrom::sobol}},
          .half_widths = Vector::Constant(1, 6),
          .held_out = evaluation_points(parse_box("-5:5", "domain"), 50, 0)};
}

WidthSearch search(double error) {
  return {.error = error, .points = evaluation_points(parse_box("-5:5", "domain"), 71, 0), .replicates = 3};
}

const TriedWidth* tried(const SmallestNetwork& found, Index units) {
  const auto place = std::ranges::find(found.path, units, &TriedWidth::units);
  return place == found.path.end() ? nullptr : &*place;
}

TEST(SmallestNetwork, ReachesTheErrorAndOneUnitFewerDoesNot) {
  const SmallestNetwork found = smallest_network(width_request("se(lengthscale=1.5)"), search(0.1));
  ASSERT_TRUE(found.reached);
  EXPECT_LE(found.chosen.error, 0.1);
  ASSERT_NE(tried(found, found.chosen.units - 1), nullptr);
  EXPECT_GT(tried(found, found.chosen.units - 1)->error, 0.1);
}

TEST(SmallestNetwork, HasTheErrorThatReplicatesOfItsPriorHave) {
  const TuningRequest wanted = width_request("se(amplitude=3, lengthscale=1.5)");
  const WidthSearch how = search(0.1);
  const SmallestNetwork found = smallest_network(wanted, how);
  const RidgeletPrior prior(with_width(wanted.model, found.chosen));
  EXPECT_DOUBLE_EQ(found.process_sd, 3);
  EXPECT_NEAR(found.chosen.error,
              error_over_replicates(prior, how.points, {.replicates = 3}).largest().mean / 3, 1e-9);
}

// With few units for a rough process, where the ridge that is best on average is not best at the worst point.
TEST(SmallestNetwork, HasNoLargerErrorAtAWidthThatIsTooNarrowThanWithAnyOtherRidge) {
  TuningRequest wanted{.model = {.target = {.kernel = parse_kernel("matern32()")},
                                 .nodes = grid(3.6, 20, 2, 3),
                                 .units = 16,
                                 .hidden = {.units_from = UnitsFrom::sobol}},
                       .units = false,
                       .half_widths = Vector::Constant(2, 3.6),
                       .held_out = evaluation_points(Box::cube(3, 2), 150, 0)};
  const WidthSearch how{.error = 0.5, .points = evaluation_points(Box::cube(3, 2), 200, 0), .replicates = 2};
  const TriedWidth chosen = smallest_network(wanted, how).chosen;
  ASSERT_GT(chosen.error, how.error);
  wanted.sigma_w = wanted.sigma_b = wanted.ridge = false;
  wanted.model.hidden = chosen.hidden;
  for (const double ridge : wanted.ridges) {
    wanted.model.op.ridge = ridge;
    EXPECT_LE(chosen.error, smallest_network(wanted, how).chosen.error) << ridge;
  }
}

TEST(SmallestNetwork, IsWiderForASmallerErrorAndARougherProcess) {
  const Index loose = smallest_network(width_request("se(lengthscale=1.5)"), search(0.2)).chosen.units;
  EXPECT_GT(smallest_network(width_request("se(lengthscale=1.5)"), search(0.02)).chosen.units, loose);
  EXPECT_GT(smallest_network(width_request("matern32(lengthscale=1.5)"), search(0.2)).chosen.units, loose);
}

TEST(SmallestNetwork, IsTheSameInOtherUnits) {
  const SmallestNetwork metres = smallest_network(width_request("se(lengthscale=1.5)"), search(0.1));
  const SmallestNetwork larger =
      smallest_network(width_request("se(amplitude=1000, lengthscale=1.5)"), search(0.1));
  EXPECT_EQ(larger.chosen.units, metres.chosen.units);
  EXPECT_NEAR(larger.chosen.error, metres.chosen.error, 1e-6);
}

TEST(SmallestNetwork, DoublesUntilTheErrorIsReachedAndThenBisects) {
  WidthSearch how = search(0.1);
  how.first_units = 3;
  Index calls = 0;
  how.tried = [&](const TriedWidth&) { ++calls; };
  const SmallestNetwork found = smallest_network(width_request("se(lengthscale=1.5)"), how);
  EXPECT_EQ(calls, static_cast<Index>(found.path.size()));
  std::size_t i = 0;
  for (; found.path[i].error > 0.1; ++i) EXPECT_EQ(found.path[i + 1].units, 2 * found.path[i].units);
  Index narrow = found.path[i].units / 2, wide = found.path[i].units;
  for (++i; i < found.path.size(); ++i) {
    EXPECT_EQ(found.path[i].units, (narrow + wide) / 2);
    (found.path[i].error > 0.1 ? narrow : wide) = found.path[i].units;
  }
  EXPECT_EQ(wide - narrow, 1);
}

TEST(SmallestNetwork, MayBeNarrowerThanTheFirstWidth) {
  WidthSearch how = search(0.2);
  const Index units = smallest_network(width_request("se(lengthscale=3)"), how).chosen.units;
  how.first_units = 4 * units;
  EXPECT_EQ(smallest_network(width_request("se(lengthscale=3)"), how).chosen.units, units);
}

TEST(SmallestNetwork, OutOfBudgetIsTheBestThereWas) {
  WidthSearch how = search(0.01);
  how.most_units = 12;
  const SmallestNetwork found = smallest_network(width_request("se(lengthscale=1.5)"), how);
  EXPECT_FALSE(found.reached);
  ASSERT_EQ(found.path.size(), 2U);
  EXPECT_EQ(found.path[1].units, 12);
  EXPECT_EQ(found.chosen.error, std::min(found.path[0].error, found.path[1].error));
}

TEST(SmallestNetwork, KeepsNumbersGivenByHand) {
  TuningRequest wanted = width_request("se(lengthscale=1.5)");
  wanted.sigma_w = wanted.ridge = false;
  wanted.model.hidden.sigma_w = 0.77;
  wanted.model.op.ridge = 1e-5;
  for (const TriedWidth& width : smallest_network(wanted, search(0.1)).path) {
    EXPECT_EQ(width.hidden.sigma_w, 0.77);
    EXPECT_EQ(width.ridge, 1e-5);
  }
  wanted.units = false;
  wanted.model.units = 37;
  const SmallestNetwork found = smallest_network(wanted, search(0.1));
  ASSERT_EQ(found.path.size(), 1U);
  EXPECT_EQ(found.chosen.units, 37);
}

TEST(SmallestNetwork, RefusesAnErrorBelowTheKrigingFloor) {
  const TuningRequest rough = width_request("matern12(lengthscale=1)");
  const WidthSearch how = search(0.05);
  const double floor = RidgeletPrior(rough.model).kriging(how.points).floor.maxCoeff();
  ASSERT_GT(floor, 0.05);
  const std::string complaint = complaint_of([&] { smallest_network(rough, how); });
  EXPECT_NE(complaint.find("error: is below the kriging floor"), std::string::npos) << complaint;
  EXPECT_NE(complaint.find("add nodes"), std::string::npos) << complaint;
}

TEST(SmallestNetwork, RefusesErrorsThatAreNoPartOfTheProcess) {
  for (const double error : {0.0, -0.1, 1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_NE(complaint_of([&] {
                smallest_network(width_request("se()"), search(error));
              }).find("error: must be greater"),
              std::string::npos)
        << error;
}

TEST(SmallestNetwork, IsTheSameForAnyNumberOfThreads) {
  const auto found = [](int threads) {
    const ThreadScope scope(threads);
    return smallest_network(width_request("matern52(lengthscale=2)"), search(0.2));
  };
  const SmallestNetwork one = found(1), four = found(4);
  ASSERT_EQ(one.path.size(), four.path.size());
  EXPECT_EQ(one.chosen.units, four.chosen.units);
  EXPECT_EQ(one.chosen.error, four.chosen.error);
}

}  // namespace
}  // namespace ridgelet
