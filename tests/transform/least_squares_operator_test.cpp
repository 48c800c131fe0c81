#include "ridgelet/transform/least_squares_operator.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"

namespace ridgelet {
namespace {

/// B, through the seam.
Matrix operator_matrix(const Operator& op, const Preactivations& at_nodes) {
  return output_weights(op, at_nodes, op.mix(Matrix::Identity(at_nodes.sites(), at_nodes.sites())));
}

std::unique_ptr<const Operator> least_squares(const Activation& activation, const Nodes& nodes, double ridge,
                                              const Preactivations& at_nodes) {
  return make_operator({.name = "least-squares", .ridge = ridge}, activation, nodes, {}, at_nodes);
}

Matrix features(const Activation& activation, const HiddenLayer& layer, const Matrix& X) {
  Matrix values = (X * layer.W.transpose()).rowwise() + layer.b.transpose();
  return values.unaryExpr([&](double z) { return activation.phi_scalar(z); });
}

// B = Phi_q^T ( S + ridge tau diag(u_mean / u_j) )^{-1}, over the nodes with u_j > 0.
Matrix literal_operator(const Activation& activation, const HiddenLayer& layer, const Nodes& nodes,
                        double ridge) {
  std::vector<Index> kept;
  for (Index j = 0; j < nodes.size(); ++j)
    if (nodes.weights(j) > 0) kept.push_back(j);
  const Matrix Phi = features(activation, layer, nodes.points(kept, Eigen::all));
  const Vector u = nodes.weights(kept);
  const Matrix S = Phi * Phi.transpose();
  const double tau = S.trace() / static_cast<double>(kept.size());
  const Matrix regularised = S + Matrix((ridge * tau * u.mean() * u.cwiseInverse()).asDiagonal());
  Matrix B = Matrix::Zero(layer.units(), nodes.size());
  B(Eigen::all, kept) = regularised.fullPivLu().solve(Phi).transpose();
  return B;
}

TEST(LeastSquaresOperator, IsTheRegularisedInverseOfTheFeatures) {
  const ThreadScope threads(1);
  for (const std::string& name : activation_names())
    for (const Index d : {1, 2})
      for (const double support : {4.0, 6.0}) {
        const Nodes nodes = grid(6, d == 1 ? 30 : 7, d, support);
        const Activation activation = name;
        const HiddenLayer layer = HiddenDistribution{.sigma_w = 1, .sigma_b = 4}.draw(300, d, 12);
        const Preactivations at_nodes(layer, nodes.points);
        const auto op = least_squares(activation, nodes, 1e-3, at_nodes);
        EXPECT_LT(testing::relative_error(operator_matrix(*op, at_nodes),
                                          literal_operator(activation, layer, nodes, 1e-3)),
                  testing::tolerance::two_routes)
            << name << " in " << d << ", support " << support;
      }
}

// w = B f minimises sum_j (u_j / u_mean) (f - Phi_q w)_j^2 + ridge tau |w|^2: its gradient vanishes.
TEST(LeastSquaresOperator, MinimisesTheWeightedSquaredError) {
  Nodes nodes = grid(4, 25, 1, 4);
  for (Index j = 0; j < 25; ++j) nodes.weights(j) *= 1 + 0.5 * std::sin(static_cast<double>(j));
  const Activation activation = "sigmoid";
  const HiddenLayer layer = HiddenDistribution{.sigma_w = 2, .sigma_b = 6}.draw(15, 1, 3);
  const Preactivations at_nodes(layer, nodes.points);
  const double ridge = 1e-2;
  const auto op = least_squares(activation, nodes, ridge, at_nodes);
  const Vector f = RandomStream{.seed = 5}.normals(25);
  const Vector w = operator_matrix(*op, at_nodes) * f;
  const Matrix Phi = features(activation, layer, nodes.points);
  const double tau = (Phi * Phi.transpose()).trace() / 25;
  const Vector pull = Phi.transpose() * ((nodes.weights / nodes.weights.mean()).asDiagonal() * (f - Phi * w));
  EXPECT_LT(testing::relative_error(pull, ridge * tau * w), testing::tolerance::two_routes);
}

TEST(LeastSquaresOperator, ReproducesNodeValuesWhenRidgeVanishes) {
  const Nodes nodes = grid(5, 12, 1, 5);
  const Activation activation = "tanh";
  const HiddenLayer layer = HiddenDistribution{}.draw(400, 1, 7);
  const Preactivations at_nodes(layer, nodes.points);
  const Vector f = RandomStream{.seed = 2}.normals(12);
  const Matrix Phi = features(activation, layer, nodes.points);
  const auto misfit = [&](double ridge) {
    const auto op = least_squares(activation, nodes, ridge, at_nodes);
    return (Phi * (operator_matrix(*op, at_nodes) * f) - f).norm() / f.norm();
  };
  EXPECT_LT(misfit(1e-12), 1e-9);
  EXPECT_GT(misfit(1e-1), 1e-2);
}

TEST(LeastSquaresOperator, GivesNodesOfWeightZeroColumnsOfZero) {
  const Nodes nodes = grid(6, 24, 1, 4);
  ASSERT_EQ(nodes.weights(0), 0);
  const Activation activation = "relu";
  const HiddenLayer layer = HiddenDistribution{}.draw(40, 1, 2);
  const Preactivations at_nodes(layer, nodes.points);
  const auto op = least_squares(activation, nodes, 1e-6, at_nodes);
  const Matrix B = operator_matrix(*op, at_nodes);
  for (Index j = 0; j < 24; ++j) EXPECT_EQ(B.col(j).isZero(0), nodes.weights(j) == 0) << "node " << j;
}

TEST(LeastSquaresOperator, IsTheSameWithoutTheNodesOfWeightZero) {
  Nodes all = grid(5, 20, 1, 5);
  all.weights(3) = all.weights(11) = 0;
  std::vector<Index> kept;
  for (Index j = 0; j < 20; ++j)
    if (j != 3 && j != 11) kept.push_back(j);
  const Nodes fewer{.points = all.points(kept, Eigen::all), .weights = all.weights(kept)};
  const Activation activation = "tanh";
  const HiddenLayer layer = HiddenDistribution{}.draw(30, 1, 9);
  const Preactivations at_all(layer, all.points), at_fewer(layer, fewer.points);
  const Matrix B = operator_matrix(*least_squares(activation, all, 1e-4, at_all), at_all);
  const Matrix expected = operator_matrix(*least_squares(activation, fewer, 1e-4, at_fewer), at_fewer);
  EXPECT_LT(testing::relative_error(B(Eigen::all, kept), expected), testing::tolerance::two_routes);
}

TEST(LeastSquaresOperator, DependsOnTheWeightsOnlyThroughTheirRatios) {
  const Nodes nodes = grid(6, 20, 1, 4);
  const Nodes heavier{.points = nodes.points, .weights = 1000 * nodes.weights};
  const Activation activation = "tanh";
  const HiddenLayer layer = HiddenDistribution{}.draw(30, 1, 9);
  const Preactivations at_nodes(layer, nodes.points);
  EXPECT_LT(
      testing::relative_error(operator_matrix(*least_squares(activation, heavier, 1e-4, at_nodes), at_nodes),
                              operator_matrix(*least_squares(activation, nodes, 1e-4, at_nodes), at_nodes)),
      testing::tolerance::two_routes);
}

// 5 units span 5 of 50 dimensions, so S is singular and a ridge below rounding cannot help.
TEST(LeastSquaresOperator, RefusesARidgeTooSmallToMatter) {
  const Nodes nodes = grid(5, 50, 1, 5);
  const Activation activation = "tanh";
  const HiddenLayer layer = HiddenDistribution{}.draw(5, 1, 1);
  const Preactivations at_nodes(layer, nodes.points);
  EXPECT_EQ(testing::complaint_of([&] { least_squares(activation, nodes, 1e-300, at_nodes); }),
            "ridge: must be large enough for S + ridge to be positive definite in double precision (1e-12 "
            "usually is), got 1e-300");
  EXPECT_EQ(testing::complaint_of([&] { least_squares(activation, nodes, 1e-12, at_nodes); }), "");
}

// Two ReLU units that point away from every node, so that S is zero and any ridge relative to it too.
TEST(LeastSquaresOperator, SaysThatUnitsWhichAreZeroAtEveryNodeAreImpossible) {
  const Nodes nodes = grid(5, 50, 1, 5);
  const HiddenLayer dead{.W = Matrix::Ones(2, 1), .b = Vector::Constant(2, -10)};
  const HiddenLayer alive{.W = Matrix::Ones(2, 1), .b = Vector::Constant(2, 1)};
  const Preactivations at_nodes(dead, nodes.points);
  LeastSquaresOperator op("relu", nodes, 1e-6);
  EXPECT_TRUE(op.condition(Preactivations(alive, nodes.points)));
  EXPECT_FALSE(op.condition(at_nodes));
  EXPECT_TRUE(op.condition(Preactivations(alive, nodes.points)));
  EXPECT_EQ(testing::complaint_of([&] { least_squares("relu", nodes, 1e-6, at_nodes); }),
            "units: every unit is zero at every node, so no weights can be found; draw again or use more");
}

// S is a sum over blocks of units, each cut into pieces for threads and tiles for products.
TEST(LeastSquaresOperator, IsTheSameForBlocksOfAnySize) {
  const Nodes nodes = grid(6, 24, 1, 4);
  const HiddenLayer layer = HiddenDistribution{}.draw(41, 1, 2);
  const Preactivations at_nodes(layer, nodes.points);
  const auto in_blocks = [&](const BlockSizes& blocks) {
    const auto op =
        make_operator({.name = "least-squares", .ridge = 1e-4}, "tanh", nodes, {}, at_nodes, blocks);
    return operator_matrix(*op, at_nodes);
  };
  const Matrix whole = in_blocks({});
  for (const Index size : {1, 2, 3, 7, 40, 41, 100})
    for (const Index piece : {1, 2, 5}) {
      // With and without features that are kept between S and V.
      for (const Index kept : {Index{0}, Index{1000}}) {
        const BlockSizes blocks{.units = size,
                                .share = piece,
                                .cached_units = piece,
                                .worth_a_team = 0,
                                .tile = {piece, size},
                                .kept_features = kept};
        EXPECT_LT(testing::relative_error(in_blocks(blocks), whole), testing::tolerance::two_routes)
            << size << ", " << piece << ", " << kept;
      }
    }
}

}  // namespace
}  // namespace ridgelet
