#include "ridgelet/prior/hidden_path.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::two_routes;

PriorOptions deep_options(const std::string& op, Index layers, Index units = 30) {
  return {.target = {.kernel = parse_kernel("matern32(lengthscale=1.5)"), .mean = MeanFunction("0.4*x + 1")},
          .nodes = grid(3.5, 12, 1, 3),
          .units = units,
          .layers = layers,
          .hidden = {.sigma_w = 1.5, .sigma_b = 4},
          .op = {.name = op, .ridge = 1e-2}};
}

/// The definition, word for word: dense weights between layers, B written out, nodes and inputs carried as
/// features. Returns mean and factor of the output at X.
Gaussian by_definition(const RidgeletPrior& prior, const HiddenLayers& layers, const Matrix& X) {
  const PriorOptions& o = prior.options();
  const ActivationPair pair(o.activation, 1);
  const Vector& m = prior.node_mean();
  const Matrix& L = prior.node_factor().L;
  const auto through = [](const Matrix& inputs, const Matrix& W, const Vector& b) -> Matrix {
    return (inputs * W.transpose()).rowwise() + b.transpose();
  };
  const auto operator_of = [&](const Matrix& nodes) -> Matrix {
    const Index N = nodes.cols(), D = nodes.rows();
    if (o.op.name == "ridgelet") {
      const double Z = std::sqrt(2 * M_PI) * o.hidden.sigma_w[0] * o.hidden.sigma_b;
      Matrix B(N, D);
      for (Index i = 0; i < N; ++i)
        for (Index j = 0; j < D; ++j)
          B(i, j) = Z / static_cast<double>(N) * o.nodes.weights(j) * pair.psi_scalar(nodes(j, i));
      return B;
    }
    const Matrix phi = nodes.array().tanh();
    Matrix S = phi * phi.transpose();
    const double tau = S.trace() / static_cast<double>(D);
    S.diagonal() += o.op.ridge * tau * (o.nodes.weights.mean() * o.nodes.weights.cwiseInverse());
    return phi.transpose() * S.inverse();
  };
  Matrix nodes = through(o.nodes.points, layers[0].W, layers[0].b);
  Matrix sites = through(X, layers[0].W, layers[0].b);
  for (std::size_t l = 1; l < layers.depth(); ++l) {
    const Matrix B = operator_of(nodes);
    // Row i of F is s m + L z_i', so that row i of the weights is B f_i.
    const Matrix F = (layers[l].W * L.transpose()).rowwise() + prior.layer_scale() * m.transpose();
    const Matrix weights = F * B.transpose();
    const Matrix node_features = nodes.array().tanh(), site_features = sites.array().tanh();
    nodes = through(node_features, weights, layers[l].b);
    sites = through(site_features, weights, layers[l].b);
  }
  const Matrix A = sites.array().tanh().matrix() * operator_of(nodes);
  return {.mean = A * m, .factor = A * L};
}

const Matrix line = Vector::LinSpaced(7, -2.9, 3);

class Depth : public ::testing::TestWithParam<std::tuple<std::string, Index>> {};

TEST_P(Depth, AgreesWithTheDefinitionOnDenseWeights) {
  const auto [op, layers] = GetParam();
  PriorOptions options = deep_options(op, layers);
  options.nodes =
      grid(3, 12, 1, 3);  // without a mollifier no weight is zero, which the definition divides by
  const RidgeletPrior prior(options);
  const HiddenLayers hidden = prior.draw_hidden(5);
  const Gaussian expected = by_definition(prior, hidden, line), found = prior.given(hidden).output(line);
  EXPECT_LT(relative_error(found.mean, expected.mean), 1e-8);
  EXPECT_LT(relative_error(found.factor, expected.factor), 1e-8);
}

TEST_P(Depth, HasTheSameOutputsAsTheWorkspaceOfInference) {
  const auto [op, layers] = GetParam();
  const RidgeletPrior prior(deep_options(op, layers, 300));
  const HiddenLayers hidden = prior.draw_hidden(5);
  const auto output = prior.make_output();
  ASSERT_TRUE(output->condition(prior.draw_hidden(6)));
  ASSERT_TRUE(output->condition(hidden));
  Matrix values(line.rows(), 1 + prior.rank());
  output->evaluate(line, values);
  const Gaussian expected = prior.given(hidden).output(line);
  EXPECT_LT(relative_error(values.col(0), expected.mean), two_routes);
  EXPECT_LT(relative_error(values.rightCols(prior.rank()), expected.factor), two_routes);
}

