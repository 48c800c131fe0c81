#include "ridgelet/transform/operator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/grid.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

std::string complaint(const OperatorSettings& settings, const Activation& activation = "tanh",
                      Index dimension = 1) {
  return complaint_of([&] { validate(settings, activation, dimension); });
}

struct Softplus {
  static constexpr std::string_view name = "softplus";
  static double phi(double z) { return std::log1p(std::exp(z)); }
  static double derivative(double z) { return 1 / (1 + std::exp(-z)); }
};

TEST(OperatorSettings, KnowThePapersOperatorAndTheLeastSquaresOne) {
  EXPECT_EQ(operator_names(), (std::vector<std::string>{"ridgelet", "least-squares"}));
  for (const std::string& name : operator_names()) EXPECT_EQ(complaint({.name = name}), "");
}

TEST(OperatorSettings, RefuseOtherNames) {
  EXPECT_EQ(complaint({.name = "least_squares"}),
            "operator: must be one of ridgelet, least-squares, got 'least_squares'; did you mean "
            "'least-squares'?");
}

TEST(OperatorSettings, NeedAPositiveRidgeForLeastSquaresOnly) {
  EXPECT_EQ(complaint({.name = "least-squares", .ridge = 0}), "ridge: must be positive and finite, got 0");
  EXPECT_EQ(complaint({.name = "least-squares", .ridge = -1e-6}),
            "ridge: must be positive and finite, got -1e-06");
  EXPECT_EQ(complaint({.name = "ridgelet", .ridge = 0}), "");
}

TEST(OperatorSettings, NeedPsiForTheRidgeletOperatorOnly) {
  EXPECT_EQ(complaint({.name = "ridgelet"}, "tanh", 50), "order: must be at most 40, got 52");
  EXPECT_EQ(complaint({.name = "least-squares"}, "tanh", 50), "");
  EXPECT_EQ(complaint({.name = "ridgelet"}, Activation::of<Softplus>()),
            "activation: 'softplus' has no associated function psi, which the ridgelet operator needs; the "
            "least-squares operator does without");
  EXPECT_EQ(complaint({.name = "least-squares"}, Activation::of<Softplus>()), "");
}

TEST(OperatorSettings, AreCheckedForAnOrderThatIsGivenEvenIfItIsNotUsed) {
  EXPECT_EQ(complaint({.name = "least-squares", .order = 3}),
            "order: must be even and at least 2 for tanh in 1 input, got 3");
}

TEST(OperatorTraits, SayWhatAnOperatorNeedsAndOffers) {
  const OperatorTraits &ridgelet = operator_traits("ridgelet"),
                       &least_squares = operator_traits("least-squares");
  EXPECT_TRUE(ridgelet.needs_psi && ridgelet.has_theorem && !ridgelet.needs_ridge);
  EXPECT_TRUE(!least_squares.needs_psi && !least_squares.has_theorem && least_squares.needs_ridge);
}

// Blocks of 256 units, the last one shorter: B F must be the same rows whatever the block they fall in.
TEST(WeightBlocks, CoverEveryUnitOnceAndInOrder) {
  const Nodes nodes = grid(3, 12, 1, 3);
  const ActivationPair pair("tanh", 1);
  const HiddenDistribution distribution{.sigma_w = 1, .sigma_b = 3};
  const HiddenLayer layer = distribution.draw(2 * unit_block + 37, 1, 3);
  const Preactivations at_nodes(layer, nodes.points);
  const auto op = make_operator({.name = "ridgelet"}, "tanh", nodes, distribution, at_nodes);
  const Matrix mixed = op->mix(RandomStream{.seed = 1}.normals(12, 5));
  Matrix rows = Matrix::Zero(layer.units(), 5);
  Index expected_first = 0;
  for_each_weight_block(*op, at_nodes, mixed, [&](Index first, const MatrixView& block) {
    EXPECT_EQ(first, expected_first);
    rows.middleRows(first, block.rows()) = block;
    expected_first += block.rows();
  });
  EXPECT_EQ(expected_first, layer.units());
  for (const Index i : {Index{0}, unit_block - 1, unit_block, 2 * unit_block + 36}) {
    Vector analysis(12);
    for (Index j = 0; j < 12; ++j)
      analysis(j) = pair.psi_scalar(layer.W(i, 0) * nodes.points(j, 0) + layer.b(i));
    const Eigen::RowVectorXd row = analysis.transpose() * mixed;
    EXPECT_LT((rows.row(i) - row).cwiseAbs().maxCoeff(), 1e-12 * mixed.cwiseAbs().maxCoeff()) << "unit " << i;
  }
}

}  // namespace
}  // namespace ridgelet
