#include "ridgelet/assess/diagnostics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expectations.hpp"
#include "golden.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Matrix independent(Index draws, Index chains, std::uint64_t seed = 1) {
  return RandomStream{.seed = seed}.normals(draws, chains);
}

/// x_t = phi x_{t-1} + sqrt(1 - phi^2) z_t, started at its stationary distribution.
Matrix autoregression(Index draws, Index chains, double phi) {
  Matrix x = independent(draws, chains);
  for (Index t = 1; t < draws; ++t) x.row(t) = phi * x.row(t - 1) + std::sqrt(1 - phi * phi) * x.row(t);
  return x;
}

Matrix shifted_chains() {
  Matrix x = independent(200, 4);
  x.col(1).array() += 0.7;
  return x;
}

/// Chains and the answers of R's posterior: tests/golden/diagnostics.R.
const nlohmann::json& oracle() {
  static const nlohmann::json cases =
      nlohmann::json::parse(std::ifstream(std::string(TEST_DATA_DIR) + "/golden/diagnostics.json"));
  return cases;
}

/// Equal relative to R's number, or NaN where R says "NA".
void expect_agreement(double value, const nlohmann::json& expected) {
  if (expected.is_string()) {
    EXPECT_EQ(expected, "NA");
    EXPECT_TRUE(std::isnan(value)) << value;
  } else {
    const double number = expected.get<double>();
    EXPECT_NEAR(value, number, testing::tolerance::golden_values * std::abs(number));
  }
}

void expect_undefined(const ConvergenceDiagnostics& diagnostics) {
  EXPECT_TRUE(std::isnan(diagnostics.rhat));
  EXPECT_TRUE(std::isnan(diagnostics.bulk));
  EXPECT_TRUE(std::isnan(diagnostics.tail));
  EXPECT_TRUE(std::isnan(diagnostics.standard_error));
}

TEST(Diagnostics, AgreeWithPosteriorOnStoredChains) {
  ASSERT_GE(oracle().size(), 20u);
  for (const auto& stored : oracle()) {
    SCOPED_TRACE(stored.at("name").get<std::string>());
    const Matrix draws = testing::as_matrix(stored.at("chains")).transpose();
    const ConvergenceDiagnostics diagnostics = diagnose(draws);
    expect_agreement(diagnostics.rhat, stored.at("rhat"));
    expect_agreement(diagnostics.bulk, stored.at("bulk"));
    expect_agreement(diagnostics.tail, stored.at("tail"));
    expect_agreement(diagnostics.standard_error, stored.at("standard_error"));
  }
}

TEST(Diagnostics, DoNotDependOnTheOrderOfTheChains) {
  const Matrix x = autoregression(100, 4, 0.8);
  Matrix permuted(100, 4);
  permuted << x.col(2), x.col(0), x.col(3), x.col(1);
  const auto expect_equal = [&](auto&& of) {
    EXPECT_NEAR(of(permuted), of(x), testing::tolerance::two_routes * of(x));
  };
  expect_equal(rhat);
  expect_equal(bulk_effective_sample_size);
  expect_equal(tail_effective_sample_size);
  expect_equal(mean_standard_error);
}

TEST(Diagnostics, DoNotDependOnUnitsExceptForTheStandardError) {
  const Matrix x = autoregression(100, 4, 0.8);
  const Matrix scaled = 8 * x;  // a power of 2, so that no tie appears or disappears by rounding
  EXPECT_EQ(rhat(scaled), rhat(x));
  EXPECT_EQ(bulk_effective_sample_size(scaled), bulk_effective_sample_size(x));
  EXPECT_EQ(tail_effective_sample_size(scaled), tail_effective_sample_size(x));
  EXPECT_NEAR(mean_standard_error(scaled), 8 * mean_standard_error(x), testing::tolerance::two_routes);
}

TEST(Diagnostics, KeepTheirDigitsFarFromZero) {
  const Matrix x = (independent(200, 4).array() * 1024).round() / 1024;
  const Matrix far = x.array() + 0x1p40;  // without rounding
  EXPECT_NEAR(mean_standard_error(far), mean_standard_error(x),
              testing::tolerance::two_routes * mean_standard_error(x));
}

