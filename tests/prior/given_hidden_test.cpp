#include "ridgelet/prior/given_hidden.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::relative_error;
using testing::tolerance::two_routes;

PriorOptions one_layer_options(const std::string& op, Index units, Index dimension = 1) {
  return {.target = {.kernel = parse_kernel("matern32(amplitude=1.3, lengthscale=1.2)"),
                     .mean = MeanFunction("0.2*x1 - 1")},
          .nodes = grid(5, dimension == 1 ? 20 : 5, dimension, dimension == 1 ? 4 : 5),
          .units = units,
          .hidden = {.sigma_w = 1.5, .sigma_b = 5},
          .op = {.name = op, .ridge = 1e-4}};
}

Matrix test_points(Index dimension) {
  return 2 * RandomStream{.seed = 77, .purpose = Purpose::evaluation_points}.normals(9, dimension);
}

/// The formulas of given_hidden.hpp, with every matrix written out.
struct Dense {
  Matrix B, Phi, K, cross, A;
  Vector m, mx, kx;

  Dense(const RidgeletPrior& prior, const HiddenLayer& layer, const Matrix& X) {
    const PriorOptions& o = prior.options();
    const Matrix& q = o.nodes.points;
    const ActivationPair pair(o.activation, static_cast<int>(q.cols()));
    const auto preactivations = [&](const Matrix& at) -> Matrix {
      return (at * layer.W.transpose()).rowwise() + layer.b.transpose();
    };
    const auto phi = [&](const Matrix& at) -> Matrix {
      return preactivations(at).unaryExpr([&](double z) { return pair.phi_scalar(z); });
    };
    const Vector& u = o.nodes.weights;
    B = Matrix::Zero(layer.units(), q.rows());
    if (o.op.name == "ridgelet") {
      const Matrix psi = preactivations(q).unaryExpr([&](double z) { return pair.psi_scalar(z); });
      const double d = static_cast<double>(q.cols()), N = static_cast<double>(layer.units());
      const double Z = std::sqrt(2 * M_PI) * std::pow(o.hidden.sigma_w[0], d) * o.hidden.sigma_b;
      B = Z / N * psi.transpose() * u.asDiagonal();
    } else {
      std::vector<Index> kept;
      for (Index j = 0; j < q.rows(); ++j)
        if (u(j) > 0) kept.push_back(j);
      const Matrix Phi_q = phi(q(kept, Eigen::all));
      const Vector uk = u(kept);
      Matrix S = Phi_q * Phi_q.transpose();
      const double tau = S.trace() / static_cast<double>(kept.size());
      S += Matrix((o.op.ridge * tau * uk.mean() * uk.cwiseInverse()).asDiagonal());
      B(Eigen::all, kept) = S.fullPivLu().solve(Phi_q).transpose();
    }
    Phi = phi(X);
    A = Phi * B;
    K = o.target.kernel.matrix(q, q);
    cross = o.target.kernel.matrix(q, X);
    m = o.target.mean(q);
    mx = o.target.mean(X);
    kx = o.target.kernel.diagonal(X);
  }

  // k - 2 A k + A K A^T + bias^2.
  Vector rmse() const {
    const Vector Ak = A.cwiseProduct(cross.transpose()).rowwise().sum();
    const Vector AKA = (A * K).cwiseProduct(A).rowwise().sum();
    return (kx - 2 * Ak + AKA + (mx - A * m).cwiseAbs2()).cwiseSqrt();
  }
};

/// Both operators, in one and two inputs, with a block of units, less than one, and several with a remainder.
class GivenHiddenOf : public ::testing::TestWithParam<std::tuple<std::string, Index, Index>> {
 protected:
  const ThreadScope threads{1};
  const Index dimension = std::get<2>(GetParam());
  const RidgeletPrior prior{one_layer_options(std::get<0>(GetParam()), std::get<1>(GetParam()), dimension)};
  const HiddenLayer layer = prior.draw_hidden(3).first();
  const GivenHidden given = prior.given(layer);
  const Matrix X = test_points(dimension);
  const Dense dense{prior, layer, X};
};

