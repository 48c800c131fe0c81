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
  EXPECT_EQ(complaint_of([] { default_kernel(0); }), "X: must be at least 1, got 0");
}

TEST(KernelChoice, TakesALinearTermWhereThereIsATrendAndNoneWhereThereIsNot) {
  const Matrix X = Vector::LinSpaced(60, -1.7, 1.7);
  const Vector noise = 0.1 * RandomStream{.seed = 1}.normals(60);
  const auto form = [&](const Vector& y) {
    const KernelChoice choice = choose_kernel(MeanFunction("0"), X, y);
    EXPECT_EQ(choice.candidates.size(), 8u);
    for (const KernelCandidate& candidate : choice.candidates)
      EXPECT_LE(candidate.score(), choice.candidates[choice.best].score()) << candidate.form;
    EXPECT_EQ(choice.learned.log_evidence, choice.candidates[choice.best].learned.log_evidence);
    return choice.candidates[choice.best].form;
  };
  EXPECT_NE(
      form((3 * X.col(0).array() + 0.2 * (9 * X.col(0).array()).sin()).matrix() + noise).find("+ linear"),
      std::string::npos);
  EXPECT_EQ(form((4 * X.col(0).array()).sin().matrix() + noise), "se");
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
