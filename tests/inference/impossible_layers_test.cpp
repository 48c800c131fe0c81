// Hidden layers for which least squares has no operator: a few ReLU units are often zero at every node.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expectations.hpp"
#include "network_chain.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

RidgeletPrior two_relus(Index layers = 1) {
  return RidgeletPrior({.target = {.kernel = parse_kernel("se()")},
                        .nodes = grid(3, 20, 1, 3),
                        .activation = "relu",
                        .units = 2,
                        .layers = layers,
                        .hidden = {.sigma_w = 1, .sigma_b = 4}});
}

Data few_rows() {
  const Matrix X = Vector::LinSpaced(30, -3, 3);
  return {.X = X, .Y = X.array().sin(), .noise = Vector::Constant(1, 0.3)};
}

TEST(ImpossibleLayers, HaveLikelihoodZero) {
  const RidgeletPrior prior = two_relus();
  const Data data = few_rows();
  CollapsedLikelihood likelihood(prior, data);
  const HiddenLayer alive{.W = Matrix::Ones(2, 1), .b = Vector::Constant(2, 1)};
  const HiddenLayer dead{.W = Matrix::Ones(2, 1), .b = Vector::Constant(2, -10)};
  const double before = likelihood(alive);
  EXPECT_EQ(likelihood(dead), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(likelihood(alive), before);
}

TEST(ImpossibleLayers, AreRefusedWithTheReasonWhereAPersonAsksForThem) {
  const HiddenLayer dead{.W = Matrix::Ones(2, 1), .b = Vector::Constant(2, -10)};
  EXPECT_EQ(testing::complaint_of([&] { two_relus().given(dead); }).substr(0, 36),
            "units: every unit is zero at every n");
}

// A good many of the prior's draws are impossible, and so are as many proposals: a chain starts elsewhere and never
// goes there.
TEST(ImpossibleLayers, DoNotEndAChain) {
  for (const Index layers : {1, 2}) {
    const RidgeletPrior prior = two_relus(layers);
    const Data data = few_rows();
    CollapsedDensity density(testing::borrowed<LayerPrior>(prior), testing::borrowed(data));
    int impossible_draws = 0;
    for (std::uint32_t i = 0; i < 400; ++i)
      impossible_draws +=
          std::isinf(density(RandomStream{.seed = 5, .replicate = i}.normals(density.dimension())));
    EXPECT_GT(impossible_draws, 10) << layers << " layers";
    for (std::uint32_t i = 0; i < 30; ++i) {
      testing::NetworkChain chain(prior, data, 1, i);
      EXPECT_TRUE(std::isfinite(chain.log_density())) << layers << " layers, chain " << i;
      for (int step = 0; step < 30; ++step) chain.step();
      EXPECT_TRUE(std::isfinite(chain.log_density())) << layers << " layers, chain " << i;
    }
  }
}

}  // namespace
}  // namespace ridgelet