TEST_P(GivenHiddenOf, HasTheOperatorOfItsFormula) {
  EXPECT_LT(relative_error(given.operator_matrix(), dense.B), two_routes);
}

TEST_P(GivenHiddenOf, HasTheMeanOfTheDenseFormula) {
  EXPECT_LT(relative_error(given.mean(X), dense.A * dense.m), two_routes);
}

TEST_P(GivenHiddenOf, HasTheCovarianceOfTheDenseFormula) {
  const Matrix X2 = X.topRows(4);
  EXPECT_LT(relative_error(given.covariance(X, X2), dense.A * dense.K * dense.A.topRows(4).transpose()),
            two_routes);
  EXPECT_LT(relative_error(given.output(X).covariance(), dense.A * dense.K * dense.A.transpose()),
            two_routes);
}

// The paper: w ~ N(B m, Sigma), Sigma = B K B^T of N x N, and the outputs are Phi w.
TEST_P(GivenHiddenOf, AgreesWithThePapersFormulaInTheSpaceOfWeights) {
  const Matrix Sigma = dense.B * dense.K * dense.B.transpose();
  const Gaussian w = given.weights();
  EXPECT_LT(relative_error(w.mean, dense.B * dense.m), two_routes);
  EXPECT_LT(relative_error(w.covariance(), Sigma), two_routes);
  EXPECT_LT(relative_error(given.covariance(X, X), dense.Phi * Sigma * dense.Phi.transpose()), two_routes);
}

TEST_P(GivenHiddenOf, HasTheErrorOfTheDenseFormula) {
  EXPECT_LT(relative_error(given.rmse(X), dense.rmse()), 1e-8);
}

TEST_P(GivenHiddenOf, NeverBeatsTheKrigingFloor) {
  const Vector floor = prior.kriging(X).floor;
  EXPECT_GE((given.rmse(X) - floor).minCoeff(), 0);
  EXPECT_GT(floor.maxCoeff(), 0.1);
}

TEST_P(GivenHiddenOf, PutsWeightsWhereTheirFactorPutsThem) {
  const Matrix Z = RandomStream{.seed = 9}.normals(prior.rank(), 3);
  // First while the factor is not known yet, then when it is.
  const Matrix by_a_pass = given.weights_at(Z);
  const Gaussian weights = given.weights();
  const Matrix by_the_factor = given.weights_at(Z);
  for (Index i = 0; i < Z.cols(); ++i) {
    EXPECT_LT(relative_error(by_a_pass.col(i), weights.at(Z.col(i))), two_routes);
    EXPECT_LT(relative_error(by_the_factor.col(i), weights.at(Z.col(i))), two_routes);
  }
  EXPECT_LT(relative_error(given.weights_at(Vector::Zero(prior.rank())), weights.mean), two_routes);
}

// A workspace that is conditioned again must not answer from the factor of the layer before.
TEST_P(GivenHiddenOf, PutsWeightsOfAnotherLayerWhereThatLayerPutsThem) {
  const Vector z = RandomStream{.seed = 9}.normals(prior.rank());
  GivenHidden workspace(prior, prior.draw_hidden(8, 0));
  workspace.weights();
  ASSERT_TRUE(workspace.condition(given.layers()));
  EXPECT_LT(relative_error(workspace.weights_at(z), given.weights().at(z)), two_routes);
}

// E |w|^2 = |E w|^2 + trace Sigma.
TEST_P(GivenHiddenOf, HasTheExpectedSizeOfItsWeights) {
  const double squared =
      (dense.B * dense.m).squaredNorm() + (dense.B * dense.K * dense.B.transpose()).trace();
  EXPECT_NEAR(given.weight_norm(), std::sqrt(squared), two_routes * std::sqrt(squared));
}

