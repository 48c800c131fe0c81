#include "ridgelet/assess/chain_distance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

/// Four chains of 100 independent draws of functions at three inputs.
Matrix agreeing_chains() {
  return RandomStream{.seed = 1}.normals(400, 3);
}

TEST(ChainDistance, IsZeroFromTheChainsThemselves) {
  const ChainDistance distance = distance_from_chains(agreeing_chains(), agreeing_chains(), 4);
  EXPECT_EQ(distance.mean, 0);
  EXPECT_EQ(distance.sd, 0);
  EXPECT_EQ(distance.draws, 400);
  EXPECT_TRUE(distance.chains_agree());
  EXPECT_FALSE(distance.far());
}

TEST(ChainDistance, CountsAShiftInSdsOfTheChainsAndAScaleAsALogarithm) {
  const Matrix chains = 5 * agreeing_chains();
  // At the third input nothing is changed, so that a third of the squares is zero.
  Matrix functions = chains;
  functions.leftCols(2).rowwise() -= chains.leftCols(2).colwise().mean();
  functions.leftCols(2) *= 2;
  functions.leftCols(2).rowwise() += chains.leftCols(2).colwise().mean();
  for (Index p = 0; p < 2; ++p) {
    const double mean = chains.col(p).mean();
    functions.col(p).array() += 3 * std::sqrt((chains.col(p).array() - mean).square().sum() / 399);
  }
  const ChainDistance distance = distance_from_chains(functions, chains, 4);
  EXPECT_NEAR(distance.mean, 3 * std::sqrt(2.0 / 3), 1e-12);
  EXPECT_NEAR(distance.sd, std::log(2) * std::sqrt(2.0 / 3), 1e-12);
  EXPECT_TRUE(distance.far());
}

TEST(ChainDistance, ComparesAnyNumberOfDraws) {
  const Matrix few = RandomStream{.seed = 2}.normals(100, 3);
  const ChainDistance distance = distance_from_chains(few, agreeing_chains(), 4);
  // Means and logarithms of sds of so many draws on either side.
  EXPECT_GT(distance.mean, 0);
  EXPECT_LT(distance.mean, testing::tolerance::standard_errors * std::sqrt(1.0 / 100 + 1.0 / 400));
  EXPECT_LT(distance.sd, testing::tolerance::standard_errors * std::sqrt(0.5 / 100 + 0.5 / 400));
}

TEST(ChainDistance, LeavesOutInputsWhereAFunctionDoesNotVary) {
  Matrix chains = agreeing_chains(), functions = chains;
  functions.col(0).setConstant(7);
  chains.col(1).setConstant(-7);
  const ChainDistance distance = distance_from_chains(functions, chains, 4);
  EXPECT_EQ(distance.mean, 0);
  EXPECT_EQ(distance.sd, 0);
  const ChainDistance constant = distance_from_chains(functions.leftCols(1), chains.leftCols(1), 4);
  EXPECT_EQ(constant.mean, 0);
  EXPECT_TRUE(constant.chains_agree());
}

TEST(ChainDistance, SaysThatChainsDisagree) {
  Matrix chains = agreeing_chains();
  chains.topRows(100).array() += 2;
  EXPECT_FALSE(distance_from_chains(agreeing_chains(), chains, 4).chains_agree());
}

TEST(ChainDistance, IsOfTheSameInputs) {
  EXPECT_EQ(testing::complaint_of([] { distance_from_chains(Matrix::Zero(4, 2), Matrix::Zero(4, 3), 1); }),
            "functions: must be at the inputs of the chains");
}

}  // namespace
}  // namespace ridgelet
