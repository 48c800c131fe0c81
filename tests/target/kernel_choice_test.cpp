#include "ridgelet/target/kernel_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

TEST(KernelChoice, HasALengthscaleForEachInputByDefault) {
  EXPECT_EQ(default_kernel(1).text(), "se(amplitude=1, lengthscale=1)");
  EXPECT_EQ(default_kernel(4).text(), "se(amplitude=1, lengthscale=[2, 2, 2, 2])");
  EXPECT_EQ(default_kernel(4, Lengthscales::shared).text(), "se(amplitude=1, lengthscale=2)");
  EXPECT_EQ(default_kernel(4, Lengthscales::common, Vector{{1, 0.5, 3, 1}}).text(),
            "se(amplitude=1, lengthscale=[2, 1, 6, 2])");
  EXPECT_EQ(complaint_of([] { default_kernel(0); }), "X: must be at least 1, got 0");
}

TEST(KernelChoice, GivesEachInputALengthscaleOnlyWhereRowsCanTellThemApart) {
  using enum Lengthscales;
  const std::vector<Lengthscales> only_each = {each}, only_shared = {shared}, both = {each, shared};
  EXPECT_EQ(lengthscales_to_try(5, 1), only_each);
  EXPECT_EQ(lengthscales_to_try(300, 10), only_each);
  EXPECT_EQ(lengthscales_to_try(299, 10), both);
  EXPECT_EQ(lengthscales_to_try(48, 4), only_each);
  EXPECT_EQ(lengthscales_to_try(47, 4), both);
  EXPECT_EQ(lengthscales_to_try(599, 20), both);
  EXPECT_EQ(lengthscales_to_try(11, 10), both);
  EXPECT_EQ(lengthscales_to_try(10, 10), only_shared);
  EXPECT_EQ(lengthscales_to_try(1000, 250), both);
  EXPECT_EQ(lengthscales_to_try(1000, 251), only_shared);
}

TEST(KernelChoice, TriesTheUnitThatColumnsHaveInCommonWhereALengthscaleMayBeShared) {
  using enum Lengthscales;
  using Forms = std::vector<Lengthscales>;
  EXPECT_EQ(lengthscales_to_try(300, 10, true), Forms{each});
  EXPECT_EQ(lengthscales_to_try(299, 10, true), (Forms{each, shared, common}));
  EXPECT_EQ(lengthscales_to_try(10, 10, true), (Forms{shared, common}));
  EXPECT_EQ(lengthscales_to_try(1000, 251, true), Forms{shared});
}

/// What a learner that ended at this log evidence with this many numbers says.
LearnedTarget ended_at(const Kernel& kernel, double log_evidence, Index learned) {
  return {.process = {.kernel = kernel},
          .noise = {},
          .log_evidence = log_evidence,
          .rows = std::vector<Index>(20),
          .learned = learned,
          .starts = {},
          .at_bounds = {}};
}

TEST(KernelChoice, SharesALengthscaleUnlessTheOthersAreWorthTheirNumber) {
  const auto chosen = [](double log_evidence_of_each) {
    return learn_default_kernel(20, 4, {}, [&](const Kernel& kernel, bool) {
      const bool shared = kernel.text() == default_kernel(4, Lengthscales::shared).text();
      return shared ? ended_at(kernel, -10, 3) : ended_at(kernel, log_evidence_of_each, 6);
    });
  };
  // Three numbers more cost 1.5 log 20 = 4.49 for twenty rows.
  const double of_each = 0.5 * std::log(20.0);
  const LearnedDefault shared = chosen(-5.6), each = chosen(-5.4);
  EXPECT_EQ(shared.lengthscales, Lengthscales::shared);
  EXPECT_EQ(shared.learned.log_evidence, -10);
  EXPECT_NEAR(shared.other_score.value(), -5.6 - 6 * of_each, 1e-12);
  EXPECT_EQ(each.lengthscales, Lengthscales::each);
  EXPECT_EQ(each.learned.log_evidence, -5.4);
  EXPECT_NEAR(each.other_score.value(), -10 - 3 * of_each, 1e-12);
}

