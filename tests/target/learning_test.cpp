#include "ridgelet/target/learning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "expectations.hpp"
#include "process.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/target/kernel_choice.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::process_of;

double parameter(const GaussianProcess& of, const std::string& name) {
  for (const KernelParameter& each : of.kernel.parameters())
    if (each.name == name) return each.value;
  ADD_FAILURE() << name << " is not in " << of.kernel.text();
  return 0;
}

struct Data {
  Matrix X, Y;
};

/// Draws of the process at random points, with noise.
Data simulated(const GaussianProcess& of, Index rows, Index inputs, const Vector& noise, std::uint64_t seed) {
  Data data{.X = RandomStream{.seed = seed}.normals(rows, inputs), .Y = Matrix(rows, noise.size())};
  const Gaussian prior = of.prior(data.X);
  for (Index j = 0; j < noise.size(); ++j) {
    const auto replicate = static_cast<std::uint32_t>(j);
    const RandomStream f{.seed = seed, .purpose = Purpose::target_process, .replicate = replicate};
    const RandomStream e{.seed = seed, .purpose = Purpose::predictive_noise, .replicate = replicate};
    data.Y.col(j) = prior.at(f.normals(prior.rank())) + noise(j) * e.normals(rows);
  }
  return data;
}

Vector one(double value) {
  return Vector::Constant(1, value);
}

/// Seven points at which a rough function without noise and a smooth one with noise are both believable.
Data two_modes() {
  Data data{.X = Matrix(7, 1), .Y = Matrix(7, 1)};
  data.X.col(0) << -6.1, -4.4, -2.6, -1.2, 0.7, 2.8, 5.3;
  data.Y.col(0) << -1.6, -1.1, 0.9, -0.3, 1.3, 0.4, 1.7;
  return data;
}

TEST(Learning, RecoversWhatTheDataWereDrawnFrom) {
  const GaussianProcess truth = process_of("se(amplitude=1.5, lengthscale=[1, 3])", "0.8*x1 - 2");
  const Data data = simulated(truth, 300, 2, one(0.2), 1);
  const LearnedTarget learned =
      learn_target(process_of("se(lengthscale=[2, 2])", "0*x1 + 0"), data.X, data.Y);
  // About four times the spread of these estimates over seeds.
  EXPECT_NEAR(std::log(learned.noise(0) / 0.2), 0, 0.2);
  EXPECT_NEAR(std::log(parameter(learned.process, "se.lengthscale[1]") / 1), 0, 0.4);
  EXPECT_NEAR(std::log(parameter(learned.process, "se.lengthscale[2]") / 3), 0, 0.8);
  EXPECT_NEAR(std::log(parameter(learned.process, "se.amplitude") / 1.5), 0, 1);
  const Vector coefficients = learned.process.mean.coefficients();
  EXPECT_NEAR(coefficients(0), 0.8, 2);
  EXPECT_NEAR(coefficients(1), -2, 3);
  EXPECT_GT(learned.log_evidence, EvidenceFunction(data.X, data.Y).at(truth, one(0.2))->log_evidence);
}