TEST_P(Depth, StartsWithTheHiddenLayerOfTheShallowPrior) {
  const auto [op, layers] = GetParam();
  const RidgeletPrior deep(deep_options(op, layers)), shallow(deep_options(op, 1));
  EXPECT_EQ(deep.draw_hidden(4).first().W, shallow.draw_hidden(4).first().W);
  EXPECT_EQ(deep.draw_hidden(4).first().b, shallow.draw_hidden(4).first().b);
}

// The first l hidden layers of a draw are a draw of the prior with l layers.
TEST_P(Depth, PassesTheOutputsOfEveryShallowerNetwork) {
  const auto [op, layers] = GetParam();
  for (const bool skip : {false, true}) {
    PriorOptions options = deep_options(op, layers);
    options.skip = skip;
    const HiddenLayers hidden = RidgeletPrior(options).draw_hidden(5);
    const std::vector<Gaussian> outputs = RidgeletPrior(options).given(hidden).outputs_by_depth(line);
    ASSERT_EQ(static_cast<Index>(outputs.size()), layers);
    HiddenLayers first;
    for (std::size_t l = 0; l < outputs.size(); ++l) {
      first.add(hidden[l]);
      options.layers = static_cast<Index>(l + 1);
      const Gaussian expected = RidgeletPrior(options).given(first).output(line);
      EXPECT_LT(relative_error(outputs[l].mean, expected.mean), two_routes) << l << skip;
      EXPECT_LT(relative_error(outputs[l].factor, expected.factor), two_routes) << l << skip;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Operators, Depth,
                         ::testing::Combine(::testing::Values("ridgelet", "least-squares"),
                                            ::testing::Values(1, 2, 3, 5)),
                         [](const auto& test) {
                           const std::string op =
                               std::get<0>(test.param) == "ridgelet" ? "Ridgelet" : "LeastSquares";
                           return op + std::to_string(std::get<1>(test.param));
                         });

TEST(HiddenPath, LosesNothingWithDepthUnderLeastSquares) {
  for (const Index layers : {1, 2, 4}) {
    const RidgeletPrior prior({.target = {.kernel = parse_kernel("se(lengthscale=1.5)")},
                               .nodes = grid(6, 50, 1, 5),
                               .units = 100,
                               .layers = layers});
    const Matrix points = Vector::LinSpaced(41, -5, 5);
    double mean = 0;
    for (std::uint32_t r = 0; r < 5; ++r)
      mean += prior.given(prior.draw_hidden(1, r)).rmse(points).maxCoeff() / 5;
    EXPECT_LT(mean, 0.05) << layers;
  }
}

TEST(HiddenPath, DoesNotDependOnTheNumberOfThreads) {
  const RidgeletPrior prior(deep_options("least-squares", 3, 700));
  const HiddenLayers hidden = prior.draw_hidden(2);
  const Matrix many = Vector::LinSpaced(200, -3, 3);
  const auto factor = [&](int threads) {
    const ThreadScope scope(threads);
    return prior.given(hidden).output(many).factor;
  };
  const Matrix one = factor(1);
  EXPECT_EQ(one, factor(2));
  EXPECT_EQ(one, factor(4));
}

/// With mean 0, for the mean would reach the second layer past its weights.
RidgeletPrior centred(const std::string& op, Index layers, bool skip) {
  PriorOptions options = deep_options(op, layers);
  options.target.mean = MeanFunction("0");
  options.skip = skip;
  return RidgeletPrior(options);
}

// tanh of a layer without weights and biases is 0 everywhere: only the features that skip it are left.
TEST(SkipConnections, LeaveTheShallowPriorWhereTheSecondLayerIsDead) {
  const RidgeletPrior skipping = centred("least-squares", 2, true),
                      shallow = centred("least-squares", 1, false);
  HiddenLayers hidden = skipping.draw_hidden(5);
  hidden[1].W.setZero();
  hidden[1].b.setZero();
  EXPECT_LT(relative_error(skipping.given(hidden).output(line).factor,
                           shallow.given(hidden.first()).output(line).factor),
            two_routes);
  EXPECT_EQ(skipping.given(hidden).weights().dimension(), 60);
}

// Both groups of units are Monte Carlo rules for the same integral: together they average.
TEST(SkipConnections, AverageTheLayersUnderTheRidgeletOperator) {
  const RidgeletPrior plain = centred("ridgelet", 2, false), skipping = centred("ridgelet", 2, true),
                      shallow = centred("ridgelet", 1, false);
  const HiddenLayers hidden = plain.draw_hidden(5);
  const Matrix sum =
      plain.given(hidden).output(line).factor + shallow.given(hidden.first()).output(line).factor;
  EXPECT_LT(relative_error(skipping.given(hidden).output(line).factor, 0.5 * sum), two_routes);
}

TEST(HiddenLayers, OfAPriorAreAtStandardNormalsInTheOrderOfPacking) {
  const RidgeletPrior prior(deep_options("least-squares", 3));
  HiddenLayers layers = prior.allocate();
  EXPECT_EQ(layers.parameters(), prior.parameters());
  const Vector xi = RandomStream{.seed = 1}.normals(prior.parameters());
  prior.at(xi, layers);
  const Index N = 30, R = prior.rank();
  Vector scaled = xi;
  scaled.head(N) *= 1.5;
  scaled.segment(N, N) *= 4;
  scaled.tail(2 * N * (R + 1)) *= 3;
  EXPECT_LT(relative_error(layers.packed(), scaled), two_routes);
  HiddenLayers copy = prior.allocate();
  copy.unpack(layers.packed());
  EXPECT_EQ(copy.packed(), layers.packed());
}

TEST(HiddenLayers, OfDeeperPlacesHaveTheOperatorsScales) {
  for (const std::string op : {"ridgelet", "least-squares"}) {
    const RidgeletPrior prior(deep_options(op, 2, 4000));
    const HiddenLayers layers = prior.draw_hidden(1);
    const auto root_mean_square = [](const Matrix& values) {
      return std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
    };
    const double standard_error = 1 / std::sqrt(2.0 * 4000);
    const double scale = op == "ridgelet" ? 1 : 3, bias = op == "ridgelet" ? 4 : 3;
    EXPECT_NEAR(root_mean_square(layers[1].W) / scale, 1, 4.5 * standard_error);
    EXPECT_NEAR(root_mean_square(layers[1].b) / bias, 1, 4.5 * standard_error);
  }
}

/// Biases so wide that many units are out of reach of the nodes.
PriorOptions wide_options(Index units = 200) {
  PriorOptions options = deep_options("ridgelet", 1, units);
  options.hidden.sigma_b = 12;
  return options;
}

TEST(UnitsInReach, AreAllButThoseWhosePsiIsZeroAtEveryNode) {
  const RidgeletPrior prior(wide_options());
  const GivenHidden given = prior.given(prior.draw_hidden(1));
  const HiddenLayer& layer = given.layers().first();
  const std::vector<Index>& in_reach = given.path().in_reach();
  const ActivationPair pair(prior.activation(), 1);
  EXPECT_TRUE(std::ranges::is_sorted(in_reach));
  Index out = 0;
  for (Index i = 0; i < layer.units(); ++i) {
    const Vector z = (prior.options().nodes.points * layer.W(i, 0)).array() + layer.b(i);
    const bool listed = std::ranges::find(in_reach, i) != in_reach.end();
    for (const double each : z) EXPECT_TRUE(listed || pair.psi_scalar(each) == 0) << i;
    const bool one_side = z.minCoeff() > pair.cutoff() + 1e-9 || z.maxCoeff() < -pair.cutoff() - 1e-9;
    EXPECT_EQ(listed, !one_side) << i;
    out += one_side;
  }
  EXPECT_GT(out, 20);
  EXPECT_EQ(given.path().at_nodes().units(), layer.units() - out);
}

TEST(UnitsInReach, OfSeveralInputsAreAllButThoseWhosePsiIsZeroAtEveryNode) {
  PriorOptions options = wide_options();
  options.target = {.kernel = parse_kernel("se(lengthscale=2)")};
  options.nodes = grid(3, 5, 2, 3);
  const RidgeletPrior prior(options);
  const GivenHidden given = prior.given(prior.draw_hidden(1));
  const HiddenLayer& layer = given.layers().first();
  const ActivationPair pair(prior.activation(), 2);
  const std::vector<Index>& in_reach = given.path().in_reach();
  ASSERT_LT(in_reach.size(), 190U);
  for (Index i = 0; i < layer.units(); ++i) {
    const bool listed = std::ranges::find(in_reach, i) != in_reach.end();
    const Vector seen = (options.nodes.points * layer.W.row(i).transpose()).array() + layer.b(i);
    for (const double z : seen) EXPECT_TRUE(listed || pair.psi_scalar(z) == 0) << i;
  }
}

TEST(UnitsInReach, AreAllThatOutputsAndWeightsDependOn) {
  const RidgeletPrior prior(wide_options());
  const HiddenLayers hidden = prior.draw_hidden(1);
  const GivenHidden given = prior.given(hidden);
  ASSERT_LT(given.path().in_reach().size(), 180U);
  const Gaussian output = given.output(line), expected = by_definition(prior, hidden, line);
  EXPECT_LT(relative_error(output.mean, expected.mean), two_routes);
  EXPECT_LT(relative_error(output.factor, expected.factor), two_routes);
  const Matrix features =
      ((line * hidden.first().W.transpose()).rowwise() + hidden.first().b.transpose()).array().tanh();
  const Gaussian weights = given.weights();
  EXPECT_LT(relative_error(features * weights.mean, expected.mean), two_routes);
  EXPECT_LT(relative_error(features * weights.factor, expected.factor), two_routes);
  EXPECT_LT(relative_error(given.operator_matrix() * prior.node_mean(), weights.mean), two_routes);
  const Matrix Z = RandomStream{.seed = 2}.normals(prior.rank(), 3);
  const Matrix drawn = (weights.factor * Z).colwise() + weights.mean;
  EXPECT_LT(relative_error(given.weights_at(Z), drawn), two_routes);
  EXPECT_LT(relative_error(prior.given(hidden).weights_at(Z), drawn), two_routes) << "before any output";
}

TEST(UnitsInReach, GiveTheSameBitsOnAnyNumberOfThreads) {
  const RidgeletPrior prior(wide_options(3000));
  const auto with_threads = [&](int threads) {
    const ThreadScope scope(threads);
    return prior.given(prior.draw_hidden(3)).output(line).factor;
  };
  EXPECT_EQ(with_threads(7), with_threads(1));
}

TEST(UnitsInReach, MayBeNone) {
  const RidgeletPrior prior(wide_options(5));
  HiddenLayers hidden = prior.draw_hidden(1);
  hidden[0].b.setConstant(100);
  GivenHidden given = prior.given(hidden);
  EXPECT_TRUE(given.output(line).mean.isZero(0));
  EXPECT_TRUE(given.output(line).factor.isZero(0));
  EXPECT_EQ(*given.heads(), Matrix::Zero(5, 1 + prior.rank()));
  Matrix values(line.rows(), 1 + prior.rank());
  given.start_pull_back();
  given.evaluate(line, values);
  given.pull_back(Matrix::Ones(line.rows(), values.cols()));
  EXPECT_TRUE(given.finish_pull_back().packed().isZero(0));
}

TEST(HiddenPath, RefusesTheWrongNumberOfLayersAndCoordinates) {
  const RidgeletPrior prior(deep_options("least-squares", 2));
  HiddenLayers layers = prior.draw_hidden(1);
  EXPECT_EQ(complaint_of([&] { prior.given(layers.first()); }), "layers: must be 2 hidden layers, got 1");
  layers[1].W = Matrix::Ones(30, 1);
  EXPECT_NE(complaint_of([&] { prior.given(layers); }).find("W: must have"), std::string::npos);
}

}  // namespace
}  // namespace ridgelet
