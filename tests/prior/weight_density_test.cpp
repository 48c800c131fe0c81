#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

RidgeletPrior rough_prior(Index units) {
  return RidgeletPrior(
      {.target = {.kernel = parse_kernel("matern12(lengthscale=0.7)"), .mean = MeanFunction("x")},
       .nodes = grid(3, 8, 1, 3),
       .units = units,
       .hidden = {.sigma_w = 2, .sigma_b = 4},
       .op = {.name = "least-squares", .ridge = 1e-2}});
}

double log_determinant(const Matrix& S) {
  return S.fullPivLu().matrixLU().diagonal().array().abs().log().sum();
}

// Fewer units than coordinates: the ordinary Gaussian density of N(B m, Sigma).
TEST(WeightDensity, IsTheOrdinaryDensityWhenTheCovarianceIsRegular) {
  const RidgeletPrior prior = rough_prior(3);
  const GivenHidden given = prior.given(prior.draw_hidden(2));
  const Gaussian weights = given.weights();
  const Matrix Sigma = weights.covariance();
  const Vector w = Eigen::Vector3d(0.3, -1.2, 0.8), r = w - weights.mean;
  const double expected =
      -0.5 * (3 * std::log(2 * M_PI) + log_determinant(Sigma) + r.dot(Sigma.fullPivLu().solve(r)));
  EXPECT_NEAR(given.log_density(w), expected, testing::tolerance::two_routes * std::abs(expected));
}

// More units than coordinates: w = B m + F z has the density of z over the volume factor det(F^T F)^{1/2}.
TEST(WeightDensity, IsTheDensityOfTheCoordinatesOnTheSubspaceTheySpan) {
  const RidgeletPrior prior = rough_prior(40);
  ASSERT_EQ(prior.rank(), 8);
  const GivenHidden given = prior.given(prior.draw_hidden(2));
  const Matrix F = given.weights().factor;
  const Vector z = RandomStream{.seed = 3}.normals(8);
  const double expected =
      -0.5 * (8 * std::log(2 * M_PI) + log_determinant(F.transpose() * F) + z.squaredNorm());
  EXPECT_NEAR(given.log_density(given.weights_at(z)), expected, 1e-8 * std::abs(expected));
}

TEST(WeightDensity, IsFiniteForDrawsOfTheSmoothExample) {
  for (const std::string op : {"ridgelet", "least-squares"}) {
    const RidgeletPrior prior({.target = {.kernel = parse_kernel("se(lengthscale=1.5)")},
                               .nodes = grid(6, 60, 1, 5),
                               .units = 300,
                               .op = {.name = op}});
    const GivenHidden given = prior.given(prior.draw_hidden(1));
    for (const std::uint32_t replicate : {0u, 1u, 2u}) {
      const RandomStream stream{.seed = 6, .purpose = Purpose::output_weights, .replicate = replicate};
      EXPECT_TRUE(std::isfinite(given.log_density(given.weights_at(stream.normals(prior.rank()))))) << op;
    }
  }
}

TEST(WeightDensity, IsLargestAtTheMean) {
  const RidgeletPrior prior = rough_prior(40);
  const GivenHidden given = prior.given(prior.draw_hidden(2));
  const Vector z = RandomStream{.seed = 3}.normals(8);
  EXPECT_NEAR(given.log_density(given.weights().mean) - given.log_density(given.weights_at(z)),
              0.5 * z.squaredNorm(), 1e-8);
}

// Two ways to the mean differ by rounding, which is large along B where the ridge is small.
TEST(WeightDensity, IsFiniteAtTheMeanHoweverItIsComputed) {
  for (const Index units : {20, 40, 300, 700}) {
    const RidgeletPrior prior(
        {.target = {.kernel = parse_kernel("se(lengthscale=1.5)"), .mean = MeanFunction("0.3*x")},
         .nodes = grid(6, 60, 1, 5),
         .units = units});
    const GivenHidden given = prior.given(prior.draw_hidden(1));
    EXPECT_TRUE(std::isfinite(given.log_density(given.weights_at(Vector::Zero(prior.rank()))))) << units;
  }
}

TEST(WeightDensity, IsRefusedToWeightsOffTheSupport) {
  const RidgeletPrior prior = rough_prior(40);
  const GivenHidden given = prior.given(prior.draw_hidden(2));
  const Vector w = given.weights().mean + RandomStream{.seed = 3}.normals(40);
  const std::string complaint = testing::complaint_of([&] { given.log_density(w); });
  EXPECT_EQ(complaint.find("w: "), 0u) << complaint;
  EXPECT_NE(testing::complaint_of([&] { given.log_density(Vector::Zero(39)); }), "");
}

}  // namespace
}  // namespace ridgelet