INSTANTIATE_TEST_SUITE_P(Operators, GivenHiddenOf,
                         ::testing::Combine(::testing::Values("ridgelet", "least-squares"),
                                            ::testing::Values(Index{8}, Index{256}, Index{700}),
                                            ::testing::Values(Index{1}, Index{2})));

TEST(GivenHidden, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const std::string op : {"ridgelet", "least-squares"}) {
    PriorOptions options = one_layer_options(op, 700);
    options.nodes = grid(5, 150, 1, 4);
    options.target.kernel = parse_kernel("matern12(lengthscale=0.5)");
    const Matrix X = Vector::LinSpaced(301, -5, 5);
    const auto numbers = [&](int threads) {
      const ThreadScope scope(threads);
      const RidgeletPrior prior(options);
      const GivenHidden given = prior.given(prior.draw_hidden(1));
      const Gaussian output = given.output(X), weights = given.weights();
      return std::tuple(output.mean, output.factor, weights.mean, weights.factor, given.rmse(X),
                        given.weight_norm());
    };
    const auto one = numbers(1);
    EXPECT_EQ(one, numbers(2)) << op;
    EXPECT_EQ(one, numbers(4)) << op;
  }
}

TEST(GivenHidden, IsTheSameForBlocksOfAnySize) {
  const Matrix X = test_points(1);
  for (const std::string op : {"ridgelet", "least-squares"})
    for (const Index layers : {1, 2}) {
      PriorOptions options = one_layer_options(op, 23);
      options.layers = layers;
      const auto in_blocks = [&](const BlockSizes& blocks) {
        options.blocks = blocks;
        const RidgeletPrior prior(options);
        return prior.given(prior.draw_hidden(3)).output(X);
      };
      const Gaussian whole = in_blocks({});
      for (const Index size : {1, 2, 3, 22, 23, 50}) {
        const Gaussian cut = in_blocks({.units = size,
                                        .share = size,
                                        .lap = 5,
                                        .sites = size,
                                        .cached_units = size,
                                        .worth_a_team = 0,
                                        .tile = {size, size}});
        EXPECT_LT(relative_error(cut.mean, whole.mean), 1e-8) << op << ", blocks of " << size;
        EXPECT_LT(relative_error(cut.factor, whole.factor), 1e-8) << op << ", blocks of " << size;
      }
    }
}

// B [m, L] of a wide network is not kept, and nodes stand in the order of their pivots where the rank is large.
TEST(GivenHidden, IsTheSameInSlabsOfUnitsAndOnNodesInAnyOrder) {
  const Matrix X = test_points(1);
  for (const std::string op : {"ridgelet", "least-squares"}) {
    PriorOptions options = one_layer_options(op, 23);
    options.target.kernel = parse_kernel("matern32(lengthscale=1.2) + constant(amplitude=1e6)");
    const RidgeletPrior whole(options);
    options.blocks = {.lap = 2, .stairs = 3, .kept_features = 0, .kept_weights = 100};
    const RidgeletPrior cut(options);
    ASSERT_LT(options.blocks.slab_of(1 + cut.rank()), cut.units());
    const HiddenLayers layers = whole.draw_hidden(3);
    const GivenHidden expected = whole.given(layers), given = cut.given(layers);
    ASSERT_NE(expected.path().node_order(), given.path().node_order());
    EXPECT_LT(relative_error(given.output(X).mean, expected.output(X).mean), 1e-8) << op;
    EXPECT_LT(relative_error(given.output(X).factor, expected.output(X).factor), 1e-8) << op;
    EXPECT_LT(relative_error(given.weights().mean, expected.weights().mean), 1e-8) << op;
    EXPECT_LT(relative_error(given.weights().factor, expected.weights().factor), 1e-8) << op;
    EXPECT_LT(relative_error(given.operator_matrix(), expected.operator_matrix()), 1e-8) << op;
    EXPECT_NEAR(given.weight_norm(), expected.weight_norm(), 1e-8 * expected.weight_norm()) << op;
  }
}

