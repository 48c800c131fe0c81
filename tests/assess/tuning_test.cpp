#include "ridgelet/assess/tuning.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/assess/replicates.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

TuningRequest request(const std::string& kernel, Index units = 100) {
  return {.model = {.target = {.kernel = parse_kernel(kernel)},
                    .nodes = grid(6, 100, 1, 5),
                    .units = units,
                    .hidden = {.units_from = UnitsFrom::sobol}},
          .units = false,
          .half_widths = Vector::Constant(1, 6),
          .held_out = evaluation_points(parse_box("-5:5", "domain"), 80, 0)};
}

double error_of(const TuningRequest& wanted, const Tuned& tuned) {
  const RidgeletPrior prior(tuned.applied_to(wanted.model));
  const Matrix rmse = error_over_replicates(prior, wanted.held_out, {.replicates = 4, .seed = 5}).rmse;
  return std::sqrt(rmse.array().square().mean()) / process_sd(prior, wanted.held_out);
}

Tuned tuned(const TuningRequest& wanted) {
  return tune(wanted, RidgeletPrior(wanted.model).node_factor());
}

TEST(Bandwidths, ScaleWithTheUnitOfTheInput) {
  const Vector half = Vector{{5, 2}};
  const Bandwidth metres = sigma_w_for(parse_kernel("se(lengthscale=[1, 4])"), half, 2);
  const Bandwidth kilometres = sigma_w_for(parse_kernel("se(lengthscale=[0.001, 4])"), Vector{{0.005, 2}}, 2);
  EXPECT_DOUBLE_EQ(kilometres[0], 1000 * metres[0]);
  EXPECT_DOUBLE_EQ(sigma_b_for(metres, half), sigma_b_for(kilometres, Vector{{0.005, 2}}));
  EXPECT_DOUBLE_EQ(sigma_b_for(metres, half), std::sqrt(1 + 100 + 1));
}

TEST(Tuning, BeatsThePapersBandwidthsForASmoothKernel) {
  const TuningRequest wanted = request("se(lengthscale=1.5)");
  TuningRequest paper = wanted;
  paper.model.op.ridge = 1e-6;
  const Tuned fixed{.hidden = {.units_from = UnitsFrom::sobol}, .ridge = 1e-6, .units = 100, .trials = {}};
  EXPECT_LT(error_of(wanted, tuned(wanted)), 0.7 * error_of(paper, fixed));
}

TEST(Tuning, TakesLargerBandwidthsForRougherKernels) {
  const Tuned smooth = tuned(request("se(lengthscale=2)")), rough = tuned(request("matern12(lengthscale=2)"));
  EXPECT_GT(rough.hidden.sigma_w[0], smooth.hidden.sigma_w[0]);
}

TEST(Tuning, TakesTheTrialWithTheLeastErrorOrOneAsGood) {
  const Tuned chosen = tuned(request("matern32(lengthscale=2)"));
  ASSERT_EQ(chosen.trials.size(), 24U);
  double least = chosen.trials[0].error, taken = 0;
  for (const TuningTrial& trial : chosen.trials) {
    least = std::min(least, trial.error);
    if (trial.ridge == chosen.ridge && trial.factor / 2 == chosen.hidden.sigma_w[0]) taken = trial.error;
  }
  EXPECT_GT(taken, 0);
  EXPECT_LE(taken, 1.02 * least);
}

TEST(Tuning, KeepsWhatIsGiven) {
  TuningRequest wanted = request("se(lengthscale=1.5)");
  wanted.sigma_w = false;
  wanted.model.hidden.sigma_w = 0.77;
  const Tuned chosen = tuned(wanted);
  EXPECT_EQ(chosen.hidden.sigma_w, 0.77);
  EXPECT_DOUBLE_EQ(chosen.hidden.sigma_b, sigma_b_for(0.77, wanted.half_widths));
  EXPECT_EQ(chosen.hidden.units_from, UnitsFrom::sobol);
  wanted.sigma_b = wanted.ridge = false;
  EXPECT_TRUE(tuned(wanted).trials.empty());
}

TEST(Tuning, ChoosesTwiceTheRankAsWidth) {
  TuningRequest wanted = request("matern32(lengthscale=2)");
  wanted.units = true;
  EXPECT_EQ(tuned(wanted).units, 200);
  EXPECT_EQ(width_for(3), 50);
}

/// The width after doubling, and the error that more units could take away before it and after.
struct Widened {
  Index units;
  double before, after;
};

Widened widened(const TuningRequest& wanted) {
  const FactorAtPoints factor = RidgeletPrior(wanted.model).node_factor();
  Tuned network = tune(wanted, factor);
  const double before = error_of_width(wanted, factor, network);
  network.units = widen(wanted, factor, network);
  return {.units = network.units, .before = before, .after = error_of_width(wanted, factor, network)};
}

