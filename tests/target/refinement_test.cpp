#include "ridgelet/target/refinement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "process.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

using testing::process_of;

/// 700 rows of a function of two inputs, one much shorter than the other, with noise 0.1.
struct ManyRows {
  Matrix X = RandomStream{.seed = 41}.normals(700, 2);
  Matrix Y = (2 * X.col(0)).array().sin() + 0.3 * X.col(1).array().square() +
             0.1 * RandomStream{.seed = 42}.normals(700, 1).array();
};

const ManyRows many;
const LearningOptions from_few_rows{.rows = 60, .thinned_rows = 0};

LearnedTarget learned_from_few_rows(const LearningOptions& options = from_few_rows,
                                    const std::string& kernel = "se(lengthscale=[1, 1])") {
  return learn_target(process_of(kernel), many.X, many.Y, options);
}

double log_evidence_of_all_rows(const LearnedTarget& target) {
  return EvidenceFunction(many.X, many.Y).at(target.process, target.noise)->log_evidence;
}

TEST(Refinement, ComesCloseToWhatAllRowsTell) {
  const LearnedTarget few = learned_from_few_rows();
  const LearnedTarget refined = refine_target(few, many.X, many.Y, from_few_rows);
  LearningOptions options = from_few_rows;
  options.rows = 700;
  const LearnedTarget all = learned_from_few_rows(options);
  const double before = log_evidence_of_all_rows(few), after = log_evidence_of_all_rows(refined);
  ASSERT_TRUE(refined.refinement);
  EXPECT_EQ(refined.refinement->rows, 700);
  EXPECT_GT(after, before + 1);
  EXPECT_NEAR(after - before, refined.refinement->gain, 1);
  EXPECT_NEAR(after, all.log_evidence, 1);
}

TEST(Refinement, StatesTheEvidenceOfTheRowsLearnedFrom) {
  const LearnedTarget few = learned_from_few_rows();
  const LearnedTarget refined = refine_target(few, many.X, many.Y, from_few_rows);
  EXPECT_EQ(refined.rows, few.rows);
  EvidenceFunction evidence(many.X(few.rows, Eigen::all), many.Y(few.rows, Eigen::all));
  EXPECT_EQ(refined.log_evidence, evidence.at(refined.process, refined.noise)->log_evidence);
  EXPECT_LT(refined.log_evidence, few.log_evidence);
  EXPECT_LT(refined.objective, few.objective);
  EXPECT_EQ(refined.starts.size(), few.starts.size());
}

TEST(Refinement, LeavesAloneWhatWasNotLearnedOrLearnedFromAllRows) {
  LearningOptions noise_only = from_few_rows;
  noise_only.parts = {.kernel = false, .mean = false, .noise = true};
  const LearnedTarget given = learned_from_few_rows(noise_only);
  EXPECT_FALSE(refine_target(given, many.X, many.Y, noise_only).refinement);

  const LearnedTarget few = learned_from_few_rows();
  const Matrix X = many.X(few.rows, Eigen::all), Y = many.Y(few.rows, Eigen::all);
  EXPECT_FALSE(refine_target(few, X, Y, from_few_rows).refinement);
}

TEST(Refinement, IsNotKeptWhereThePointsTellTooLittle) {
  const LearnedTarget few = learned_from_few_rows();
  const LearnedTarget refined = refine_target(few, many.X, many.Y, from_few_rows, {.points = 5});
  EXPECT_FALSE(refined.refinement);
  EXPECT_EQ(refined.process.kernel.text(), few.process.kernel.text());
  EXPECT_EQ(refined.noise, few.noise);
}

TEST(Refinement, HasNothingToAddToAProcessThatIsNearlyNothing) {
  LearnedTarget nothing = learned_from_few_rows();
  nothing.process = process_of("se(amplitude=0.001)");
  nothing.noise.setConstant(1);
  const LearnedTarget refined = refine_target(nothing, many.X, many.Y, from_few_rows);
  EXPECT_FALSE(refined.refinement);
  EXPECT_EQ(refined.process.kernel.text(), nothing.process.kernel.text());
}

TEST(Refinement, HoldsWhatLearningHeld) {
  LearningOptions options = from_few_rows;
  options.hold_ratios = true;
  const LearnedTarget few = learned_from_few_rows(options, "se(lengthscale=[1, 4])");
  const LearnedTarget refined = refine_target(few, many.X, many.Y, from_few_rows);
  ASSERT_TRUE(refined.refinement);
  const std::vector<KernelParameter> numbers = refined.process.kernel.parameters();
  EXPECT_NEAR(numbers[2].value / numbers[1].value, 4, 1e-9);
}

TEST(Refinement, DoesNotDependOnTheOrderOfRowsOrOnThreads) {
  const auto with = [](int threads, const Matrix& X, const Matrix& Y) {
    const ThreadScope scope(threads);
    const LearnedTarget few = learn_target(process_of("se(lengthscale=[1, 1])"), X, Y, from_few_rows);
    const LearnedTarget refined = refine_target(few, X, Y, from_few_rows);
    EXPECT_TRUE(refined.refinement);
    return refined.process.kernel;
  };
  const Kernel one = with(1, many.X, many.Y);
  EXPECT_EQ(with(4, many.X, many.Y).text(), one.text());
  // The units of the columns are sums over rows, which round differently in another order.
  const Kernel other = with(2, many.X.colwise().reverse(), many.Y.colwise().reverse());
  EXPECT_LT(testing::relative_error(other.matrix(many.X, many.X), one.matrix(many.X, many.X)), 1e-6);
}

TEST(Refinement, TakesNoMoreRowsAndPointsThanItMay) {
  const LearnedTarget refined =
      refine_target(learned_from_few_rows(), many.X, many.Y, from_few_rows, {.rows = 300, .points = 60});
  ASSERT_TRUE(refined.refinement);
  EXPECT_EQ(refined.refinement->rows, 300);
  EXPECT_LE(refined.refinement->points, 60);
}

}  // namespace
}  // namespace ridgelet
