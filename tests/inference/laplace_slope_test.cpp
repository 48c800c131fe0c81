// The slope of Laplace's evidence: in the outputs of a network, and in the whitened coordinates of its hidden layers.
#include <gtest/gtest.h>

#include <string>

#include "expectations.hpp"
#include "fixed_output.hpp"
#include "likelihoods.hpp"
#include "network_chain.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/collapsed_density.hpp"
#include "ridgelet/inference/latent_density.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::borrowed;
using testing::drawn_responses;
using testing::FixedOutput;
using testing::likelihoods;
using testing::relative_error;
using testing::tolerance::two_routes;

constexpr double of_differences = 1e-7;

/// Slopes in every number, by differences of fourth order.
template <class Function>
Matrix slopes_by_differences(const Matrix& at, Function&& function) {
  constexpr double step = 1e-3;
  Matrix slopes(at.rows(), at.cols()), moved = at;
  for (Index i = 0; i < at.size(); ++i) {
    const auto value = [&](double move) {
      moved.reshaped()(i) = at.reshaped()(i) + move;
      const double result = function(moved);
      moved.reshaped()(i) = at.reshaped()(i);
      return result;
    };
    slopes.reshaped()(i) =
        (8 * (value(step) - value(-step)) - (value(2 * step) - value(-2 * step))) / (12 * step);
  }
  return slopes;
}

LatentData rows_of(const LikelihoodPointer& likelihood, const Matrix& X) {
  return {.likelihood = likelihood,
          .X = X,
          .Y = drawn_responses(*likelihood, X.rows()),
          .offset = 0.3 * RandomStream{.seed = 9}.normals(X.rows(), likelihood->functions())};
}

TEST(LatentMode, PullsBackTheSlopeOfLaplacesEvidenceForAnyBlocksOfRows) {
  const Index n = 7, rank = 3;
  const Matrix values = 0.8 * RandomStream{.seed = 11}.normals(n, 1 + rank);
  for (const LikelihoodPointer& likelihood : likelihoods()) {
    const LatentData data = rows_of(likelihood, FixedOutput::rows(n));
    const Matrix expected = slopes_by_differences(values, [&](const Matrix& at) {
      FixedOutput output(at);
      LatentMode mode(data, rank);
      EXPECT_TRUE(mode.find(output));
      return mode.log_evidence();
    });
    for (const Index block : {1, 3, 100})
      for (const double kept : {0.0, 1e9}) {
        FixedOutput output(values);
        LatentMode mode(data, rank, {.row_block = block, .kept_bytes = kept});
        ASSERT_TRUE(mode.find(output));
        mode.pull_back_log_evidence();
        EXPECT_LT(relative_error(output.pulled_back(), expected), of_differences)
            << likelihood->text() << ", blocks of " << block;
      }
  }
}

RidgeletPrior small_prior(const std::string& op, Index layers) {
  return RidgeletPrior({.target = {.kernel = parse_kernel("matern32(amplitude=1.3, lengthscale=1.2)"),
                                   .mean = MeanFunction("0.3*x1 - 0.5")},
                        .nodes = grid(3, 12, 1, 3),
                        .units = 5,
                        .layers = layers,
                        .hidden = {.sigma_w = 1, .sigma_b = 2},
                        .op = {.name = op, .ridge = 1e-2},
                        .layer_scale = op == "ridgelet" ? 0.02 : 3,
                        .layer_bias = 1});
}

Matrix inputs(Index rows) {
  return 1.5 * RandomStream{.seed = 5}.normals(rows, 1);
}

TEST(LaplaceDensity, HasTheGradientOfItsValueAtAnyDepth) {
  for (const std::string op : {"ridgelet", "least-squares"})
    for (const Index layers : {1, 2})
      for (const LikelihoodPointer& likelihood :
           {parse_likelihood("bernoulli"), parse_likelihood("categorical", 3), parse_likelihood("student")}) {
        const RidgeletPrior prior = small_prior(op, layers);
        const LatentData data = rows_of(likelihood, inputs(15));
        LaplaceDensity density(borrowed<LayerPrior>(prior), borrowed(data), {.row_block = 6});
        const Vector xi = RandomStream{.seed = 3}.normals(density.dimension());
        Vector gradient;
        const double value = density.value_and_gradient(xi, gradient);
        EXPECT_EQ(value, density(xi));
        EXPECT_LT(relative_error(gradient,
                                 slopes_by_differences(xi, [&](const Matrix& at) { return density(at); })),
                  1e-6)
            << op << ", " << layers << " layers, " << likelihood->text();
      }
}

TEST(LaplaceDensity, IsTheCollapsedDensityWhereNoiseIsGaussian) {
  const RidgeletPrior prior = small_prior("least-squares", 2);
  const LatentData data = rows_of(parse_likelihood("gaussian(scale=0.6)"), inputs(20));
  const Data same{.X = data.X, .Y = data.Y - data.offset, .noise = Vector::Constant(1, 0.6)};
  LaplaceDensity laplace(borrowed<LayerPrior>(prior), borrowed(data));
  CollapsedDensity collapsed(borrowed<LayerPrior>(prior), borrowed(same));
  const Vector xi = RandomStream{.seed = 3}.normals(laplace.dimension());
  Vector by_laplace, exact;
  const double value = laplace.value_and_gradient(xi, by_laplace);
  EXPECT_NEAR(value, collapsed.value_and_gradient(xi, exact), two_routes * std::abs(value));
  EXPECT_LT(relative_error(by_laplace, exact), 1e-8);
}

TEST(LaplaceDensity, IsTheSameOnAnyNumberOfThreads) {
  const RidgeletPrior prior = small_prior("least-squares", 2);
  const LatentData data = rows_of(parse_likelihood("categorical", 3), inputs(200));
  LaplaceDensity density(borrowed<LayerPrior>(prior), borrowed(data));
  const Vector xi = RandomStream{.seed = 3}.normals(density.dimension());
  const auto on = [&](int threads) {
    const ThreadScope scope(threads);
    Vector gradient;
    density.value_and_gradient(xi, gradient);
    return gradient;
  };
  const Vector alone = on(1);
  for (const int threads : {2, 5}) EXPECT_EQ(on(threads), alone);
}

// Every unit is zero at every node for such biases, so there is no operator.
TEST(LaplaceDensity, HasNoSlopeWhereTheLayersAreImpossible) {
  PriorOptions options = small_prior("least-squares", 1).options();
  options.activation = "relu";
  const RidgeletPrior prior(options);
  const LatentData data = rows_of(parse_likelihood("bernoulli"), inputs(5));
  LaplaceDensity density(borrowed<LayerPrior>(prior), borrowed(data));
  Vector xi = Vector::Zero(density.dimension()), gradient;
  xi.tail(prior.units()).setConstant(-9);
  EXPECT_EQ(density.value_and_gradient(xi, gradient), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(gradient, Vector::Zero(xi.size()));
}

}  // namespace
}  // namespace ridgelet
