#include "ridgelet/assess/coupled_paths.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/network/network.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::relative_error;

RidgeletPrior prior_of(const std::string& kernel, Index points = 12, Index units = 60, Index layers = 1) {
  return RidgeletPrior({.target = {.kernel = parse_kernel(kernel), .mean = MeanFunction("0.3*x1")},
                        .nodes = grid(5, points, 1, 5),
                        .units = units,
                        .layers = layers,
                        .hidden = {.sigma_w = 1, .sigma_b = 5},
                        .op = {.ridge = 1e-4}});
}

const Matrix X = Vector::LinSpaced(31, -4.7, 4.9);

// C^T C + R R^T = k(X, X): what the nodes say of the process and what they leave are the whole of it.
TEST(RemainderFactor, CompletesTheCovarianceOfTheProcess) {
  for (const std::string kernel :
       {"matern12(lengthscale=2)", "matern52(amplitude=0.8)", "se(lengthscale=1.5)",
        "constant(amplitude=1e5) + matern32()", "se() + white(amplitude=0.3)"}) {
    const RidgeletPrior prior = prior_of(kernel);
    const RidgeletPrior::Kriging kriging = prior.kriging(X);
    const Matrix R = remainder_factor(prior, X, kriging);
    const Matrix sum = kriging.coordinates.transpose() * kriging.coordinates + R * R.transpose();
    EXPECT_LT(relative_error(sum, parse_kernel(kernel).matrix(X, X)), testing::tolerance::two_routes)
        << kernel;
    EXPECT_LT(relative_error(R.rowwise().norm(), kriging.floor), 1e-5) << kernel;
  }
}

TEST(RemainderFactor, IsEmptyAtTheNodes) {
  const RidgeletPrior prior = prior_of("matern32()");
  const Matrix nodes = prior.options().nodes.points;
  EXPECT_EQ(remainder_factor(prior, nodes, prior.kriging(nodes)).cols(), 0);
}

// The process's path passes through the node values f = m + L z that made the network, and the network is B f.
TEST(CoupledPaths, ShareTheNodeValues) {
  for (const Index layers : {1, 2}) {
    const RidgeletPrior prior = prior_of("matern52()", 12, 60, layers);
    const Matrix nodes = prior.options().nodes.points;
    const CoupledPaths paths = draw_coupled_paths(prior, nodes, 3, 7);
    for (std::uint32_t i = 0; i < 3; ++i) {
      const Vector z =
          RandomStream{.seed = 7, .purpose = Purpose::output_weights, .replicate = i}.normals(prior.rank());
      const Vector f = prior.node_mean() + prior.node_factor().L * z;
      EXPECT_LT(relative_error(paths.process.col(i), f), testing::tolerance::two_routes);
      EXPECT_EQ(paths.networks.col(i), draw_network(prior, 7, i)(nodes));
    }
  }
}

// E (network - process)^2 = rmse(x)^2 given the hidden layers. Points are dependent, so the standard error is that of
// the draws' own mean squares.
TEST(CoupledPaths, AreApartByTheErrorOfThePrior) {
  const RidgeletPrior prior = prior_of("matern32(lengthscale=1.5)", 14, 30);
  const Index draws = 400;
  const CoupledPaths paths = draw_coupled_paths(prior, X, draws, 3);
  Vector excess(draws);
  for (Index i = 0; i < draws; ++i) {
    const double expected = GivenHidden(prior, 3, static_cast<std::uint32_t>(i)).rmse(X).squaredNorm();
    excess(i) = (paths.networks.col(i) - paths.process.col(i)).squaredNorm() / expected - 1;
  }
  const double sd = std::sqrt((excess.array() - excess.mean()).square().mean() / static_cast<double>(draws));
  EXPECT_LT(std::abs(excess.mean()), testing::tolerance::standard_errors * sd);
  EXPECT_LT(sd, 0.1);
}

TEST(CoupledPaths, HaveTheirErrorAsAShareOfTheProcess) {
  const CoupledPaths paths = draw_coupled_paths(prior_of("3 * matern32()"), X, 4, 5);
  EXPECT_NEAR(paths.scale, std::sqrt(3.0), 1e-12);
  double sum = 0;
  for (Index i = 0; i < 4; ++i) sum += paths.error(i) * paths.error(i);
  EXPECT_NEAR(paths.error(), std::sqrt(sum / 4), 1e-12);
  const Matrix difference = (paths.networks - paths.process) / paths.scale;
  EXPECT_NEAR(paths.error(), std::sqrt(difference.array().square().mean()), 1e-12);
}

TEST(CoupledPaths, KeepEarlierDrawsWhenThereAreMore) {
  const RidgeletPrior prior = prior_of("se(lengthscale=1.5)");
  const CoupledPaths few = draw_coupled_paths(prior, X, 2, 5), more = draw_coupled_paths(prior, X, 5, 5);
  EXPECT_EQ(few.networks, more.networks.leftCols(2));
  EXPECT_EQ(few.process, more.process.leftCols(2));
}

}  // namespace
}  // namespace ridgelet
