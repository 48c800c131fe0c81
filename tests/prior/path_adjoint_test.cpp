#include "ridgelet/prior/path_adjoint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::relative_error;
using testing::tolerance::two_routes;

PriorOptions example(const std::string& op, Index layers, bool skip = false) {
  return {
      .target = {.kernel = parse_kernel("matern32(lengthscale=1.2)"), .mean = MeanFunction("0.3*x1 - 0.5")},
      .nodes = grid(3, 8, 1, 3),
      .units = 7,
      .layers = layers,
      .hidden = {.sigma_w = 1, .sigma_b = 2},
      .op = {.name = op, .ridge = 1e-2},
      .layer_scale = 0.1,
      .layer_bias = 1,
      .skip = skip};
}

/// Inputs in two blocks, and the weight of every output at each: the function is <values_bar, [A m, G]>, which is no
/// likelihood at all.
struct Blocks {
  std::vector<Matrix> X, values_bar;

  explicit Blocks(Index rank) {
    for (const Index rows : {5, 2}) {
      const auto seed = static_cast<std::uint64_t>(rows);
      X.push_back(RandomStream{.seed = seed}.normals(rows, 1));
      values_bar.push_back(RandomStream{.seed = seed + 1}.normals(rows, 1 + rank));
    }
  }

  double value(ConditionalOutput& output, const HiddenLayers& layers) const {
    EXPECT_TRUE(output.condition(layers));
    double sum = 0;
    for (std::size_t b = 0; b < X.size(); ++b) {
      Matrix values(X[b].rows(), values_bar[b].cols());
      output.evaluate(X[b], values);
      sum += values.cwiseProduct(values_bar[b]).sum();
    }
    return sum;
  }

  Vector pulled_back(ConditionalOutput& output, const HiddenLayers& layers) const {
    EXPECT_TRUE(output.condition(layers));
    output.start_pull_back();
    for (std::size_t b = 0; b < X.size(); ++b) {
      Matrix values(X[b].rows(), values_bar[b].cols());
      output.evaluate(X[b], values);
      output.pull_back(values_bar[b]);
    }
    return output.finish_pull_back().packed();
  }
};

Vector differences(const Blocks& blocks, ConditionalOutput& output, HiddenLayers layers) {
  constexpr double step = 3e-4;
  const Vector here = layers.packed();
  Vector slopes(here.size());
  for (Index i = 0; i < here.size(); ++i) {
    const auto value = [&](double move) {
      Vector moved = here;
      moved(i) += move;
      layers.unpack(moved);
      return blocks.value(output, layers);
    };
    slopes(i) = (8 * (value(step) - value(-step)) - (value(2 * step) - value(-2 * step))) / (12 * step);
  }
  return slopes;
}

TEST(PathAdjoint, OfAnyFunctionOfTheOutputsEqualsDifferences) {
  for (const std::string op : {"ridgelet", "least-squares"})
    for (const Index layers : {1, 2, 3})
      for (const bool skip : {false, true}) {
        const RidgeletPrior prior(example(op, layers, skip));
        const Blocks blocks(prior.rank());
        const auto output = prior.make_output();
        const HiddenLayers at = prior.draw_hidden(2);
        EXPECT_LT(relative_error(blocks.pulled_back(*output, at), differences(blocks, *output, at)), 1e-7)
            << op << ", " << layers << " layers, skip " << skip;
      }
}

TEST(PathAdjoint, IsZeroForUnitsOutOfReachAndEqualsDifferencesForOthers) {
  PriorOptions options = example("ridgelet", 1);
  options.units = 40;
  options.hidden.sigma_b = 12;
  const RidgeletPrior prior(options);
  const Blocks blocks(prior.rank());
  const auto output = prior.make_output();
  const HiddenLayers at = prior.draw_hidden(2);
  const GivenHidden given(prior, at);
  const std::vector<Index>& in_reach = given.path().in_reach();
  ASSERT_GT(in_reach.size(), 0U);
  const Vector slopes = blocks.pulled_back(*output, at);
  for (Index i = 0; i < 40; ++i)
    EXPECT_EQ(slopes(i) != 0, std::ranges::find(in_reach, i) != in_reach.end()) << i;
  EXPECT_LT(relative_error(slopes, differences(blocks, *output, at)), 1e-7);
}

TEST(PathAdjoint, OfTheIidPriorEqualsDifferences) {
  const IidPrior prior({.units = 6, .sigma_out = 0.4});
  const Blocks blocks(prior.rank());
  const auto output = prior.make_output();
  const HiddenLayers at = prior.hidden().draw(6, 1, 2);
  EXPECT_LT(relative_error(blocks.pulled_back(*output, at), differences(blocks, *output, at)), 1e-6);
}

TEST(PathAdjoint, StartsAnew) {
  const RidgeletPrior prior(example("least-squares", 2));
  const Blocks blocks(prior.rank());
  const auto output = prior.make_output();
  const HiddenLayers here = prior.draw_hidden(2), there = prior.draw_hidden(3);
  const Vector fresh = blocks.pulled_back(*output, here);
  EXPECT_GT(relative_error(blocks.pulled_back(*output, there), fresh), 0.01);
  EXPECT_EQ(blocks.pulled_back(*output, here), fresh);
}

TEST(LayerPrior, PullsDerivativesBackToWhitenedCoordinates) {
  PriorOptions options = example("least-squares", 2);
  options.hidden.density = Density::logistic;
  const RidgeletPrior prior(options);
  const Vector xi = RandomStream{.seed = 4}.normals(prior.parameters()), weights = 2 * xi.reverse();
  HiddenLayers layers = prior.allocate(), layers_bar = prior.allocate();
  layers_bar.unpack(weights);
  Vector slopes(xi.size()), by_differences(xi.size());
  prior.pull_back(xi, layers_bar, slopes);
  for (Index i = 0; i < xi.size(); ++i) {
    const auto value = [&](double move) {
      Vector moved = xi;
      moved(i) += move;
      prior.at(moved, layers);
      return layers.packed().dot(weights);
    };
    by_differences(i) = (value(1e-5) - value(-1e-5)) / 2e-5;
  }
  EXPECT_LT(relative_error(slopes, by_differences), testing::tolerance::central_differences);
}

}  // namespace
}  // namespace ridgelet
