#include "ridgelet/assess/error_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/transform/reconstruction.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

struct Setting {
  Index nodes = 100;
  Index units = 300;
  double sigma_w = 3;
  double sigma_b = 12;
  std::string activation = "tanh";
  std::string mean = "0";
};

RidgeletPrior make_prior(const Setting& setting) {
  return RidgeletPrior({.target = {.kernel = parse_kernel("se(amplitude=1, lengthscale=1.5)"),
                                   .mean = MeanFunction(setting.mean)},
                        .nodes = grid(6, setting.nodes, 1, 5),
                        .activation = setting.activation,
                        .units = setting.units,
                        .hidden = {.sigma_w = setting.sigma_w, .sigma_b = setting.sigma_b},
                        .op = {.name = "ridgelet"}});
}

ErrorSplit split_of(const Setting& setting, Index replicates = 10) {
  const ThreadScope threads(2);
  const RidgeletPrior prior = make_prior(setting);
  return split_error(prior, grid(6, split_refinement(prior) * setting.nodes, 1, 5),
                     Vector::LinSpaced(9, -4, 4), {.replicates = replicates, .seed = 1});
}

// sigma_w = 2, sigma_b = 10, D = 100, N = 400, d = 2, delta = e^-4: every term is a whole fraction.
TEST(ErrorBound, HasTheFourTermsOfTheTheorem) {
  const ErrorParts bound = error_bound({.sigma_w = 2,
                                        .sigma_b = 10,
                                        .nodes = 100,
                                        .units = 400,
                                        .dimension = 2,
                                        .bounded = true,
                                        .delta = std::exp(-4.0)});
  EXPECT_DOUBLE_EQ(bound.sigma_w, 0.5);
  EXPECT_DOUBLE_EQ(bound.sigma_b, 4 * 3 / 10.0);
  EXPECT_DOUBLE_EQ(bound.nodes, 10 * 4 * 3 / 10.0);
  EXPECT_DOUBLE_EQ(bound.units, 10 * 4 * (2 + 2) / 20.0);
  EXPECT_EQ(bound.largest(), "nodes");
  EXPECT_DOUBLE_EQ(bound.sum(), 0.5 + 1.2 + 12 + 8);
}

TEST(ErrorBound, HasTheTermsOfTheAppendixForUnboundedActivations) {
  const ErrorParts bound = error_bound({.sigma_w = 2,
                                        .sigma_b = 10,
                                        .nodes = 100,
                                        .units = 400,
                                        .dimension = 2,
                                        .bounded = false,
                                        .delta = 0.1});
  EXPECT_DOUBLE_EQ(bound.sigma_w, 0.5);
  EXPECT_DOUBLE_EQ(bound.sigma_b, 4 * 9 / 10.0);
  EXPECT_DOUBLE_EQ(bound.nodes, 10 * 11 * 4 * 9 / 10.0);
  EXPECT_DOUBLE_EQ(bound.units, 10 * 8 / (0.1 * 20));
}

TEST(ErrorBound, TakesTheSettingsOfAPriorAndTheVersionOfItsActivation) {
  const ErrorParts tanh = error_bound(make_prior({}), 0.05),
                   relu = error_bound(make_prior({.activation = "relu"}), 0.05);
  EXPECT_DOUBLE_EQ(tanh.sigma_b, 3 * 4 / 12.0);
  EXPECT_DOUBLE_EQ(relu.sigma_b, 3 * 16 / 12.0);
}

TEST(ErrorBound, RefusesSettingsThatMeanNothing) {
  EXPECT_EQ(complaint_of([] { error_bound({.delta = 1}); }), "delta: must be between 0 and 1, got 1");
  EXPECT_EQ(complaint_of([] { error_bound({.sigma_b = 0}); }), "sigma_b: must be positive and finite, got 0");
  EXPECT_EQ(complaint_of([] { error_bound({.units = 0}); }), "units: must be at least 1, got 0");
}

TEST(ErrorSplit, AddsUpToNoLessThanTheWholeError) {
  for (const char* activation : {"tanh", "gaussian", "relu"}) {
    const ErrorSplit split = split_of({.activation = activation, .mean = "0.3*x"});
    EXPECT_LE(split.total, split.parts.sum()) << activation;
    EXPECT_GE(split.total, 0.9 * split.parts.units) << activation;
  }
}

