#include "ridgelet/inference/mixed_cost.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

/// Weights of least squares with a small ridge cancel: what is rounded is much larger than the function.
RidgeletPrior mixed_prior(double ridge) {
  return RidgeletPrior(
      {.target = {.kernel = parse_kernel("se(lengthscale=1.5)"), .mean = MeanFunction("0.3*x1")},
       .nodes = grid(3, 5, 2, 3),
       .units = 60,
       .hidden = {.sigma_w = 1, .sigma_b = 2},
       .op = {.name = "least-squares", .ridge = ridge}});
}

Data mixed_data(Index rows, double noise) {
  const Matrix X = RandomStream{.seed = 5}.normals(rows, 2);
  return {.X = X,
          .Y = X.col(0).array().sin().matrix() + noise * RandomStream{.seed = 6}.normals(rows, 1),
          .noise = Vector::Constant(1, noise)};
}

/// The largest change at the rows of means, in sds, and of sds, from the posterior by a pass in double precision to
/// that by a pass in mixed precision.
MixedCost true_cost(GivenHidden& given, const Data& data) {
  const double noise = data.noise(0);
  const RowSpectrum in_double = row_spectrum(given, data, {.by_root = true}),
                    mixed = row_spectrum(given, data, {.by_root = true, .mixed = true});
  const Matrix G = given.output(data.X).factor;
  const Vector sd = (G * in_double.root(noise)).rowwise().norm(),
               mixed_sd = (G * mixed.root(noise)).rowwise().norm();
  const Vector change = G * (mixed.mean(0, noise) - in_double.mean(0, noise));
  return {.mean = change.cwiseQuotient(sd).cwiseAbs().maxCoeff(),
          .sd = (mixed_sd.cwiseQuotient(sd).array() - 1).abs().maxCoeff()};
}

MixedCost stated_cost(GivenHidden& given, const Data& data, const Data& some) {
  const RowSpectrum mixed = row_spectrum(given, data, {.by_root = true, .mixed = true});
  return mixed_cost(given, closed_form_network(given.layers(), mixed, data.noise), 1, some, data.noise,
                    data.rows());
}

TEST(MixedCost, FromAllRowsIsTheDifferenceFromThePassInDoublePrecision) {
  for (const double ridge : {1e-2, 1e-6})
    for (const double noise : {0.3, 1e-3}) {
      GivenHidden given(mixed_prior(ridge), 1, 0);
      const Data data = mixed_data(500, noise);
      const MixedCost found = true_cost(given, data), stated = stated_cost(given, data, data);
      EXPECT_GT(found.mean, 1e-9) << "nothing was rounded";
      EXPECT_NEAR(stated.mean / found.mean, 1, 0.02) << ridge << ", " << noise;
      EXPECT_NEAR(stated.sd / found.sd, 1, 0.02) << ridge << ", " << noise;
    }
}

TEST(MixedCost, FromSomeOfTheRowsIsNotLessThanTheDifferenceAtAllOfThem) {
  for (const double ridge : {1e-2, 1e-6}) {
    GivenHidden given(mixed_prior(ridge), 1, 0);
    const Data data = mixed_data(6400, 0.1);
    const Data some{.X = data.X.topRows(400), .Y = data.Y.topRows(400), .noise = data.noise};
    const MixedCost found = true_cost(given, data), stated = stated_cost(given, data, some);
    EXPECT_GT(stated.mean, found.mean) << ridge;
    EXPECT_LT(stated.mean, 20 * found.mean) << ridge;
  }
}

TEST(MixedCost, KnowsTheAmplitude) {
  const Data data = mixed_data(300, 0.1);
  GivenHidden given(mixed_prior(1e-4), 1, 0);
  const RowSpectrum spectrum = row_spectrum(given, data, {.mixed = true});
  const auto with = [&](double amplitude, const Data& rows) {
    return mixed_cost(given, closed_form_network(given.layers(), spectrum.scaled(amplitude), rows.noise),
                      amplitude, rows, rows.noise, rows.rows());
  };
  // 3 G z with noise 0.3 is G z with noise 0.1, in other units, but for the mean, which is not scaled.
  Data tripled = data;
  tripled.noise *= 3;
  EXPECT_NEAR(with(3, tripled).sd / with(1, data).sd, 1, 1e-6);
}

TEST(MixedCost, GrowsAsTheNoiseShrinksAndIsSomethingInTheEnd) {
  GivenHidden given(mixed_prior(1e-6), 1, 0);
  const auto cost = [&](double noise) {
    const Data data = mixed_data(500, noise);
    return stated_cost(given, data, data);
  };
  EXPECT_TRUE(cost(0.3).negligible());
  EXPECT_LT(cost(0.3).mean, cost(1e-3).mean);
  EXPECT_FALSE(cost(1e-7).negligible());
}

TEST(MixedCost, IsNotNegligibleIfItIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const MixedCost unknown = larger({.mean = 1e-9, .sd = 1e-9}, {.mean = nan, .sd = 0});
  EXPECT_TRUE(std::isnan(unknown.mean));
  EXPECT_FALSE(unknown.negligible());
  EXPECT_FALSE(larger(unknown, {.mean = 0.5, .sd = 0}).negligible());
  EXPECT_TRUE(larger({.mean = 1e-3, .sd = 2e-3}, {.mean = 2e-3, .sd = 1e-3}).negligible());
}

}  // namespace
}  // namespace ridgelet