TEST(GivenHidden, OutlivesThePriorItCameFrom) {
  const Matrix X = test_points(1);
  auto prior = std::make_unique<RidgeletPrior>(one_layer_options("least-squares", 30));
  const GivenHidden given = prior->given(prior->draw_hidden(1));
  const Vector before = given.rmse(X);
  prior.reset();
  EXPECT_EQ(given.rmse(X), before);
}

// The workspace of a sampler and the value that a person asks for are one class.
TEST(GivenHidden, EvaluatesAsAWorkspaceWhatItSaysAsAValue) {
  const Matrix X = test_points(2);
  for (const std::string op : {"ridgelet", "least-squares"}) {
    const RidgeletPrior prior(one_layer_options(op, 30, 2));
    GivenHidden workspace(prior);
    Matrix values(X.rows(), 1 + prior.rank());
    for (const std::uint64_t seed : {1, 2, 3}) {
      const HiddenLayers layers = prior.draw_hidden(seed);
      ASSERT_TRUE(workspace.condition(layers));
      workspace.evaluate(X, values);
      const Gaussian output = prior.given(layers).output(X);
      EXPECT_EQ(values.col(0), output.mean);
      EXPECT_EQ(values.rightCols(prior.rank()), output.factor);
    }
  }
}

// Two ReLU units are zero at every node for about one draw in five.
TEST(GivenHidden, DrawsLayersAgainThatAreImpossible) {
  PriorOptions options = one_layer_options("least-squares", 2);
  options.activation = "relu";
  options.hidden = {.sigma_w = 1, .sigma_b = 6};
  const RidgeletPrior prior(options);
  GivenHidden workspace(prior);
  int impossible = 0;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const HiddenLayers drawn = prior.draw_hidden(1, i);
    const bool possible = workspace.condition(drawn);
    impossible += !possible;
    const GivenHidden given(prior, 1, i);
    EXPECT_EQ(given.layers().packed() == drawn.packed(), possible);
    EXPECT_TRUE(given.weights().mean.allFinite());
  }
  EXPECT_GT(impossible, 2);
}

TEST(GivenHidden, AcceptsLayersOfAnyNumberOfUnits) {
  const RidgeletPrior prior(one_layer_options("ridgelet", 30));
  const HiddenLayer layer = prior.options().hidden.draw(77, 1, 5);
  const Matrix X = test_points(1);
  const Dense dense(prior, layer, X);
  EXPECT_LT(relative_error(prior.given(layer).covariance(X, X), dense.A * dense.K * dense.A.transpose()),
            two_routes);
}

TEST(GivenHidden, RefusesPointsThatAreNotInputs) {
  const RidgeletPrior prior(one_layer_options("least-squares", 10));
  const GivenHidden given = prior.given(prior.draw_hidden(1));
  EXPECT_EQ(testing::complaint_of([&] { given.output(Matrix::Zero(3, 2)); }),
            "X: must have 1 column, one for each input, got 2");
  EXPECT_EQ(testing::complaint_of([&] { given.output(Matrix(0, 1)); }),
            "X: must have at least one row and one column, got 0 x 1");
  EXPECT_EQ(testing::complaint_of([&] { given.covariance(Matrix::Zero(2, 1), Matrix::Zero(2, 3)); }),
            "X2: must have 1 column, one for each input, got 3");
  Matrix X = Matrix::Zero(3, 1);
  X(1, 0) = std::nan("");
  EXPECT_EQ(testing::complaint_of([&] { given.rmse(X); }), "X: must be finite, got nan in row 2, column 1");
  EXPECT_EQ(testing::complaint_of([&] { given.weights_at(Vector::Zero(3)); }), "z: must have 20 rows, got 3");
}

}  // namespace
}  // namespace ridgelet
