#include "ridgelet/assess/approximation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/assess/mmd.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

RidgeletPrior example(const std::string& op, Index units = 60) {
  return RidgeletPrior({.target = {.kernel = parse_kernel("matern32(amplitude=1.2, lengthscale=1.5)"),
                                   .mean = MeanFunction("0.1*x")},
                        .nodes = grid(6, 40, 1, 5),
                        .units = units,
                        .op = {.name = op, .ridge = 1e-4}});
}

const Matrix fine_line = Vector::LinSpaced(31, -5, 5);
const Matrix mmd_points = Vector::LinSpaced(50, -5, 5);

void expect_same_numbers(const ApproximationSummary& a, const ApproximationSummary& b) {
  EXPECT_EQ(a.mrmse.mean, b.mrmse.mean);
  EXPECT_EQ(a.mrmse.sd, b.mrmse.sd);
  EXPECT_EQ(a.rmse_mean, b.rmse_mean);
  EXPECT_EQ(a.kriging_floor, b.kriging_floor);
  EXPECT_EQ(a.covariance_error, b.covariance_error);
  EXPECT_EQ(a.weight_norm, b.weight_norm);
  ASSERT_TRUE(a.mmd2 && b.mmd2);
  EXPECT_EQ(a.mmd2->value, b.mmd2->value);
  EXPECT_EQ(a.mmd2->null, b.mmd2->null);
}

TEST(Approximation, GivesTheSameNumbersForAnyNumberOfThreadsAndWhenRepeated) {
  for (const std::string op : {"ridgelet", "least-squares"}) {
    const RidgeletPrior prior = example(op, 300);
    const auto assess = [&](int threads) {
      const ThreadScope scope(threads);
      return assess_approximation(prior, fine_line, mmd_points,
                                  {.replicates = 7, .mmd_draws = 30, .seed = 5});
    };
    const ApproximationSummary one = assess(1);
    expect_same_numbers(one, assess(2));
    expect_same_numbers(one, assess(1));
  }
}

TEST(Approximation, DependsOnTheSeed) {
  const RidgeletPrior prior = example("ridgelet");
  const auto mrmse = [&](std::uint64_t seed) {
    return assess_approximation(prior, fine_line, mmd_points, {.replicates = 2, .seed = seed}).mrmse.mean;
  };
  EXPECT_NE(mrmse(1), mrmse(2));
}

TEST(Approximation, MeasuresMmdGivenEachHiddenLayerInClosedForm) {
  const RidgeletPrior prior = example("ridgelet", 500);
  const ApproximationSummary summary =
      assess_approximation(prior, fine_line, mmd_points, {.replicates = 3, .seed = 3});
  const Gaussian process = prior.options().target.prior(mmd_points);
  Vector expected(3);
  for (Index r = 0; r < 3; ++r) {
    const GivenHidden given = prior.given(prior.draw_hidden(3, static_cast<std::uint32_t>(r)));
    expected(r) = gaussian_mmd2(given.output(mmd_points), process, paper_inverse_alpha_squared);
  }
  EXPECT_NEAR(summary.mmd2_given.mean, expected.mean(), 1e-12);
  EXPECT_GT(summary.mmd2_given.mean, 0);
  EXPECT_EQ(summary.mmd2_given.replicates, 3);
}

TEST(Approximation, SummarisesItsReplicates) {
  const ThreadScope threads(1);
  for (const std::string op : {"ridgelet", "least-squares"}) {
    const RidgeletPrior prior = example(op);
    const Index replicates = 5;
    const ApproximationSummary summary =
        assess_approximation(prior, fine_line, mmd_points, {.replicates = replicates, .seed = 3});
    Vector largest(replicates);
    double rmse_mean = 0, weight_norm = 0;
    Matrix covariance = Matrix::Zero(31, 31);
    for (Index r = 0; r < replicates; ++r) {
      const GivenHidden given = prior.given(prior.draw_hidden(3, static_cast<std::uint32_t>(r)));
      largest(r) = given.rmse(fine_line).maxCoeff();
      rmse_mean += given.rmse(fine_line).mean() / 5;
      weight_norm += given.weight_norm() / 5;
      covariance += given.covariance(fine_line, fine_line) / 5;
    }
    const double sd = std::sqrt((largest.array() - largest.mean()).square().sum() / 4);
    const Matrix K = prior.options().target.kernel.matrix(fine_line, fine_line);
    const double error = (covariance - K).norm() / K.norm();
    const double close = testing::tolerance::two_routes;
    EXPECT_NEAR(summary.mrmse.mean, largest.mean(), close * largest.mean());
    EXPECT_NEAR(summary.mrmse.sd, sd, close * sd);
    EXPECT_NEAR(summary.mrmse.standard_error(), sd / std::sqrt(5.0), close * sd);
    EXPECT_EQ(summary.mrmse.replicates, replicates);
    EXPECT_NEAR(summary.rmse_mean, rmse_mean, close * rmse_mean);
    EXPECT_NEAR(summary.weight_norm, weight_norm, close * weight_norm);
    EXPECT_LT((summary.covariance - covariance).norm(), 1e-10 * covariance.norm());
    EXPECT_NEAR(summary.covariance_error, error, close * error);
    EXPECT_EQ(summary.kriging_floor, prior.kriging(fine_line).floor.maxCoeff());
    EXPECT_FALSE(summary.mmd2.has_value());
  }
}

