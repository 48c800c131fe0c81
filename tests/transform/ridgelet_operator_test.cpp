#include "ridgelet/transform/ridgelet_operator.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"

namespace ridgelet {
namespace {

/// B F through the seam: T F, then a pass over the units.
Matrix applied(const Operator& op, const Preactivations& at_nodes, const Matrix& F) {
  return output_weights(op, at_nodes, op.mix(F));
}

// B_ij = (Z / N) u_j psi(W_i . x_j + b_i).
TEST(RidgeletOperator, IsTheDiscretisedRidgeletTransform) {
  for (const std::string& name : ridgelet_activation_names())
    for (const Index d : {1, 2}) {
      const Nodes nodes = grid(6, d == 1 ? 30 : 7, d, 4);
      const ActivationPair pair(name, static_cast<int>(d));
      const HiddenDistribution distribution{.sigma_w = 1.5, .sigma_b = 4};
      const Index units = 300;
      const HiddenLayer layer = distribution.draw(units, d, 11);
      const Preactivations at_nodes(layer, nodes.points);
      const auto op = make_operator({.name = "ridgelet"}, name, nodes, distribution, at_nodes);
      const double v =
          std::sqrt(2 * M_PI) * std::pow(1.5, static_cast<double>(d)) * 4 / static_cast<double>(units);
      Matrix B(units, nodes.size());
      for (Index i = 0; i < units; ++i)
        for (Index j = 0; j < nodes.size(); ++j)
          B(i, j) =
              v * nodes.weights(j) * pair.psi_scalar(layer.W.row(i).dot(nodes.points.row(j)) + layer.b(i));
      const Matrix identity = Matrix::Identity(nodes.size(), nodes.size());
      EXPECT_LT(testing::relative_error(applied(*op, at_nodes, identity), B), testing::tolerance::two_routes)
          << name << " in " << d;
    }
}

TEST(RidgeletOperator, IgnoresNodesOfWeightZero) {
  const Nodes nodes = grid(6, 24, 1, 4);
  ASSERT_EQ(nodes.weights(0), 0);
  const ActivationPair pair("tanh", 1);
  const HiddenLayer layer = HiddenDistribution{}.draw(40, 1, 2);
  const Preactivations at_nodes(layer, nodes.points);
  const RidgeletOperator op(pair, nodes, 7, 40);
  const Matrix B = applied(op, at_nodes, Matrix::Identity(24, 24));
  for (Index j = 0; j < 24; ++j) EXPECT_EQ(B.col(j).isZero(0), nodes.weights(j) == 0) << "node " << j;
}

TEST(RidgeletOperator, SharesTheTotalMeasureAmongTheUnits) {
  const Nodes nodes = grid(5, 20, 1, 5);
  const ActivationPair pair("gaussian", 1);
  const Vector f = Vector::Ones(20);
  const RidgeletOperator few(pair, nodes, 3, 10), many(pair, nodes, 3, 40), heavier(pair, nodes, 6, 10);
  EXPECT_LT(testing::relative_error(many.mix(f), few.mix(f) / 4), 1e-15);
  EXPECT_LT(testing::relative_error(heavier.mix(f), 2 * few.mix(f)), 1e-15);
}

/// exp(-x^2/8).
Vector bump(const Vector& x) {
  return (-x.array().square() / 8).exp();
}

/// The network's values at `x` after the bump went through the operator.
Vector reconstruction(const std::string& activation, const HiddenDistribution& distribution,
                      const HiddenLayer& layer, const Vector& x) {
  const Nodes nodes = grid(10, 100, 1, 8);
  const Preactivations at_nodes(layer, nodes.points);
  const auto op = make_operator({.name = "ridgelet", .order = 4}, activation, nodes, distribution, at_nodes);
  const Vector w = applied(*op, at_nodes, bump(nodes.points));
  Matrix features = (layer.W * x.transpose()).colwise() + layer.b;
  const std::span<double> all(features.data(), static_cast<std::size_t>(features.size()));
  Activation(activation).phi(all, all);
  return features.transpose() * w;
}

const Vector middle = Eigen::Vector3d(-0.5, 0, 1);

// Finite bandwidths leave a bias of about (omega / sigma_w)^2 / 4 for the frequencies omega of about 1/2 of
// this bump, two hundredths here: below the Monte Carlo error of these replicates.
TEST(RidgeletOperator, ReconstructsASmoothBumpInTheMiddleOfTheDomainFromRandomUnits) {
  const ThreadScope threads(1);
  for (const std::string activation : {"gaussian", "relu"})
    for (const Density density : {Density::gaussian, Density::logistic}) {
      const bool normal = density == Density::gaussian;
      const HiddenDistribution distribution{
          .sigma_w = normal ? 2.0 : 1.0, .sigma_b = normal ? 14.0 : 7.0, .density = density};
      const Index replicates = 20;
      Matrix values(middle.size(), replicates);
      for (Index r = 0; r < replicates; ++r)
        values.col(r) =
            reconstruction(activation, distribution,
                           distribution.draw(20'000, 1, 21, static_cast<std::uint32_t>(r)), middle);
      for (Index i = 0; i < middle.size(); ++i) {
        const double mean = values.row(i).mean(), n = static_cast<double>(replicates);
        const double standard_error = std::sqrt((values.row(i).array() - mean).square().sum() / (n - 1) / n);
        const std::string where = activation + (normal ? ", gaussian" : ", logistic");
        EXPECT_NEAR(mean, bump(middle)(i), testing::tolerance::standard_errors * standard_error)
            << where << " at " << middle(i) << ", s.e. " << standard_error;
        EXPECT_LT(standard_error, 0.05) << where << ": too noisy to tell";
      }
    }
}

double quantile(Density density, double u) {
  return density == Density::logistic ? std::log(u / (1 - u))
                                      : -std::sqrt(2.0) * boost::math::erfc_inv(2 * u);
}

/// Units on a product grid of quantiles instead of at random: the same integral without Monte Carlo error.
HiddenLayer quantile_layer(const HiddenDistribution& distribution, Index weights, Index biases) {
  HiddenLayer layer{.W = Matrix(weights * biases, 1), .b = Vector(weights * biases)};
  const auto at = [&](Index i, Index count) {
    return quantile(distribution.density, (static_cast<double>(i) + 0.5) / static_cast<double>(count));
  };
  for (Index i = 0; i < weights; ++i)
    for (Index k = 0; k < biases; ++k) {
      layer.W(i * biases + k, 0) = distribution.sigma_w[0] * at(i, weights);
      layer.b(i * biases + k) = distribution.sigma_b * at(k, biases);
    }
  return layer;
}

// What is left is the bias of finite bandwidths, at most three hundredths.
TEST(RidgeletOperator, ReconstructsASmoothBumpFromUnitsThatFillTheirDensity) {
  const ThreadScope threads(1);
  for (const std::string& activation : ridgelet_activation_names())
    for (const Density density : {Density::gaussian, Density::logistic}) {
      const bool normal = density == Density::gaussian;
      const HiddenDistribution distribution{
          .sigma_w = normal ? 4.0 : 2.0, .sigma_b = normal ? 40.0 : 20.0, .density = density};
      const Vector values =
          reconstruction(activation, distribution, quantile_layer(distribution, 200, 1600), middle);
      EXPECT_LT((values - bump(middle)).cwiseAbs().maxCoeff(), 0.03)
          << activation << (normal ? ", gaussian" : ", logistic");
    }
}

}  // namespace
}  // namespace ridgelet
