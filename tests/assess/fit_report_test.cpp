#include "ridgelet/assess/fit_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "expectations.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/sampling.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

RidgeletPrior reported_prior(const std::string& op, double centre = 0) {
  Nodes nodes = grid(3, 30, 1, 3);
  nodes.points.array() += centre;
  return RidgeletPrior({.target = {.kernel = parse_kernel("se(lengthscale=1)")},
                        .nodes = nodes,
                        .units = 60,
                        .op = {.name = op}});
}

Data two_outputs() {
  const Matrix X = Vector::LinSpaced(8, -3, 3);
  Matrix Y(8, 2);
  Y << X.array().sin().matrix(), X.array().cos().matrix();
  return {.X = X, .Y = Y, .noise = Vector::Constant(2, 0.2)};
}

MonitoredFunctions monitor(const Posterior& posterior, const Matrix& X) {
  return {.X = X, .values = {posterior.functions(X, 0), posterior.functions(X, 1)}};
}

struct Fit {
  std::shared_ptr<const RidgeletPrior> prior;
  std::shared_ptr<const Data> data = std::make_shared<const Data>(two_outputs());
  Posterior posterior;

  Fit(const std::string& op, Index warmup, Index draws)
      : prior(std::make_shared<const RidgeletPrior>(reported_prior(op))),
        posterior(prior, data, MeanFunction("0"), sample(warmup, draws)) {}

  PosteriorDraws sample(Index warmup, Index draws) const {
    Sampling sampling(prior, data, {.chains = 4, .warmup = warmup, .draws = draws, .seed = 1});
    sampling.run([] { return false; }, [](Index, Index) {});
    return sampling.take_draws();
  }

  FitReport report() const {
    const Matrix places = data->X.array() + 1000;
    return report_fit(*prior, posterior.draws(), monitor(posterior, data->X), places,
                      Vector::LinSpaced(30, -3, 3), 1);
  }
};

TEST(FitReport, HasTheWorstDiagnosticsOverInputsAndOutputs) {
  const Fit fit("least-squares", 20, 60);
  const FitReport report = fit.report();
  double rhat_max = 0, bulk_min = 1e9;
  for (Index k = 0; k < 2; ++k) {
    const Matrix f = fit.posterior.functions(fit.data->X, k);
    for (Index i = 0; i < 8; ++i) {
      const Matrix draws = f.col(i).reshaped(60, 4);
      rhat_max = std::max(rhat_max, rhat(draws));
      bulk_min = std::min(bulk_min, bulk_effective_sample_size(draws));
    }
  }
  EXPECT_EQ(report.rhat_max, rhat_max);
  EXPECT_EQ(report.bulk_min, bulk_min);
  EXPECT_EQ(report.chains, 4);
  EXPECT_EQ(report.draws, 60);
  EXPECT_GT(report.standard_error_max, 0);
  EXPECT_EQ(report.evaluations_per_step, fit.posterior.draws().evaluations.mean());
}

TEST(FitReport, FindsNoFaultWithALongRunOfAGoodPrior) {
  const FitReport report = Fit("least-squares", 100, 700).report();
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.warnings, std::vector<std::string>());
  EXPECT_LT(report.prior_error.mean, report.prior_error.max);
  EXPECT_LT(report.prior_error.max, 0.15);
  EXPECT_EQ(report.prior_error.process_sd, 1);
}

TEST(FitReport, WarnsOfAShortRunNamingThePlaceAndTheOutput) {
  const FitReport report = Fit("least-squares", 0, 8).report();
  EXPECT_FALSE(report.converged);
  ASSERT_FALSE(report.warnings.empty());
  const std::string all = report.warnings.front() + report.warnings.back();
  EXPECT_TRUE(all.find("f_1(") != std::string::npos || all.find("f_2(") != std::string::npos) << all;
  EXPECT_TRUE(all.find("(1003)") != std::string::npos || all.find("(99") != std::string::npos ||
              all.find("(100") != std::string::npos)
      << all;
}

TEST(FitReport, WarnsOfTrajectoriesOfTheGreatestLength) {
  const Fit fit("least-squares", 5, 20);
  PosteriorDraws draws = fit.posterior.draws();
  draws.evaluations.head(3).setConstant(1023);
  const FitReport report = report_fit(*fit.prior, draws, monitor(fit.posterior, fit.data->X), fit.data->X,
                                      Vector::LinSpaced(30, -3, 3), 1);
  EXPECT_EQ(report.longest, 3);
  const auto warned = [](const FitReport& of) {
    return std::ranges::count_if(of.warnings, [](const std::string& warning) {
      return warning.starts_with("3 of 80 trajectories reached the greatest length, 1023 steps");
    });
  };
  EXPECT_EQ(warned(report), 1);
  EXPECT_EQ(warned(fit.report()), 0);
}

TEST(FitReport, SaysWhenThePriorIsFarFromItsProcess) {
  const FitReport report = Fit("ridgelet", 0, 8).report();
  const std::string last = report.warnings.back();
  EXPECT_NE(last.find("the prior error is large"), std::string::npos);
  EXPECT_NE(last.find("--operator least-squares"), std::string::npos);
}

// Squares of such amplitudes leave no digits for anything else.
TEST(FitReport, TakesAKernelOfLargeAmplitude) {
  const auto prior = std::make_shared<const RidgeletPrior>(
      PriorOptions{.target = {.kernel = parse_kernel("se(amplitude=1e9)")},
                   .nodes = grid(3, 30, 1, 3),
                   .units = 60,
                   .op = {.name = "least-squares"}});
  Data data = two_outputs();
  data.Y *= 1e9;
  const auto seen = std::make_shared<const Data>(data);
  Sampling sampling(prior, seen, {.chains = 2, .warmup = 2, .draws = 4, .seed = 1});
  sampling.run([] { return false; }, [](Index, Index) {});
  const Posterior posterior(prior, seen, MeanFunction("0"), sampling.take_draws());
  const FitReport report = report_fit(*prior, posterior.draws(), monitor(posterior, data.X), data.X,
                                      Vector::LinSpaced(30, -3, 3), 1);
  EXPECT_EQ(report.prior_error.process_sd, 1e9);
  EXPECT_LT(report.prior_error.max, 0.15e9);
}

// The error is small beside the constant and a thousand times what varies.
TEST(PriorErrorWarning, IsNotHushedByAConstant) {
  const RidgeletPrior prior({.target = {.kernel = parse_kernel("constant(amplitude=1e6) + se()")},
                             .nodes = grid(3, 30, 1, 3),
                             .units = 60,
                             .op = {.name = "least-squares"}});
  const FitReport::PriorError error =
      measure_prior_error(prior, Vector::LinSpaced(20, -3, 3), {.replicates = 5, .seed = 1});
  EXPECT_GT(error.mean, 10);
  EXPECT_LT(error.mean, 1e5);
  EXPECT_NE(prior_error_finding(error), "");
}

TEST(PriorErrorWarning, FitsTheCause) {
  const FitReport::PriorError small{.mean = 0.09, .max = 0.3, .process_sd = 1}, large{0.2, 0.3, 1};
  const RidgeletPrior good = reported_prior("least-squares");
  EXPECT_EQ(prior_error_warning(small, good, Vector::Constant(1, 3)), "");
  EXPECT_NE(prior_error_warning(large, good, Vector::Constant(1, 3)).find("use more --units"),
            std::string::npos);
  EXPECT_NE(prior_error_warning(large, good, Vector::Constant(1, 1960)).find("--standardise"),
            std::string::npos);
}

}  // namespace
}  // namespace ridgelet