TEST(Tuning, WidensForPointsThatNodesTellOfWhateverTheyLeaveElsewhere) {
  TuningRequest wanted = request("se(lengthscale=1.5)");
  wanted.units = true;
  wanted.model.activation = "relu";
  const Index twice_the_rank = width_for(RidgeletPrior(wanted.model).node_factor().rank());
  const FactorAtPoints factor = RidgeletPrior(wanted.model).node_factor();
  const Tuned network = tune(wanted, factor);
  EXPECT_GT(widen(wanted, factor, network), twice_the_rank);
  const Matrix near = wanted.held_out, far = near.array() + 100;
  wanted.held_out.resize(2 * near.rows(), 1);
  wanted.held_out << near, far;
  EXPECT_GT(widen(wanted, factor, network), twice_the_rank);
}

TEST(Tuning, WidensUntilTheErrorIsGoodAndNotWhereThatHardlyHelps) {
  TuningRequest wanted = request("se(lengthscale=1.5)");
  wanted.units = true;
  wanted.model.activation = "relu";
  const Index twice_the_rank = width_for(RidgeletPrior(wanted.model).node_factor().rank());
  const Widened first = widened(wanted);
  ASSERT_GT(first.units, twice_the_rank);
  wanted.good_error = 1.01 * first.after;
  EXPECT_EQ(widened(wanted).units, first.units);
  wanted.good_error = 1.01 * first.before;
  EXPECT_EQ(widened(wanted).units, twice_the_rank);
  // Least squares with so large a ridge smooths, however many units there are.
  TuningRequest ridged = request("se(lengthscale=1.5)");
  ridged.units = true;
  ridged.ridge = false;
  ridged.model.op.ridge = 10;
  EXPECT_EQ(widened(ridged).units, width_for(RidgeletPrior(ridged.model).node_factor().rank()));
}

TEST(Tuning, TakesTheNarrowestWidthThatIsNearlyAsGoodAsAnyWhereNoneIsGood) {
  TuningRequest wanted = request("se(lengthscale=1.5)");
  wanted.units = true;
  wanted.ridge = false;
  wanted.model.op.ridge = 0.1;
  const FactorAtPoints factor = RidgeletPrior(wanted.model).node_factor();
  const Tuned network = tune(wanted, factor);
  const auto error_of_units = [&](Index units) {
    Tuned other = network;
    other.units = units;
    return error_of_width(wanted, factor, other);
  };
  // The widths tried are 50, 100, ..., 1600, and the error falls with each of them.
  const Index chosen = widen(wanted, factor, network);
  ASSERT_LT(chosen, 1600);
  const double nearly_least = 1.05 * error_of_units(1600);
  EXPECT_LE(error_of_units(chosen), nearly_least);
  EXPECT_GT(error_of_units(chosen / 2), nearly_least);
}

TEST(Tuning, OnFewerNodesFindsBandwidthsThatServeAllOfThem) {
  const TuningRequest all = request("matern32(lengthscale=1)", 200);
  TuningRequest fewer = all;
  fewer.most_nodes = 40;
  EXPECT_LT(error_of(all, tuned(fewer)), 1.1 * error_of(all, tuned(all)));
}

TEST(Tuning, OnFewerUnitsFindsBandwidthsThatServeAllOfThem) {
  TuningRequest wide = request("se(lengthscale=1.5)", 1000), narrow = wide;
  narrow.most_units = 200;
  const Tuned by_all = tuned(wide), by_few = tuned(narrow);
  EXPECT_EQ(by_few.units, 1000);
  EXPECT_NE(by_few.trials.front().error, by_all.trials.front().error);
  EXPECT_LT(error_of(wide, by_few), 2 * error_of(wide, by_all));
}

TEST(Tuning, IsTheSameForAnyNumberOfThreads) {
  const auto chosen = [](int threads) {
    const ThreadScope scope(threads);
    return tuned(request("matern52(lengthscale=1.5)", 60));
  };
  const Tuned one = chosen(1), four = chosen(4);
  ASSERT_EQ(one.trials.size(), four.trials.size());
  for (std::size_t i = 0; i < one.trials.size(); ++i) EXPECT_EQ(one.trials[i].error, four.trials[i].error);
}

TEST(Tuning, RefusesHalfWidthsOfAnotherNumberOfInputs) {
  TuningRequest wanted = request("se()");
  wanted.half_widths = Vector::Ones(2);
  EXPECT_NE(complaint_of([&] { tuned(wanted); }), "");
}

}  // namespace
}  // namespace ridgelet
