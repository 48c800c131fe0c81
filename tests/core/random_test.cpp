#include "ridgelet/core/random.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"

namespace ridgelet {
namespace {

TEST(RandomStream, GivesTheSameNumberForTheSameAddress) {
  const RandomStream stream{.seed = 7, .purpose = Purpose::output_weights, .replicate = 3, .iteration = 11};
  EXPECT_EQ(stream.normal(5), stream.normal(5));
  EXPECT_EQ(stream.uniform(5), stream.uniform(5));
}

TEST(RandomStream, DiffersInEveryPartOfTheAddress) {
  const RandomStream stream{.seed = 7};
  EXPECT_NE(stream.normal(0), stream.normal(1));
  EXPECT_NE(stream.normal(0), (RandomStream{.seed = 8}.normal(0)));
  EXPECT_NE(stream.normal(0), (RandomStream{.seed = 7, .purpose = Purpose::hidden_biases}.normal(0)));
  EXPECT_NE(stream.normal(0), (RandomStream{.seed = 7, .replicate = 1}.normal(0)));
  EXPECT_NE(stream.normal(0), (RandomStream{.seed = 7, .iteration = 1}.normal(0)));
  EXPECT_NE(stream.normal(0), (RandomStream{.seed = 7ull + (1ull << 32)}.normal(0)));
}

TEST(RandomStream, LeavesEarlierRowsAloneWhenMoreAreDrawn) {
  const RandomStream stream{.seed = 2};
  EXPECT_EQ(stream.normals(3, 4), stream.normals(10, 4).topRows(3));
}

TEST(RandomStream, FillsAMatrixWithItsNumbersRowByRowFromAnyIndexOn) {
  const RandomStream stream{.seed = 2};
  for (const std::uint64_t first : {0, 1, 7}) {
    const Matrix values = stream.normals(3, 5, first);
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 5; ++j)
        EXPECT_EQ(values(i, j), stream.normal(first + static_cast<std::uint64_t>(5 * i + j)));
  }
}

TEST(RandomStream, HasTheMomentsOfANormal) {
  const RandomStream stream{.seed = 1};
  const Index n = 200'000;
  const Eigen::ArrayXd z = stream.normals(n);
  const double root = std::sqrt(static_cast<double>(n));
  // Standard errors of the sample moments 1 to 4 of a standard normal: 1, sqrt 2, sqrt 15, sqrt 96, over sqrt
  // n.
  EXPECT_NEAR(z.mean(), 0, testing::tolerance::standard_errors * 1 / root);
  EXPECT_NEAR(z.square().mean(), 1, testing::tolerance::standard_errors * std::sqrt(2.0) / root);
  EXPECT_NEAR(z.cube().mean(), 0, testing::tolerance::standard_errors * std::sqrt(15.0) / root);
  EXPECT_NEAR(z.square().square().mean(), 3, testing::tolerance::standard_errors * std::sqrt(96.0) / root);
}

TEST(RandomStream, HasTheVarianceOfALogistic) {
  const RandomStream stream{.seed = 1};
  const Index n = 200'000;
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    const double x = stream.logistic(static_cast<std::uint64_t>(i));
    sum += x * x;
  }
  const double variance = M_PI * M_PI / 3;
  // The kurtosis of a logistic is 4.2, so the variance of x^2 is 3.2 times the squared variance.
  const double standard_error = variance * std::sqrt(3.2 / static_cast<double>(n));
  EXPECT_NEAR(sum / static_cast<double>(n), variance, testing::tolerance::standard_errors * standard_error);
}

TEST(RandomStream, NeverReturnsTheEndsOfTheUnitInterval) {
  const RandomStream stream{.seed = 4};
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    EXPECT_GT(stream.uniform(i), 0);
    EXPECT_LT(stream.uniform(i), 1);
  }
}

TEST(RandomStream, ChoosesEveryNumberOfASubsetOnceAndInOrder) {
  const RandomStream stream{.seed = 1};
  const std::vector<Index> chosen = stream.subset(1000, 100);
  ASSERT_EQ(chosen.size(), 100U);
  for (std::size_t i = 1; i < chosen.size(); ++i) EXPECT_LT(chosen[i - 1], chosen[i]);
  EXPECT_GE(chosen.front(), 0);
  EXPECT_LT(chosen.back(), 1000);
  EXPECT_NE(chosen, (RandomStream{.seed = 2}.subset(1000, 100)));
  EXPECT_EQ(stream.subset(3, 100), (std::vector<Index>{0, 1, 2}));
}

TEST(RandomStream, ChoosesEveryNumberEquallyOften) {
  constexpr std::uint32_t repeats = 4000;
  Vector count = Vector::Zero(10);
  for (std::uint32_t r = 0; r < repeats; ++r)
    for (const Index i : RandomStream{.seed = 3, .replicate = r}.subset(10, 3)) count(i) += 1;
  const double expected = 0.3 * repeats, sd = std::sqrt(repeats * 0.3 * 0.7);
  EXPECT_LT((count.array() - expected).abs().maxCoeff(), testing::tolerance::standard_errors * sd);
}

}  // namespace
}  // namespace ridgelet