TEST(Learning, EndsWhereTheSlopeVanishes) {
  const Data data = simulated(process_of("matern32(lengthscale=1.5)"), 120, 2, one(0.3), 2);
  const LearnedTarget learned =
      learn_target(process_of("matern32()", "1"), data.X, data.Y, {.priors = false});
  const auto evidence = EvidenceFunction(data.X, data.Y).at(learned.process, learned.noise);
  EXPECT_NEAR(evidence->log_evidence, learned.log_evidence, 1e-8);
  EXPECT_LE(evidence->kernel_slope.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LE(evidence->noise_slope.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LE(evidence->mean_slope.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_EQ(learned.objective, learned.log_evidence);
  for (const LearningStart& start : learned.starts) EXPECT_TRUE(start.converged) << start.message;
}

TEST(Learning, FindsTheBetterOfTwoModesFromFiveStarts) {
  const Data data = two_modes();
  const GaussianProcess rough = process_of("se(lengthscale=0.5)");
  const LearningOptions from_one{.noise = one(0.05), .priors = false, .starts = 1};
  LearningOptions from_five = from_one;
  from_five.starts = 5;
  const LearnedTarget single = learn_target(rough, data.X, data.Y, from_one);
  const LearnedTarget several = learn_target(rough, data.X, data.Y, from_five);
  EXPECT_GT(several.log_evidence, single.log_evidence + 0.2);
  EXPECT_EQ(several.starts[0].log_evidence, single.log_evidence);
  EXPECT_GT(several.disagreement, 0.2);
  EXPECT_GT(several.noise(0), 0.3);
  EXPECT_GT(parameter(several.process, "se.lengthscale"), 3);
}

/// Uniform on [-2, 2]^5.
Matrix cube_of_five_inputs(Index rows) {
  const RandomStream stream{.seed = 1};
  Matrix X(rows, 5);
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = 4 * stream.uniform(static_cast<std::uint64_t>(i)) - 2;
  return X;
}

TEST(Learning, FollowsDataWithoutNoiseWhoseCovarianceHasNoFactorAtAllRows) {
  const Matrix X = cube_of_five_inputs(500);
  const Matrix Y = (1.5 * X.col(0)).array().sin() + 0.5 * X.col(1).array() + 0.2 * X.col(2).array().square();
  const LearnedTarget learned = learn_target(process_of("se(lengthscale=[2, 2, 2, 2, 2])"), X, Y);
  EXPECT_LT(learned.noise(0), 0.01);
}

TEST(Learning, LeavesRoomForNoiseWhereFewRowsAreFollowedWithoutIt) {
  const Matrix X = RandomStream{.seed = 3}.normals(30, 10);
  const Vector slopes = RandomStream{.seed = 4}.normals(10), noise = RandomStream{.seed = 5}.normals(30);
  const Matrix Y = X * slopes + 0.2 * noise;
  const LearnedTarget learned = learn_target({.kernel = default_kernel(10), .mean = MeanFunction("0")}, X, Y);
  EXPECT_GT(learned.noise(0), 0.05);
  EXPECT_LT(learned.noise(0), 0.5);
}

TEST(Learning, EndsSomewhereFiniteWithoutNoise) {
  Data data{.X = Vector::LinSpaced(40, -2, 2), .Y = Matrix()};
  data.Y = (1.5 * data.X.array()).sin();
  const LearnedTarget learned = learn_target({default_kernel(1)}, data.X, data.Y);
  EXPECT_GT(learned.noise(0), 0);
  EXPECT_LT(learned.noise(0), 0.01);
  EXPECT_TRUE(std::isfinite(learned.log_evidence));
  EXPECT_GT(parameter(learned.process, "se.lengthscale"), 0.5);
}

TEST(Learning, ExplainsPureNoiseByNoiseAndNotByARoughFunction) {
  int rough_without_priors = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Data data{.X = RandomStream{.seed = seed}.normals(100, 2),
                    .Y = RandomStream{.seed = seed, .purpose = Purpose::predictive_noise}.normals(100, 1)};
    const auto shortest = [](const LearnedTarget& learned) {
      return std::min(parameter(learned.process, "se.lengthscale[1]"),
                      parameter(learned.process, "se.lengthscale[2]"));
    };
    const LearnedTarget learned = learn_target({default_kernel(2)}, data.X, data.Y);
    EXPECT_GT(shortest(learned), 1) << "seed " << seed;
    EXPECT_GT(learned.noise(0), 0.9 * std::sqrt(data.Y.squaredNorm() / 100)) << "seed " << seed;
    if (shortest(learn_target({default_kernel(2)}, data.X, data.Y, {.priors = false})) < 0.1)
      ++rough_without_priors;
  }
  EXPECT_GE(rough_without_priors, 3);
}

TEST(Learning, ExplainsPureNoiseByNoiseWhereRowsAreFarFromEachOther) {
  for (const Index inputs : {10, 20})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Matrix X = RandomStream{.seed = seed}.normals(60, inputs),
                   Y = RandomStream{.seed = seed, .purpose = Purpose::predictive_noise}.normals(60, 1);
      const LearnedTarget learned = learn_target({default_kernel(inputs, Lengthscales::shared)}, X, Y);
      EXPECT_GT(learned.noise(0), 0.9 * std::sqrt(Y.squaredNorm() / 60))
          << inputs << " inputs, seed " << seed;
    }
}

TEST(Learning, LetsARoughFunctionBeRoughWhereTheDataShowIt) {
  const Data data = simulated(process_of("se(lengthscale=0.05)"), 200, 1, one(0.1), 14);
  const LearnedTarget learned = learn_target({default_kernel(1)}, data.X, data.Y);
  EXPECT_NEAR(std::log(parameter(learned.process, "se.lengthscale") / 0.05), 0, 0.3);
  EXPECT_NEAR(std::log(learned.noise(0) / 0.1), 0, 0.5);
}

TEST(Learning, DoesNotDependOnTheUnitsOfTheColumns) {
  const Data data = simulated(process_of("se(lengthscale=[1, 2])"), 100, 2, one(0.2), 3);
  Matrix X = data.X, Y = 1e-3 * data.Y;
  X.col(0) *= 1e6;
  X.col(1) *= 1e-6;
  const LearnedTarget plain = learn_target(process_of("se(lengthscale=[1, 1])"), data.X, data.Y);
  const LearnedTarget scaled = learn_target(process_of("se(amplitude=0.001, lengthscale=[1e6, 1e-6])"), X, Y);
  const double rows = 100;
  EXPECT_NEAR(scaled.log_evidence, plain.log_evidence + rows * std::log(1e3), 0.05);
  EXPECT_NEAR(std::log(scaled.noise(0) * 1e3 / plain.noise(0)), 0, 0.05);
  EXPECT_NEAR(std::log(parameter(scaled.process, "se.lengthscale[1]") / 1e6 /
                       parameter(plain.process, "se.lengthscale[1]")),
              0, 0.05);
}

TEST(Learning, StartsFromAnAmplitudeThatSuitsTheResponse) {
  const Data data = simulated(process_of("se(lengthscale=1)"), 80, 1, one(0.1), 4);
  const LearnedTarget learned = learn_target(process_of("se() + linear()"), data.X, 1e6 * data.Y);
  EXPECT_NEAR(std::log(learned.noise(0) / 1e5), 0, 0.5);
}

TEST(Learning, StartsEveryTermOfASumWithItsPartOfTheResponse) {
  // linear() of days since 1970 has a variance of 3e8, beside which se() would be left without any.
  Data data = simulated(process_of("se(lengthscale=1)"), 60, 2, one(0.1), 6);
  data.X.col(1) = 17'000 + 900 * data.X.col(1).array();
  const Matrix Y = 1e5 * (data.Y.array() + 2);
  const LearnedTarget smooth = learn_target(process_of("se(active=[1])"), data.X, Y),
                      sum = learn_target(process_of("se(active=[1]) + linear()"), data.X, Y);
  EXPECT_GT(sum.log_evidence, smooth.log_evidence - 0.5);
  EXPECT_TRUE(sum.at_bounds.empty());
}

TEST(Learning, GivesEachOutputItsNoise) {
  const Data data =
      simulated(process_of("se(lengthscale=1.2)"), 200, 1, (Vector(2) << 0.05, 0.5).finished(), 5);
  const LearnedTarget learned = learn_target({default_kernel(1)}, data.X, data.Y);
  EXPECT_NEAR(std::log(learned.noise(0) / 0.05), 0, 0.3);
  EXPECT_NEAR(std::log(learned.noise(1) / 0.5), 0, 0.3);
}

TEST(Learning, KeepsWhatIsNotLearned) {
  const Data data = simulated(process_of("se()"), 40, 1, one(0.2), 6);
  const LearningOptions noise_only{.parts = {.kernel = false, .mean = false, .noise = true}, .starts = 2};
  const GaussianProcess given = process_of("se(amplitude=0.7, lengthscale=1.3)", "0.25*x");
  const LearnedTarget learned = learn_target(given, data.X, data.Y, noise_only);
  EXPECT_EQ(learned.process.kernel.text(), given.kernel.text());
  EXPECT_EQ(learned.process.mean.text(), "0.25*x");
  EXPECT_EQ(learned.learned, 1);

  const LearnedTarget none = learn_target(
      given, data.X, data.Y, {.parts = {.kernel = false, .mean = false, .noise = false}, .noise = one(0.2)});
  EXPECT_EQ(none.noise, one(0.2));
  EvidenceFunction evidence(data.X(none.rows, Eigen::all), data.Y(none.rows, Eigen::all));
  EXPECT_EQ(none.log_evidence, evidence.at(given, one(0.2))->log_evidence);

  const LearnedTarget held = learn_target(process_of("se() * periodic(period=1.25)"), data.X, data.Y,
                                          {.hold_periods = true, .starts = 2});
  EXPECT_EQ(parameter(held.process, "periodic.period"), 1.25);
}

TEST(Learning, OfLengthscalesThatKeepTheirRatiosIsThatOfOneLengthscaleOnOtherColumns) {
  const Data data = simulated(process_of("se(lengthscale=[1, 3])"), 60, 2, one(0.2), 7);
  const LearnedTarget tied =
      learn_target(process_of("se(lengthscale=[1, 4])"), data.X, data.Y, {.hold_ratios = true});
  Matrix narrower = data.X;
  narrower.col(1) /= 4;
  const LearnedTarget shared = learn_target(process_of("se(lengthscale=1)"), narrower, data.Y);
  EXPECT_EQ(tied.learned, shared.learned);
  EXPECT_NEAR(tied.log_evidence, shared.log_evidence, 1e-6);
  EXPECT_NEAR(tied.objective, shared.objective, 1e-6);
  const double length = parameter(tied.process, "se.lengthscale[1]");
  EXPECT_NEAR(length, parameter(shared.process, "se.lengthscale"), 1e-6);
  EXPECT_NEAR(parameter(tied.process, "se.lengthscale[2]"), 4 * length, 1e-12);
}

TEST(Learning, KeepsRatiosWithinAListAndNotBetweenTerms) {
  const Data data = simulated(process_of("se(lengthscale=[1, 3])"), 40, 2, one(0.2), 7);
  const LearnedTarget learned = learn_target(
      process_of("se(lengthscale=[1, 4]) + matern32(lengthscale=[2, 1]) + se(lengthscale=3, active=[1])"),
      data.X, data.Y, {.hold_ratios = true, .starts = 1, .evaluations = 5});
  EXPECT_EQ(learned.learned, 3 + 3 + 1 + 1);  // amplitudes, factors on lengthscales, mean, noise
}

TEST(Learning, IsTheSameForOneThreadAndFour) {
  const Data data = simulated(process_of("rq(lengthscale=[1, 2])"), 60, 2, one(0.2), 7);
  const auto learn_with = [&](int threads) {
    const ThreadScope scope(threads);
    return learn_target(process_of("rq(lengthscale=[1, 1])", "0"), data.X, data.Y);
  };
  const LearnedTarget alone = learn_with(1), team = learn_with(4);
  EXPECT_EQ(alone.process.kernel.text(), team.process.kernel.text());
  EXPECT_EQ(alone.process.mean.text(), team.process.mean.text());
  EXPECT_EQ(alone.noise, team.noise);
  EXPECT_EQ(alone.log_evidence, team.log_evidence);
  EXPECT_EQ(alone.best, team.best);
}

TEST(Learning, UsesASeededSubsetOfManyRows) {
  const Matrix X = Vector::LinSpaced(1000, 0, 1), few = X.topRows(3);
  const std::vector<Index> rows = learning_rows(X, X, 100, 1);
  EXPECT_EQ(rows, learning_rows(X, X, 100, 1));
  EXPECT_NE(rows, learning_rows(X, X, 100, 2));
  EXPECT_EQ(rows.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
  EXPECT_EQ(std::ranges::adjacent_find(rows), rows.end());
  EXPECT_TRUE(rows.front() >= 0 && rows.back() < 1000);
  EXPECT_EQ(learning_rows(few, few, 100, 1), (std::vector<Index>{0, 1, 2}));

  const Data data = simulated(process_of("se()"), 90, 1, one(0.2), 8);
  const LearnedTarget learned = learn_target({default_kernel(1)}, data.X, data.Y, {.rows = 30, .starts = 2});
  EXPECT_EQ(learned.rows, learning_rows(data.X, data.Y, 30, 0));
  EvidenceFunction subset(data.X(learned.rows, Eigen::all), data.Y(learned.rows, Eigen::all));
  EXPECT_EQ(learned.log_evidence, subset.at(learned.process, learned.noise)->log_evidence);
}

TEST(Learning, UsesTheSameRowsHoweverTheTableIsSorted) {
  const Matrix X = RandomStream{.seed = 1}.normals(200, 2), Y = RandomStream{.seed = 2}.normals(200, 1);
  const Matrix other_X = X.colwise().reverse(), other_Y = Y.colwise().reverse();
  const std::vector<Index> rows = learning_rows(X, Y, 50, 1), others = learning_rows(other_X, other_Y, 50, 1);
  EXPECT_EQ(Matrix(X(rows, Eigen::all)), Matrix(other_X(others, Eigen::all)));
  EXPECT_EQ(Matrix(Y(rows, Eigen::all)), Matrix(other_Y(others, Eigen::all)));
}

TEST(Learning, FindsManyWavesInASeries) {
  const Vector hours = Vector::LinSpaced(600, 0, 100);
  const Vector y = (6.2831853 * hours.array()).sin().matrix() + 0.1 * RandomStream{.seed = 3}.normals(600);
  const LearnedTarget learned = learn_target({default_kernel(1)}, hours / 29, y);
  EXPECT_LT(learned.noise(0), 0.15);
  EXPECT_LT(parameter(learned.process, "se.lengthscale"), 0.03);
  EXPECT_EQ(learned.starts.size(), 6u);
  EXPECT_EQ(learned.best, 5u);
}

TEST(Learning, MeasuresAColumnThatHardlyVariesOverItsRowsByAllOfThem) {
  // The second column differs in one row alone, and that row is not learned from.
  Data data = simulated(process_of("se()"), 90, 1, one(0.2), 8);
  const std::vector<Index> rows = learning_rows(data.X, data.Y, 30, 0);
  Index other = 0;
  while (std::ranges::find(rows, other) != rows.end()) ++other;
  data.X.conservativeResize(90, 2);
  data.X.col(1).setConstant(0.1);
  data.X(other, 1) = 5;
  ASSERT_EQ(learning_rows(data.X, data.Y, 30, 0), rows);
  const LearnedTarget learned = learn_target({default_kernel(2)}, data.X, data.Y, {.rows = 30, .starts = 2});
  const std::vector<KernelParameter> parameters = learned.process.kernel.parameters();
  const auto second = std::ranges::find(parameters, "se.lengthscale[2]", &KernelParameter::name);
  ASSERT_NE(second, parameters.end());
  EXPECT_GT(second->value, 0.5);
}

TEST(Learning, NamesTheParametersAtABound) {
  // A straight line without noise: the evidence grows without end as the noise falls.
  const Matrix X = Vector::LinSpaced(30, -1, 1), Y = 2 * X;
  const LearnedTarget learned = learn_target(process_of("linear()"), X, Y, {.priors = false});
  ASSERT_EQ(learned.at_bounds.size(), 1u);
  EXPECT_EQ(learned.at_bounds[0].parameter, "noise");
  EXPECT_FALSE(learned.at_bounds[0].upper);
  EXPECT_EQ(learned.at_bounds[0].value, learned.noise(0));
  Matrix both(30, 2);
  both << Y, 3 * Y;
  const LearnedTarget of_two = learn_target(process_of("linear()"), X, both, {.priors = false});
  ASSERT_EQ(of_two.at_bounds.size(), 2u);
  EXPECT_EQ(of_two.at_bounds[0].parameter, "noise[1]");
  EXPECT_EQ(of_two.at_bounds[1].parameter, "noise[2]");
}

TEST(Learning, ReportsAStartThatFailsAndGoesOnWithTheOthers) {
  const Data data = simulated(process_of("se()"), 60, 1, one(0.2), 11);
  const LearnedTarget learned =
      learn_target(process_of("se(amplitude=1e9, lengthscale=1e3)"), data.X, data.Y, {.noise = one(1e-6)});
  EXPECT_FALSE(learned.starts[0].process);
  EXPECT_EQ(learned.starts[0].message, "failed: no evidence at the starting values");
  EXPECT_GT(learned.best, 0u);
  EXPECT_NEAR(std::log(learned.noise(0) / 0.2), 0, 0.5);
}

TEST(Learning, StopsWhenItMay) {
  const Data data = simulated(process_of("se()"), 60, 1, one(0.2), 12);
  const LearnedTarget learned = learn_target({default_kernel(1)}, data.X, data.Y, {.evaluations = 3});
  for (const LearningStart& start : learned.starts) {
    EXPECT_EQ(start.evaluations, 3);
    EXPECT_FALSE(start.converged);
    EXPECT_EQ(start.message, "stopped after 3 evaluations");
  }
  const std::atomic<bool> cancelled = true;
  const CancellationScope scope(&cancelled);
  EXPECT_THROW(learn_target({default_kernel(1)}, data.X, data.Y), Cancelled);
}

TEST(Learning, RefusesWhatBreaksARule) {
  const Data data = simulated(process_of("se()"), 10, 1, one(0.2), 13);
  const auto complaint = [&](const LearningOptions& options) {
    return complaint_of([&] { learn_target({default_kernel(1)}, data.X, data.Y, options); });
  };
  EXPECT_EQ(complaint({.rows = 1}), "learn_rows: must be at least 2, got 1");
  EXPECT_EQ(complaint({.starts = 0}), "starts: must be at least 1, got 0");
  EXPECT_EQ(complaint({.noise = Vector::Ones(3)}),
            "noise: must be one number or 1, one for each output, got a list of 3");
  EXPECT_EQ(complaint({.parts = {.noise = false}}), "noise: must be given where it is not learned");
  EXPECT_EQ(complaint_of([&] {
              learn_target(process_of("constant(amplitude=1e9)"), data.X, data.Y,
                           {.parts = {.kernel = false, .noise = false}, .noise = one(1e-3)});
            }).substr(0, 6),
            "noise:");
}

}  // namespace
}  // namespace ridgelet