TEST(Diagnostics, SeeOnlyRanksInTheBulk) {
  // The chains differ in place, so R-hat is that of the ranks before and after, not that of the folded draws.
  const Matrix x = shifted_chains();
  const Matrix transformed = (x.array() / 2).sinh();
  EXPECT_GT(rhat(x), rhat_threshold);
  EXPECT_EQ(rhat(transformed), rhat(x));
  EXPECT_EQ(bulk_effective_sample_size(transformed), bulk_effective_sample_size(x));
  EXPECT_NE(mean_standard_error(transformed), mean_standard_error(x));
}

TEST(Diagnostics, CountIndependentDrawsInFull) {
  const Matrix x = independent(1000, 4);
  EXPECT_LT(std::abs(rhat(x) - 1), rhat_threshold - 1);
  EXPECT_NEAR(bulk_effective_sample_size(x), 4000, 400);
  EXPECT_NEAR(tail_effective_sample_size(x), 4000, 400);
  EXPECT_NEAR(mean_standard_error(x), 1 / std::sqrt(4000.0), 0.1 / std::sqrt(4000.0));
}

TEST(Diagnostics, CountAutoregressiveDrawsByTheirAutocorrelationTime) {
  // tau = (1 + phi) / (1 - phi) = 3.
  const Matrix x = autoregression(4000, 4, 0.5);
  EXPECT_NEAR(bulk_effective_sample_size(x), 16000 / 3.0, 0.1 * 16000 / 3.0);
  EXPECT_NEAR(mean_standard_error(x), std::sqrt(3.0 / 16000), 0.1 * std::sqrt(3.0 / 16000));
}

TEST(Diagnostics, CapTheSizeOfAntitheticDraws) {
  const Matrix x = autoregression(1000, 4, -0.9);
  EXPECT_DOUBLE_EQ(bulk_effective_sample_size(x), 4000 * std::log10(4000.0));
}

TEST(Diagnostics, RaiseRhatForOneStuckChain) {
  Matrix x = independent(500, 4);
  EXPECT_LT(rhat(x), rhat_threshold);
  x.col(2).setConstant(0.1);
  EXPECT_GT(rhat(x), rhat_threshold);
}

TEST(Diagnostics, RaiseRhatForOneWideChainAndForDrift) {
  Matrix wide = independent(500, 4), drifting = wide;
  wide.col(2) *= 3;
  drifting.colwise() += Vector::LinSpaced(500, 0, 1);
  EXPECT_GT(rhat(wide), rhat_threshold);
  EXPECT_GT(rhat(drifting), rhat_threshold);
}

TEST(Diagnostics, AreInfiniteForChainsStuckApart) {
  const Matrix x = Vector::Ones(98) * Eigen::RowVectorXd{{1, 2, 4, 8, 16}};
  EXPECT_EQ(rhat(x), infinity);
  // Halves of 49 draws and rho_t = 1: the sum ends at lag 44, so tau = 2 * 44.
  EXPECT_NEAR(bulk_effective_sample_size(x), 490 / 88.0, testing::tolerance::two_routes);
}

TEST(Diagnostics, AreUndefinedForConstantDraws) {
  expect_undefined(diagnose(Matrix::Constant(50, 4, 0.1)));
}

TEST(Diagnostics, AreUndefinedWhenOneDrawIsNotFinite) {
  for (const double bad : {infinity, -infinity, std::nan("")}) {
    Matrix x = independent(51, 2);
    x(25, 1) = bad;  // the middle draw, which splitting leaves out
    expect_undefined(diagnose(x));
  }
}

TEST(Diagnostics, NeedFourDrawsAndAChain) {
  const std::string rule = "draws: must be at least 4 draws of at least 1 chain, got ";
  EXPECT_EQ(testing::complaint_of([] { rhat(Matrix::Ones(3, 2)); }), rule + "3 x 2");
  EXPECT_EQ(testing::complaint_of([] { bulk_effective_sample_size(Matrix::Ones(3, 2)); }), rule + "3 x 2");
  EXPECT_EQ(testing::complaint_of([] { tail_effective_sample_size(Matrix::Ones(0, 2)); }), rule + "0 x 2");
  EXPECT_EQ(testing::complaint_of([] { mean_standard_error(Matrix::Ones(4, 0)); }), rule + "4 x 0");
  EXPECT_EQ(testing::complaint_of([] { diagnose(Matrix::Ones(4, 1)); }), "");
}