// Networks scatter around the infinitely wide one: squared errors of the two add, on average over hidden
// layers. By another route: the error of the infinitely wide network alone.
TEST(ErrorSplit, SeparatesTheScatterOfTheUnitsFromTheBiasOfTheRest) {
  const ThreadScope threads(2);
  const RidgeletPrior prior = make_prior({.units = 1000});
  const Matrix x = Vector::Constant(1, 0.7);
  const Nodes& nodes = prior.options().nodes;
  const Matrix limit = ReconstructionKernel(pair_of(prior), prior.options().hidden)(x, nodes.points) *
                       nodes.weights.asDiagonal();
  const RidgeletPrior::Kriging kriging = prior.kriging(x);
  const double bias = (kriging.coordinates.transpose() - limit * prior.node_factor().L).norm();
  const Index replicates = 100;
  Vector excess(replicates);
  const ErrorSplit split = split_error(prior, grid(6, 200, 1, 5), x, {.replicates = replicates, .seed = 3});
  for (Index i = 0; i < replicates; ++i) {
    const double rmse = prior.given(prior.draw_hidden(3, static_cast<std::uint32_t>(i))).rmse(x)(0);
    excess(i) = rmse * rmse - bias * bias;
  }
  const double standard_error = std::sqrt((excess.array() - excess.mean()).square().mean() / replicates);
  EXPECT_NEAR(excess.mean(), split.parts.units * split.parts.units,
              testing::tolerance::standard_errors * standard_error);
  EXPECT_NEAR(split.total * split.total, excess.mean() + bias * bias, 1e-10);
}

TEST(ErrorSplit, HalvesThePartOfTheUnitsWithFourTimesAsMany) {
  const ErrorSplit few = split_of({.units = 1000}, 40), many = split_of({.units = 4000}, 40);
  EXPECT_NEAR(many.parts.units / few.parts.units, 0.5, 0.1);
  EXPECT_DOUBLE_EQ(many.parts.sigma_w, few.parts.sigma_w);
  EXPECT_DOUBLE_EQ(many.parts.sigma_b, few.parts.sigma_b);
  EXPECT_DOUBLE_EQ(many.parts.nodes, few.parts.nodes);
}

TEST(ErrorSplit, GivesEachBandwidthItsOwnPart) {
  const auto parts = [](double sigma_w, double sigma_b) {
    return split_of({.units = 10, .sigma_w = sigma_w, .sigma_b = sigma_b}, 1).parts;
  };
  const ErrorParts narrow = parts(2, 6), wide = parts(2, 600), sharp = parts(4, 6);
  EXPECT_DOUBLE_EQ(narrow.sigma_w, wide.sigma_w);
  EXPECT_LT(wide.sigma_b, 0.02 * narrow.sigma_b);
  EXPECT_LT(wide.sigma_b, 0.02 * wide.sigma_w);
  EXPECT_LT(sharp.sigma_w, 0.7 * narrow.sigma_w);
}

TEST(ErrorSplit, BlamesTheSettingThatIsAtFault) {
  EXPECT_EQ(split_of({.units = 100}).parts.largest(), "units");
  EXPECT_EQ(split_of({.nodes = 8, .units = 20'000}, 2).parts.largest(), "nodes");
  EXPECT_EQ(split_of({.units = 20'000, .sigma_w = 3, .sigma_b = 1}, 2).parts.largest(), "sigma_b");
  EXPECT_EQ(split_of({.units = 20'000, .sigma_w = 0.3, .sigma_b = 5}, 2).parts.largest(), "sigma_w");
}

TEST(ErrorSplit, SaysWhatTheTheoremDoesNotCover) {
  PriorOptions options = make_prior({}).options();
  options.layers = 2;
  const auto complaint = [](const PriorOptions& of) {
    return complaint_of(
        [&] { split_error(RidgeletPrior(of), grid(6, 200, 1, 5), Vector::LinSpaced(3, -1, 1), {}); });
  };
  EXPECT_EQ(complaint(options), "split: needs one hidden layer, got 2: Theorem 1 knows no more");
  options.layers = 1;
  options.op.name = "least-squares";
  EXPECT_EQ(complaint(options),
            "split: Theorem 1 is about the ridgelet operator; for least-squares compare the error with the "
            "kriging floor: near it add nodes, far above it add units");
  options.op.name = "ridgelet";
  options.nodes = grid(6, 3000, 1, 5);
  EXPECT_EQ(
      complaint_of([&] { split_refinement(RidgeletPrior(options)); }),
      "points: the split takes twice as many nodes on each axis, at most 5000 in all, so it needs at most "
      "2500 per axis");
}

TEST(ErrorSplit, RefusesPointsOfOtherInputs) {
  const RidgeletPrior prior = make_prior({});
  const auto complaint = [&](const Nodes& finer, const Matrix& points) {
    return complaint_of([&] { split_error(prior, finer, points, {.replicates = 1}); });
  };
  const Nodes good = grid(6, 200, 1, 5);
  EXPECT_EQ(complaint(grid(6, 20, 2, 5), Vector::Zero(3)),
            "finer: must have 1 column, one for each input, got 2");
  EXPECT_EQ(complaint(good, Matrix::Zero(3, 2)), "X: must have 1 column, one for each input, got 2");
  EXPECT_EQ(complaint(good, Matrix(0, 1)), "X: must have at least one row and one column, got 0 x 1");
  EXPECT_EQ(complaint(good, Vector::Constant(1, std::nan(""))),
            "X: must be finite, got nan in row 1, column 1");
}

}  // namespace
}  // namespace ridgelet
