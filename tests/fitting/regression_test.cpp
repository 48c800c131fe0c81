#include "ridgelet/fitting/regression.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/assess/certificate.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::two_routes;

RegressionTable unit_table() {
  Matrix X(4, 2), Y(4, 1);
  X << 1, 10, 2, 30, 3, 20, 6, 40;
  Y << 5, 7, 6, 10;
  return {.inputs = {"a", "b"}, .outputs = {"y"}, .X = X, .Y = Y};
}

RegressionSettings plain_regression() {
  RegressionSettings wanted;
  wanted.model.kernel = "se(lengthscale=1)";
  wanted.model.units = 20;
  wanted.model.nodes = "grid";
  wanted.model.points = 5;
  wanted.model.noise = Vector::Constant(1, 0.1);
  return wanted;
}

TEST(Regression, TakesTheRangeOfTheInputsAsDomain) {
  const Regression regression(plain_regression(), unit_table());
  EXPECT_EQ(regression.domain().lower, (Vector{{1, 10}}));
  EXPECT_EQ(regression.domain().upper, (Vector{{6, 40}}));
}

TEST(Regression, ReadsADomainInTheTablesUnits) {
  RegressionSettings wanted = plain_regression();
  wanted.model.standardise = true;
  wanted.model.domain = "0:7,5:45";
  const Regression regression(wanted, unit_table());
  const Scaling scaling = Scaling::standardising(unit_table().X);
  EXPECT_NEAR(regression.domain().lower(1), (5 - 25) / scaling.scale(1), 1e-12);
  EXPECT_EQ(regression.rows_outside_domain(unit_table().X), 0);
  Matrix outside(2, 2);
  outside << 8, 20, 3, 20;
  EXPECT_EQ(regression.rows_outside_domain(outside), 1);
}

/// A model that was learned from a table with inputs around 2 and 20.
ModelSettings learned_model() {
  ModelSettings model;
  model.kernel = "se(lengthscale=[1, 2])";
  model.range = "1:3,10:30";
  model.inputs = {.centre = Vector{{2, 20}}, .scale = Vector{{0.5, 5}}};
  return model;
}

TEST(Region, IsThatOfTheTableInTheUnitsOfTheKernel) {
  ModelSettings model = learned_model();
  const Region region = region_of(model);
  EXPECT_EQ(region.domain.lower, (Vector{{-2, -2}}));
  EXPECT_EQ(region.domain.upper, (Vector{{2, 2}}));
  EXPECT_LT(relative_error(region.margin, Vector{{0.4, 0.4}}), two_routes);
  model.domain = "2:4,20:25";
  model.margin = 1;
  const Region given = region_of(model);
  EXPECT_EQ(given.domain.lower, (Vector{{0, 0}}));
  EXPECT_EQ(given.domain.upper, (Vector{{4, 1}}));
  EXPECT_EQ(given.margin, (Vector{{2, 0.2}}));
}

TEST(Region, IsRefusedUnlessItsScalingAndItsKernelHaveItsDimension) {
  const auto complaint = [](auto&& change) {
    ModelSettings model = learned_model();
    change(model);
    return complaint_of([&] { build_model(model); });
  };
  EXPECT_EQ(complaint([](ModelSettings& m) { m.domain = "0:1"; }),
            "domain: must have 2 ranges LO:HI, one for each input, got 1");
  EXPECT_EQ(complaint([](ModelSettings& m) { m.inputs.centre = Vector{{1}}; }),
            "centre: must have as many numbers as scale, which has 2, got 1");
  EXPECT_EQ(complaint([](ModelSettings& m) { m.inputs.scale(1) = 0; }),
            "scale: must be positive and finite, got 0");
  const std::string without = complaint([](ModelSettings& m) {
    m.range.reset();
    m.inputs = {};
  });
  EXPECT_NE(without.find("; give --domain a range LO:HI for each input, of which it has 1"),
            std::string::npos)
      << without;
}

TEST(Regression, AsksItsTableAndNotTheOneThatAModelWasLearnedFrom) {
  RegressionSettings wanted = plain_regression();
  wanted.model.range = "0:1,0:1";
  wanted.model.inputs = {.centre = Vector{{2, 20}}, .scale = Vector{{0.5, 5}}};
  const Regression regression(wanted, unit_table());
  EXPECT_EQ(regression.domain().lower, (Vector{{1, 10}}));
  EXPECT_EQ(regression.domain().upper, (Vector{{6, 40}}));
}

