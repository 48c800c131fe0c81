#include "ridgelet/transform/ridgelet_operator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/cubature/grid.hpp"

namespace ridgelet {
namespace {

/// B F through the seam: T F, then a pass over the units.
Matrix applied(const Operator& op, const Preactivations& at_nodes, const Matrix& F) {
  Matrix result(at_nodes.units(), F.cols());
  for_each_weight_block(op, at_nodes, op.mix(F), [&](Index first, const MatrixView& rows) {
    result.middleRows(first, rows.rows()) = rows;
  });
  return result;
}

// B_ij = (Z / N) u_j psi(W_i . x_j + b_i).
TEST(RidgeletOperator, IsTheDiscretisedRidgeletTransform) {
  for (const std::string& name : activation_names())
    for (const Index d : {1, 2}) {
      const Nodes nodes = grid(6, d == 1 ? 30 : 7, d, 4);
      const ActivationPair pair(name, static_cast<int>(d));
      const HiddenDistribution distribution{.sigma_w = 1.5, .sigma_b = 4};
      const Index units = 300;
      const HiddenLayer layer = distribution.draw(units, d, 11);
      const Preactivations at_nodes(layer, nodes.points);
      const auto op = make_operator({.name = "ridgelet"}, pair, nodes, distribution, at_nodes);
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

/// The network's value at `x` after the bump exp(-x^2/8) went through the operator.
double reconstruction(const std::string& activation, const HiddenDistribution& distribution, Index units,
                      double x, std::uint32_t replicate) {
  const Nodes nodes = grid(10, 100, 1, 8);
  const ActivationPair pair(activation, 1, 4);
  const HiddenLayer layer = distribution.draw(units, 1, 21, replicate);
  const Preactivations at_nodes(layer, nodes.points);
  const auto op = make_operator({.name = "ridgelet"}, pair, nodes, distribution, at_nodes);
  const Vector f = (-nodes.points.col(0).array().square() / 8).exp();
  const Vector w = applied(*op, at_nodes, f);
  double value = 0;
  for (Index i = 0; i < units; ++i) value += w(i) * pair.phi_scalar(layer.W(i, 0) * x + layer.b(i));
  return value;
}

// Finite bandwidths leave a bias, (omega / sigma_w)^2 / 4 for the frequencies omega of about 1/2 of this
// bump, which is below a hundredth here and so below the Monte Carlo error of these replicates.
TEST(RidgeletOperator, ReconstructsASmoothBumpInTheMiddleOfTheDomain) {
  for (const std::string& activation : activation_names())
    for (const Density density : {Density::gaussian, Density::logistic})
      for (const double x : {0.0, 1.0}) {
        const bool normal = density == Density::gaussian;
        const HiddenDistribution distribution{
            .sigma_w = normal ? 4.0 : 2.0, .sigma_b = normal ? 40.0 : 20.0, .density = density};
        const Index replicates = 20;
        Vector values(replicates);
        for (Index r = 0; r < replicates; ++r)
          values(r) = reconstruction(activation, distribution, 20'000, x, static_cast<std::uint32_t>(r));
        const double n = static_cast<double>(replicates);
        const double standard_error =
            std::sqrt((values.array() - values.mean()).square().sum() / (n - 1) / n);
        const std::string where = activation + (normal ? ", gaussian" : ", logistic");
        EXPECT_NEAR(values.mean(), std::exp(-x * x / 8), testing::tolerance::standard_errors * standard_error)
            << where << ", s.e. " << standard_error;
        EXPECT_LT(testing::tolerance::standard_errors * standard_error, 0.2) << where;
      }
}

}  // namespace
}  // namespace ridgelet