TEST(KernelChoice, HasNoOtherScoreWhereOneFormIsTried) {
  const LearnedDefault only =
      learn_default_kernel(120, 4, {}, [](const Kernel& kernel, bool) { return ended_at(kernel, 0, 6); });
  EXPECT_EQ(only.lengthscales, Lengthscales::each);
  EXPECT_FALSE(only.other_score);
}

TEST(KernelChoice, SharesTheLengthscaleOfTheLargestScoreAndNamesTheNext) {
  const auto chosen = [](double each, double shared, double common) {
    Index call = 0;
    return learn_default_kernel(20, 4, Vector{{1, 0.5, 3, 1}}, [&](const Kernel& kernel, bool hold_ratios) {
      EXPECT_EQ(hold_ratios, call == 2);
      const double ends[] = {each, shared, common};
      return ended_at(kernel, ends[call++], 3);
    });
  };
  const double numbers = 1.5 * std::log(20.0);
  const LearnedDefault common = chosen(-7, -8, -6), shared = chosen(-9, -5, -8), each = chosen(-4, -9, -5);
  EXPECT_EQ(common.lengthscales, Lengthscales::common);
  EXPECT_NEAR(common.other_score.value(), -7 - numbers, 1e-12);
  EXPECT_EQ(shared.lengthscales, Lengthscales::shared);
  EXPECT_NEAR(shared.other_score.value(), -8 - numbers, 1e-12);
  EXPECT_EQ(each.lengthscales, Lengthscales::each);
  EXPECT_NEAR(each.other_score.value(), -5 - numbers, 1e-12);
}

TEST(KernelChoice, TriesSharedLengthscalesInItsListWhereRowsAreFew) {
  const Matrix X = RandomStream{.seed = 6}.normals(15, 3);
  const Vector y = X.rowwise().sum() + 0.1 * RandomStream{.seed = 7}.normals(15);
  const KernelChoice choice =
      choose_kernel(MeanFunction("0"), X, y, {.learning = {.starts = 1, .evaluations = 20}});
  std::vector<std::string> forms;
  for (const KernelCandidate& candidate : choice.candidates) forms.push_back(candidate.form);
  EXPECT_EQ(forms.size(), 16u);
  EXPECT_EQ(forms[0], "se");
  EXPECT_EQ(forms[1], "se + linear");
  EXPECT_EQ(forms[2], "isotropic se");
  EXPECT_EQ(forms[3], "isotropic se + linear");
}

TEST(KernelChoice, TriesTheUnitInCommonInItsListAndKeepsItsRatios) {
  const Matrix X = RandomStream{.seed = 6}.normals(15, 3);
  const Vector y = X.col(0) + 0.1 * RandomStream{.seed = 7}.normals(15);
  const KernelChoice choice = choose_kernel(MeanFunction("0"), X, y,
                                            {.learning = {.rows = 12, .starts = 1, .evaluations = 20},
                                             .unit = Vector{{1, 100, 10}},
                                             .comparison_rows = 10});
  EXPECT_EQ(choice.candidates.size(), 24u);
  ASSERT_EQ(choice.candidates[choice.best].form.substr(0, 20), "isotropic (own unit)");
  const std::vector<KernelParameter> parameters = choice.learned.process.kernel.parameters();
  ASSERT_EQ(parameters[1].name.substr(parameters[1].name.size() - 14), "lengthscale[1]");
  EXPECT_NEAR(parameters[2].value / parameters[1].value, 100, 1e-9);
  EXPECT_NEAR(parameters[3].value / parameters[1].value, 10, 1e-9);
}