TEST(Regression, ReadsAMarginInTheTablesUnits) {
  RegressionSettings wanted = plain_regression();
  wanted.model.domain = "0:7,5:45";
  wanted.model.margin = 4;
  const Matrix plain = Regression(wanted, unit_table()).prior().options().nodes.points;
  wanted.model.standardise = true;
  const Regression standardised(wanted, unit_table());
  EXPECT_LT(
      relative_error(standardised.input_scaling().undo(standardised.prior().options().nodes.points), plain),
      two_routes);
}

TEST(Regression, SubtractsTheMeanUnlessItPassesThroughTheNetwork) {
  RegressionSettings wanted = plain_regression();
  wanted.model.mean = "2*x1 + 1";
  const Regression subtracted(wanted, unit_table());
  EXPECT_EQ(subtracted.data().Y.col(0), (Vector{{2, 2, -1, -3}}));
  EXPECT_EQ(subtracted.prior().options().target.mean.text(), "0");
  wanted.network_mean = true;
  const Regression passed(wanted, unit_table());
  EXPECT_EQ(passed.data().Y, unit_table().Y);
  EXPECT_EQ(passed.prior().options().target.mean.text(), "2*x1 + 1");
}

TEST(Regression, CountsRowsThatRepeat) {
  RegressionTable doubled = unit_table();
  EXPECT_EQ(repeated_rows(doubled), 0);
  doubled.X.row(3) = doubled.X.row(0);
  EXPECT_EQ(repeated_rows(doubled), 0);
  doubled.Y.row(3) = doubled.Y.row(0);
  EXPECT_EQ(repeated_rows(doubled), 1);
}

/// The error of the network for counts whose mean is about `size`, as a part of the process.
double error_for_counts(double size) {
  const Vector x = Vector::LinSpaced(60, -2, 2);
  const RegressionTable counts{
      .inputs = {"x"}, .outputs = {"n"}, .X = x, .Y = (size * (3 * x.array()).sin().exp()).round().matrix()};
  RegressionSettings wanted;
  wanted.model.kernel = "se(lengthscale=0.5)";
  wanted.model.likelihood = "poisson";
  const Regression regression(wanted, counts);
  return certify(regression.prior(), regression.data().X, {.replicates = 2}).worst();
}

TEST(Regression, FollowsLargeCountsMoreCloselyThanOneOfThemTellsItsRate) {
  EXPECT_LT(error_for_counts(10), 0.01);
  EXPECT_LT(error_for_counts(1e6), 0.5 / std::sqrt(1e6));
}

TEST(Regression, RefusesWhatDoesNotFitTogether) {
  const auto refusal = [](auto&& change) {
    RegressionSettings wanted = plain_regression();
    change(wanted);
    return complaint_of([&] { const Regression regression(wanted, unit_table()); });
  };
  EXPECT_EQ(refusal([](auto& s) { s.model.noise = Vector::Ones(2); }),
            "noise: must be one number, got a list of 2");
  EXPECT_NE(refusal([](auto& s) { s.model.domain = "0:1"; }).find("domain: must have 2 ranges"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& s) { s.model.mean = "x3"; }).find("mean"), std::string::npos);
  EXPECT_NE(refusal([](auto& s) { s.model.mean = "1/(x1-1)"; }).find("mean: must be finite at every row"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& s) { s.model.noise = Vector::Zero(1); }).find("noise: must be positive, got 0"),
            std::string::npos);
}

TEST(Regression, RefusesDrawsOfAnotherModel) {
  const Regression regression(plain_regression(), unit_table());
  const PosteriorDraws draws{.chains = 1,
                             .layers = Matrix::Zero(2, 3),
                             .coordinates = Matrix::Zero(2, regression.prior().rank()),
                             .log_likelihood = Vector::Zero(2),
                             .evaluations = Vector::Zero(2)};
  EXPECT_NE(complaint_of([&] { regression.posterior(draws); }).find("model: its draws are of another size"),
            std::string::npos);
}

}  // namespace
}  // namespace ridgelet