TEST(Approximation, SaysWhatWasAssessed) {
  const RidgeletPrior prior = example("least-squares");
  const ApproximationSummary summary = assess_approximation(prior, fine_line, mmd_points, {.replicates = 1});
  EXPECT_EQ(summary.operator_name, "least-squares");
  EXPECT_EQ(summary.kernel, "matern32(amplitude=1.2, lengthscale=1.5)");
  EXPECT_EQ(summary.activation, "tanh");
  EXPECT_EQ(summary.units, 60);
  EXPECT_EQ(summary.layers, 1);
  EXPECT_EQ(summary.nodes, 40);
  EXPECT_EQ(summary.rank, 40);
  EXPECT_EQ(summary.mrmse.sd, 0);
  const std::string title = "matern32(amplitude=1.2, lengthscale=1.5): least-squares with 60 units of tanh\n";
  EXPECT_EQ(summary.brief_report().substr(0, title.size()), title);
}

TEST(Approximation, ImprovesWithUnits) {
  for (const std::string op : {"ridgelet", "least-squares"}) {
    const auto error = [&](Index units) {
      return assess_approximation(example(op, units), fine_line, mmd_points, {.replicates = 10}).mrmse.mean;
    };
    EXPECT_GT(error(20), error(300)) << op;
  }
}

// With 200 units the closed-form MMD^2 is 2e-8, so that value and null, which share a sample of the process,
// have the same distribution up to that: their difference averages to 0 over seeds.
TEST(Approximation, CannotTellLeastSquaresNetworksFromTheProcess) {
  const ThreadScope threads(1);
  const RidgeletPrior prior = example("least-squares", 200);
  const Index seeds = 16;
  Vector values(seeds), nulls(seeds);
  for (Index s = 0; s < seeds; ++s) {
    const auto summary =
        assess_approximation(prior, fine_line, mmd_points,
                             {.replicates = 1, .mmd_draws = 200, .seed = static_cast<std::uint64_t>(s)});
    ASSERT_TRUE(summary.mmd2.has_value());
    EXPECT_EQ(summary.mmd2->draws, 200);
    values(s) = summary.mmd2->value;
    nulls(s) = summary.mmd2->null;
  }
  EXPECT_LT(nulls.mean(), 2.0 / 200) << "above (2 / S)(1 - E K): inputs, not draws, were taken as points";
  const Eigen::ArrayXd difference = values - nulls;
  const double n = static_cast<double>(seeds);
  const double standard_error = std::sqrt((difference - difference.mean()).square().sum() / (n - 1) / n);
  EXPECT_NEAR(difference.mean(), 0, testing::tolerance::standard_errors * standard_error);
  EXPECT_LT(standard_error, nulls.mean()) << "too noisy to tell";
}

TEST(Approximation, TellsNetworksOfFewUnitsFromTheProcess) {
  const auto far = assess_approximation(example("ridgelet", 20), fine_line, mmd_points,
                                        {.replicates = 1, .mmd_draws = 400, .seed = 2});
  ASSERT_TRUE(far.mmd2.has_value());
  EXPECT_GT(far.mmd2->null, 0);
  EXPECT_GT(far.mmd2->value, 10 * far.mmd2->null);
}

TEST(Approximation, ReportsProgressOnceForEachReplicateAndDraw) {
  const ThreadScope threads(2);
  std::vector<Index> steps;
  Index total = 0;
  assess_approximation(example("least-squares"), fine_line, mmd_points,
                       {.replicates = 4, .mmd_draws = 3, .progress = [&](Index done, Index all) {
                          steps.push_back(done);
                          total = all;
                        }});
  EXPECT_EQ(steps, (std::vector<Index>{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(total, 7);
}

TEST(Approximation, RefusesOptionsAndPointsThatBreakTheirRule) {
  const RidgeletPrior prior = example("ridgelet");
  const auto complaint = [&](const Matrix& at, const ApproximationOptions& options) {
    return complaint_of([&] { assess_approximation(prior, at, at, options); });
  };
  EXPECT_EQ(complaint(fine_line, {.replicates = 0}), "replicates: must be at least 1, got 0");
  EXPECT_EQ(complaint(fine_line, {.mmd_draws = -1}), "mmd_draws: must be at least 0, got -1");
  EXPECT_EQ(complaint(Matrix::Zero(4, 2), {.replicates = 2}),
            "X: must have 1 column, one for each input, got 2");
}

TEST(Approximation, RefusesMoreReplicatesThanMemoryHolds) {
  const RidgeletPrior prior = example("ridgelet");
  const std::string complaint = complaint_of(
      [&] { assess_approximation(prior, fine_line, mmd_points, {.replicates = 1'000'000'000'000}); });
  const std::string numbers = "replicates: 1000000000000 replicates at 31 points would take ";
  EXPECT_EQ(complaint.substr(0, numbers.size()), numbers);
}

}  // namespace
}  // namespace ridgelet
