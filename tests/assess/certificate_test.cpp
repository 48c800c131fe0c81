#include "ridgelet/assess/certificate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

RidgeletPrior certified_prior(Index units = 60, double amplitude = 1) {
  return RidgeletPrior(
      {.target = {.kernel = parse_kernel("se(amplitude=" + std::to_string(amplitude) + ", lengthscale=1.5)")},
       .nodes = grid(6, 40, 1, 5),
       .units = units,
       .hidden = {.sigma_w = 1, .sigma_b = 5}});
}

Matrix inputs(Index rows = 200) {
  return 2 * RandomStream{.seed = 4}.normals(rows, 1);
}

constexpr ReplicateOptions two{.replicates = 2, .seed = 3};

TEST(Certificate, IsTheRootMeanSquareErrorAtTheRows) {
  const RidgeletPrior prior = certified_prior();
  const Matrix X = inputs();
  const Certificate certificate = certify(prior, X, {.replicates = 1, .seed = 3});
  const Vector rmse = GivenHidden(prior, 3, 0).rmse(X);
  EXPECT_NEAR(certificate.data, std::sqrt(rmse.squaredNorm() / 200), 1e-12);
  EXPECT_LE(certificate.floor, certificate.data);
}

TEST(Certificate, NeedsNoUnits) {
  const Certificate small = certify(certified_prior(60, 1), inputs(), two),
                    large = certify(certified_prior(60, 1000), inputs(), two);
  EXPECT_NEAR(large.data / small.data, 1, 1e-6);
  EXPECT_NEAR(large.between / small.between, 1, 1e-6);
}

TEST(Certificate, FallsWithMoreUnits) {
  EXPECT_LT(certify(certified_prior(100), inputs(), two).worst(),
            0.2 * certify(certified_prior(20), inputs(), two).worst());
}

TEST(Percent, HasTwoDigitsOrWholeNumbers) {
  EXPECT_EQ(percent(0.00837), "0.84 %");
  EXPECT_EQ(percent(0.021), "2.1 %");
  EXPECT_EQ(percent(0.123), "12 %");
  EXPECT_EQ(percent(1.037), "104 %");
  EXPECT_EQ(percent(0), "0 %");
}

}  // namespace
}  // namespace ridgelet