TEST(KernelChoice, TakesALinearTermWhereThereIsATrendAndNoneWhereThereIsNot) {
  const Matrix X = Vector::LinSpaced(60, -1.7, 1.7);
  const Vector noise = 0.1 * RandomStream{.seed = 1}.normals(60);
  const auto form = [&](const Vector& y) {
    const KernelChoice choice = choose_kernel(MeanFunction("0"), X, y);
    EXPECT_EQ(choice.candidates.size(), 8u);
    for (const KernelCandidate& candidate : choice.candidates)
      EXPECT_LE(candidate.learned.score(), choice.candidates[choice.best].learned.score()) << candidate.form;
    EXPECT_EQ(choice.learned.log_evidence, choice.candidates[choice.best].learned.log_evidence);
    return choice.candidates[choice.best].form;
  };
  EXPECT_NE(
      form((3 * X.col(0).array() + 0.2 * (9 * X.col(0).array()).sin()).matrix() + noise).find("+ linear"),
      std::string::npos);
  EXPECT_EQ(form((4 * X.col(0).array()).sin().matrix() + noise), "se");
}

TEST(KernelChoice, GivesASumNoLessEvidenceThanTheKernelThatItExtends) {
  const Matrix X = RandomStream{.seed = 8}.normals(40, 3);
  const Vector y = (2 * X.col(0)).array().sin() + X.col(1).array().square() +
                   0.2 * RandomStream{.seed = 9}.normals(40, 1).array();
  const KernelChoice choice =
      choose_kernel(MeanFunction("0"), X, y, {.learning = {.starts = 1}, .period = 4});
  for (const KernelCandidate& sum : choice.candidates)
    for (const KernelCandidate& part : choice.candidates)
      if (sum.form == part.form + " + linear" || sum.form == part.form + " + periodic") {
        EXPECT_GT(sum.learned.log_evidence, part.learned.log_evidence - 0.1) << sum.form;
      }
}

TEST(KernelChoice, KeepsTheFunctionsSmoothnessApart) {
  const Matrix X = RandomStream{.seed = 2}.normals(150, 1);
  const GaussianProcess rough{.kernel = parse_kernel("matern32(lengthscale=0.7)")};
  const Gaussian prior = rough.prior(X);
  const Vector y =
      prior.at(RandomStream{.seed = 3}.normals(prior.rank())) + 0.01 * RandomStream{.seed = 4}.normals(150);
  const KernelChoice choice = choose_kernel(MeanFunction("0"), X, y, {.learning = {.starts = 2}});
  EXPECT_EQ(choice.candidates[choice.best].form, "matern32");
}

TEST(KernelChoice, TriesAPeriodThatIsGivenAndKeepsIt) {
  const Matrix X = Vector::LinSpaced(80, -1.7, 1.7);
  const Vector y = (2 * std::numbers::pi * X.col(0).array() / 0.3).sin().matrix() + X.col(0) +
                   0.1 * RandomStream{.seed = 5}.normals(80);
  Index reported = 0;
  const KernelChoice choice = choose_kernel(
      MeanFunction("0"), X, y,
      {.learning = {.rows = 60,
                    .starts = 2,
                    .progress = [&](Index done, Index) { reported = std::max(reported, done); }},
       .period = 0.3,
       .comparison_rows = 40});
  EXPECT_EQ(choice.candidates.size(), 16u);
  EXPECT_EQ(reported, 17);
  const std::string text = choice.learned.process.kernel.text();
  EXPECT_NE(text.find("period=0.3,"), std::string::npos) << text;
  EXPECT_EQ(choice.candidates[0].learned.rows.size(), 40u);
  EXPECT_EQ(choice.learned.rows.size(), 60u);
}

TEST(KernelChoice, RefusesAPeriodThatIsNotPositive) {
  EXPECT_EQ(complaint_of([] {
              choose_kernel(MeanFunction("0"), Matrix::Ones(3, 1), Matrix::Ones(3, 1), {.period = 0.0});
            }),
            "period: must be positive and finite, got 0");
}

}  // namespace
}  // namespace ridgelet
