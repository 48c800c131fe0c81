// The gradient of the collapsed likelihood in whitened coordinates, at any depth and for any shape of the data.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <tuple>

#include "expectations.hpp"
#include "network_chain.hpp"
#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/collapsed_density.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "thread_ranks.hpp"

namespace ridgelet {
namespace {

using testing::borrowed;
using testing::relative_error;
using testing::tolerance::two_routes;

/// R is 12; with so few units per share the sums are cut into many.
PriorOptions example(const std::string& op, Index layers, Index units = 9) {
  return {
      .target = {.kernel = parse_kernel("matern32(amplitude=1.3, lengthscale=1.2)"),
                 .mean = MeanFunction("0.3*x1 - 0.5")},
      .nodes = grid(3, 12, 1, 3),
      .units = units,
      .layers = layers,
      .hidden = {.sigma_w = 1, .sigma_b = 2},
      .op = {.name = op, .ridge = 1e-2},
      // So few units have large weights by the paper's operator; at the scale of its own process a deeper layer would
      // turn at steps smaller than differences can see.
      .layer_scale = op == "ridgelet" ? 0.02 : 3,
      .layer_bias = 1};
}

Data random_data(Index rows, Index outputs, Index dimension = 1, double noise_scale = 1) {
  return {.X = 1.5 * RandomStream{.seed = 5, .purpose = Purpose::evaluation_points}.normals(rows, dimension),
          .Y = RandomStream{.seed = 6, .purpose = Purpose::target_process}.normals(rows, outputs),
          .noise = noise_scale * Vector::LinSpaced(outputs, 0.3, 0.8)};
}

/// Differences of fourth order.
Vector differences(LogDensity& density, const Vector& xi, double step = 1e-3) {
  Vector slopes(xi.size()), at = xi;
  const auto value = [&](Index i, double move) {
    at(i) = xi(i) + move;
    const double result = density(at);
    at(i) = xi(i);
    return result;
  };
  for (Index i = 0; i < xi.size(); ++i)
    slopes(i) =
        (8 * (value(i, step) - value(i, -step)) - (value(i, 2 * step) - value(i, -2 * step))) / (12 * step);
  return slopes;
}

struct Evaluated {
  double value;
  Vector gradient;
};

Evaluated gradient_at(CollapsedDensity& density, const Vector& xi) {
  Evaluated result;
  result.value = density.value_and_gradient(xi, result.gradient);
  return result;
}

void expect_differences(const LayerPrior& prior, const Data& data, double tolerance, const std::string& of,
                        double step = 1e-3) {
  CollapsedDensity density(borrowed(prior), borrowed(data));
  const Vector xi = RandomStream{.seed = 3}.normals(density.dimension());
  const Evaluated at = gradient_at(density, xi);
  EXPECT_EQ(at.value, density(xi)) << of;
  EXPECT_LT(relative_error(at.gradient, differences(density, xi, step)), tolerance) << of;
}

/// Operator, layers, rows (fewer than R, as many, more), outputs.
class CollapsedGradientOf : public ::testing::TestWithParam<std::tuple<std::string, Index, Index, Index>> {};

TEST_P(CollapsedGradientOf, EqualsDifferencesAtAnyDepth) {
  const auto [op, layers, rows, outputs] = GetParam();
  expect_differences(RidgeletPrior(example(op, layers)), random_data(rows, outputs), 1e-7, op);
}

INSTANTIATE_TEST_SUITE_P(Shapes, CollapsedGradientOf,
                         ::testing::Combine(::testing::Values("ridgelet", "least-squares"),
                                            ::testing::Values(Index{1}, Index{2}, Index{3}),
                                            ::testing::Values(Index{1}, Index{12}, Index{40}),
                                            ::testing::Values(Index{1}, Index{3})));

TEST(CollapsedGradient, EqualsDifferencesWithSkipConnections) {
  for (const std::string op : {"ridgelet", "least-squares"}) {
    PriorOptions options = example(op, 3, 7);
    options.skip = true;
    expect_differences(RidgeletPrior(options), random_data(15, 2), 1e-7, op);
  }
}

TEST(CollapsedGradient, EqualsDifferencesForEveryActivation) {
  for (const std::string& name : activation_names()) {
    PriorOptions options = example("least-squares", 2, 6);
    options.activation = name;
    // ReLU and its like have kinks, which small steps seldom cross.
    expect_differences(RidgeletPrior(options), random_data(15, 1), 1e-6, name, 1e-4);
  }
  for (const std::string& name : ridgelet_activation_names()) {
    PriorOptions options = example("ridgelet", 1, 6);
    options.activation = name;
    expect_differences(RidgeletPrior(options), random_data(15, 1), 1e-6, "psi of " + name, 1e-4);
  }
}

// Logistic first layers are not linear in xi; bandwidths differ from input to input.
TEST(CollapsedGradient, EqualsDifferencesForEveryDistributionOfTheHiddenLayer) {
  for (const Density density : {Density::gaussian, Density::logistic}) {
    PriorOptions options = example("least-squares", 2, 6);
    options.nodes = grid(3, 4, 2, 3);
    options.hidden = {.sigma_w = {1, 0.4}, .sigma_b = 2, .density = density};
    expect_differences(RidgeletPrior(options), random_data(15, 1, 2), 1e-7, density_name(density), 5e-4);
  }
}

TEST(CollapsedGradient, EqualsDifferencesWhereNodesAreLeftOut) {
  for (const std::string op : {"ridgelet", "least-squares"}) {
    PriorOptions options = example(op, 2, 6);
    for (const Index j : {0, 5}) options.nodes.weights(j) = 0;
    options.nodes.weights(3) *= 2;
    expect_differences(RidgeletPrior(options), random_data(15, 1), 1e-7, op);
  }
}

// Few columns beside many nodes, so that no D x D matrix mixes them; and features that are not kept.
TEST(CollapsedGradient, EqualsDifferencesHoweverTheOperatorMixesTheNodes) {
  for (const std::string kernel : {"se(lengthscale=6)", "matern12()"})
    for (const Index kept : {0, 1 << 22}) {
      PriorOptions options = example("least-squares", 2, 20);
      options.target.kernel = parse_kernel(kernel);
      options.nodes = grid(3, 60, 1, 3);
      options.blocks.kept_features = kept;
      expect_differences(RidgeletPrior(options), random_data(9, 1), 1e-6, kernel);
    }
}

TEST(CollapsedGradient, OfTheIidPriorEqualsDifferences) {
  for (const Index rows : {3, 8, 40, 300}) {
    const IidPrior prior(
        {.units = 8, .dimension = 2, .hidden = {.sigma_w = 1, .sigma_b = 2}, .sigma_out = 0.4});
    expect_differences(prior, random_data(rows, 2, 2), 1e-7, std::to_string(rows) + " rows");
  }
}

// Noise so small that QR decompositions take over, for one output or for both.
TEST(CollapsedGradient, EqualsDifferencesWhereSquaresLoseTheNoise) {
  for (const Index rows : {5, 12, 40})
    for (const double noise : {1e-4, 3e-5}) {
      const RidgeletPrior prior(example("least-squares", 1));
      expect_differences(prior, random_data(rows, 2, 1, noise), 1e-6, std::to_string(rows) + " rows");
    }
}

// The same numbers whether the noise is said to be large enough for squares or not.
TEST(LinearGaussianSlopes, AreTheSameByAllFourForms) {
  for (const Index M : {4, 6, 9}) {
    const Index R = 6;
    const Matrix G = RandomStream{.seed = 1}.normals(M, R);
    const Vector r = RandomStream{.seed = 2}.normals(M);
    const double noise = 0.3;
    LinearGaussianPosterior::SlopeWorkspace work;
    const auto slopes_of = [&](const LinearGaussianPosterior& posterior) {
      Matrix slopes = Matrix::Ones(M, 1 + R);
      posterior.add_slopes(G, r, slopes, work);
      return Matrix(slopes.array() - 1);
    };
    Matrix rows(M, R + 1), GGt = G * G.transpose(), GtG = G.transpose() * G;
    rows << G, r;
    StackedFactor stack;
    stack.start(R + 1);
    stack.append(rows);
    Matrix triangle = stack.T();
    LinearGaussianPosterior data, coordinates, data_root, coordinates_root;
    ASSERT_TRUE(data.condition_on_data(G, GGt, r, noise));
    ASSERT_TRUE(coordinates.condition_on_coordinates(GtG, G.transpose() * r, r.squaredNorm(), M, noise));
    ASSERT_TRUE(coordinates_root.condition_on_coordinates_by_root(triangle, M, noise));
    const Matrix expected = slopes_of(data);
    EXPECT_LT(relative_error(slopes_of(coordinates), expected), two_routes);
    EXPECT_LT(relative_error(slopes_of(coordinates_root), expected), two_routes);
    if (M <= R) {
      ASSERT_TRUE(data_root.condition_on_data_by_root(G, r, noise));
      EXPECT_LT(relative_error(slopes_of(data_root), expected), two_routes);
    }
  }
}

TEST(CollapsedGradient, IsTheSameInBlocksOfAnySize) {
  for (const std::string op : {"ridgelet", "least-squares"})
    for (const Index rows : {10, 40}) {
      const RidgeletPrior whole(example(op, 2));
      const Data data = random_data(rows, 2);
      const HiddenLayers layers = whole.draw_hidden(3);
      CollapsedLikelihood likelihood(whole, data);
      likelihood.value_and_gradient(layers);
      for (const Index block : {1, 2, 7}) {
        PriorOptions options = example(op, 2);
        options.blocks = {.units = block,
                          .share = block,
                          .lap = 2 * block,
                          .sites = block,
                          .tile = {.rows = block, .cols = block},
                          .kept_features = 1,
                          .kept_weights = 1};
        const RidgeletPrior cut(options);
        CollapsedLikelihood in_blocks(cut, data, block);
        in_blocks.value_and_gradient(layers);
        EXPECT_LT(relative_error(in_blocks.gradient().packed(), likelihood.gradient().packed()), two_routes)
            << op << ", " << rows << " rows, blocks of " << block;
      }
    }
}

TEST(CollapsedGradient, IsTheSameOnAnyNumberOfThreads) {
  for (const std::string op : {"ridgelet", "least-squares"}) {
    const RidgeletPrior prior(example(op, 3, 200));
    const Data data = random_data(300, 2);
    CollapsedDensity density(borrowed(prior), borrowed(data));
    const Vector xi = RandomStream{.seed = 3}.normals(density.dimension());
    const auto with_threads = [&](int threads) {
      const ThreadScope scope(threads);
      return gradient_at(density, xi).gradient;
    };
    const Vector alone = with_threads(1);
    for (const int threads : {2, 4, 7}) EXPECT_EQ(with_threads(threads), alone) << op;
  }
}

TEST(CollapsedGradient, IsTheSameOnAnyNumberOfRanks) {
  const RidgeletPrior prior(example("least-squares", 2));
  const Data data = random_data(40, 2);
  const HiddenLayers layers = prior.draw_hidden(3);
  CollapsedLikelihood alone(prior, data, 7);
  const double value = alone.value_and_gradient(layers);
  for (const Index count : {2, 3, 6})
    testing::on_ranks(count, [&](const Ranks& ranks) {
      CollapsedLikelihood shared(prior, data, 7, ranks);
      EXPECT_EQ(shared.value_and_gradient(layers), value) << count << " ranks";
      EXPECT_EQ(shared.gradient().packed(), alone.gradient().packed()) << count << " ranks";
    });
}

TEST(CollapsedGradient, ForgetsEarlierPlaces) {
  const RidgeletPrior prior(example("least-squares", 2));
  const Data data = random_data(40, 1);
  CollapsedDensity density(borrowed(prior), borrowed(data));
  const Vector xi = RandomStream{.seed = 3}.normals(density.dimension());
  const Vector fresh = gradient_at(density, xi).gradient;
  EXPECT_NE(gradient_at(density, 0.5 * xi).gradient, fresh);
  Matrix elsewhere(3, 1 + prior.rank());
  density.output().evaluate(Matrix::Ones(3, 1), elsewhere);
  EXPECT_EQ(gradient_at(density, xi).gradient, fresh);
}

// Every unit is zero at every node for such biases, so there is no operator.
TEST(CollapsedGradient, IsZeroWhereTheLayersAreImpossible) {
  PriorOptions options = example("least-squares", 1);
  options.activation = "relu";
  const RidgeletPrior prior(options);
  const Data data = random_data(5, 1);
  CollapsedDensity density(borrowed(prior), borrowed(data));
  Vector xi = Vector::Zero(density.dimension());
  xi.tail(prior.units()).setConstant(-9);
  const Evaluated at = gradient_at(density, xi);
  EXPECT_EQ(at.value, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(at.gradient, Vector::Zero(xi.size()));
}

}  // namespace
}  // namespace ridgelet