TEST(WorstDiagnostics, NameTheQuantityThatIsWorstInEach) {
  Matrix thin_ends = independent(200, 4);  // one chain that alone reaches the tails
  thin_ends.leftCols(3) /= 3;
  const std::vector<Matrix> quantities = {independent(200, 4), autoregression(200, 4, 0.9), thin_ends,
                                          independent(200, 4, 2)};
  const WorstDiagnostics worst = worst_diagnostics(quantities);
  EXPECT_EQ(worst.rhat.quantity, 2);
  EXPECT_EQ(worst.rhat.value, rhat(thin_ends));
  EXPECT_EQ(worst.bulk.quantity, 1);
  EXPECT_EQ(worst.bulk.value, bulk_effective_sample_size(quantities[1]));
  EXPECT_EQ(worst.tail.quantity, 2);
  EXPECT_EQ(worst.tail.value, tail_effective_sample_size(thin_ends));
  EXPECT_EQ(worst.chains, 4);
}

TEST(WorstDiagnostics, CountUndefinedAsWorst) {
  const Matrix constant = Matrix::Ones(200, 4);
  const WorstDiagnostics worst = worst_diagnostics({shifted_chains(), constant, shifted_chains(), constant});
  for (const auto& [value, quantity] : {worst.rhat, worst.bulk, worst.tail}) {
    EXPECT_EQ(quantity, 1);
    EXPECT_TRUE(std::isnan(value));
  }
}

TEST(WorstDiagnostics, AskForTheDrawsOfEachQuantityOnce) {
  std::vector<Index> asked;
  worst_diagnostics(3, [&](Index i) {
    asked.push_back(i);
    return independent(20, 2);
  });
  EXPECT_EQ(asked, (std::vector<Index>{0, 1, 2}));
}

TEST(WorstDiagnostics, NeedQuantitiesWithTheSameChains) {
  EXPECT_EQ(testing::complaint_of([] { worst_diagnostics(std::vector<Matrix>{}); }),
            "quantities: must be at least 1, got 0");
  EXPECT_EQ(testing::complaint_of([] {
              worst_diagnostics({independent(9, 4), independent(9, 3)});
            }),
            "draws: must have 4 chains for every quantity, got 3 for quantity 2");
}

std::string site(Index i) {
  return "f(x_" + std::to_string(i + 1) + ")";
}

TEST(ConvergenceWarnings, AreSilentAtTheThresholds) {
  EXPECT_TRUE(convergence_warnings({.rhat = {1.01, 0}, .bulk = {400, 0}, .tail = {400, 0}, .chains = 4}, site)
                  .empty());
}

TEST(ConvergenceWarnings, SayWhatFallsShortWhereAndWhatToDo) {
  const std::vector<std::string> expected = {
      "R-hat is 1.08 for f(x_3), above 1.01: the chains disagree; run longer with --warmup and --draws, or "
      "use "
      "more --units",
      "bulk effective sample size is 399 for f(x_1), below 400 (100 a chain): means and medians are "
      "imprecise; "
      "run longer with --draws",
      "tail effective sample size is 12 for f(x_2), below 400 (100 a chain): 5% and 95% quantiles are "
      "imprecise; "
      "run longer with --draws"};
  EXPECT_EQ(convergence_warnings({.rhat = {1.08, 2}, .bulk = {399.9, 0}, .tail = {12, 1}, .chains = 4}, site),
            expected);
}

TEST(ConvergenceWarnings, SpeakOfTheHalvesOfASingleChain) {
  const auto warnings =
      convergence_warnings({.rhat = {1.08, 2}, .bulk = {100, 0}, .tail = {100, 1}, .chains = 1}, site);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("above 1.01: the halves of the chain disagree; run longer"), std::string::npos);
}

TEST(ConvergenceWarnings, ShowAnRhatJustAboveTheThresholdAsAbove) {
  const auto warnings =
      convergence_warnings({.rhat = {1.0112, 0}, .bulk = {900, 0}, .tail = {900, 0}, .chains = 2}, site);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("R-hat is 1.0112 for f(x_1), above 1.01:")) << warnings[0];
}

TEST(ConvergenceWarnings, TellTheUndefinedFromTheShort) {
  const auto warnings = convergence_warnings(worst_diagnostics({Matrix::Ones(20, 2)}), site);
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_EQ(warnings[0], "R-hat is undefined for f(x_1): constant or not finite; look at the draws");
  EXPECT_TRUE(warnings[1].starts_with("bulk effective sample size is undefined for f(x_1): "));
  EXPECT_TRUE(warnings[2].starts_with("tail effective sample size is undefined for f(x_1): "));
}

}  // namespace
}  // namespace ridgelet
