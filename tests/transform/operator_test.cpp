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
  for (const std::string name : {"erf", "gelu", "silu", "softplus", "sine", "cosine", "leaky-relu"}) {
    const std::string reason =
        "activation: '" + name +
        "' has no associated function psi, which the ridgelet operator and an order of psi "
        "need: use one of tanh, sigmoid, gaussian, relu, or the least-squares operator, "
        "which takes any";
    EXPECT_EQ(complaint({.name = "ridgelet"}, name), reason);
    EXPECT_EQ(complaint({.name = "least-squares", .order = 2}, name), reason);
    EXPECT_EQ(complaint({.name = "least-squares"}, name), "");
  }
}

TEST(OperatorSettings, AreCheckedForAnOrderThatIsGivenEvenIfItIsNotUsed) {
  EXPECT_EQ(complaint({.name = "least-squares", .order = 3}),
            "order: must be even and at least 2 for tanh in 1 input, got 3");
}

TEST(OperatorTraits, SayWhatAnOperatorNeedsAndOffers) {
  const OperatorTraits &ridgelet = operator_traits("ridgelet"),
                       &least_squares = operator_traits("least-squares");
  EXPECT_TRUE(ridgelet.needs_psi && ridgelet.has_theorem && !ridgelet.needs_ridge);
  EXPECT_TRUE(ridgelet.integrates && !least_squares.integrates);
  EXPECT_TRUE(!least_squares.needs_psi && !least_squares.has_theorem && least_squares.needs_ridge);
}

// The rows of B F must be the same, whatever piece they fall in.
TEST(WeightBlocks, CoverEveryUnitForPiecesOfAnySize) {
  const Nodes nodes = grid(3, 12, 1, 3);
  const ActivationPair pair("tanh", 1);
  const HiddenDistribution distribution{.sigma_w = 1, .sigma_b = 3};
  const Index N = 2 * unit_block + 37;
  const HiddenLayer layer = distribution.draw(N, 1, 3);
  const Preactivations at_nodes(layer, nodes.points);
  const auto op = make_operator({.name = "ridgelet"}, "tanh", nodes, distribution, at_nodes);
  Matrix analysis(N, 12);
  for (Index i = 0; i < N; ++i)
    for (Index j = 0; j < 12; ++j)
      analysis(i, j) = pair.psi_scalar(layer.W(i, 0) * nodes.points(j, 0) + layer.b(i));
  // Few columns are cut by shares, many by blocks.
  for (const Index columns : {1, 5, 150}) {
    const Matrix mixed = op->mix(RandomStream{.seed = 1}.normals(12, columns));
    const Matrix expected = analysis * mixed;
    for (const Index size : {0, 1, 2, 3, 64, 101, 256, 600}) {
      const BlockSizes blocks{.units = std::max<Index>(1, size), .share = size};
      EXPECT_LT(testing::relative_error(output_weights(*op, at_nodes, mixed, blocks), expected),
                testing::tolerance::two_routes)
          << columns << " columns, pieces of " << size;
    }
  }
}

// Zeros above the triangle of T F are left out, wherever the stairs fall, and the product is the same.
TEST(WeightBlocks, MultiplyATriangleAsIfItWereFull) {
  const Nodes nodes = grid(3, 12, 1, 3);
  const HiddenDistribution distribution{.sigma_w = 1, .sigma_b = 3};
  const HiddenLayer layer = distribution.draw(40, 1, 3);
  const Preactivations at_nodes(layer, nodes.points);
  const auto op = make_operator({.name = "ridgelet"}, "tanh", nodes, distribution, at_nodes);
  const Matrix analysis = output_weights(*op, at_nodes, Matrix::Identity(12, 12), {.stairs = 12});
  for (const Index columns : {1, 7, 12}) {
    Matrix mixed = RandomStream{.seed = 1}.normals(12, columns).triangularView<Eigen::Lower>();
    if (columns > 3) mixed.col(3).setZero();
    for (const Index stairs : {1, 2, 5, 12, 100})
      EXPECT_LT(
          testing::relative_error(output_weights(*op, at_nodes, mixed, {.stairs = stairs}), analysis * mixed),
          testing::tolerance::two_routes)
          << columns << " columns, stairs of " << stairs;
  }
}

TEST(WeightBlocks, GiveTheRowsOfSomeUnitsAlone) {
  const Nodes nodes = grid(3, 12, 1, 3);
  const HiddenDistribution distribution{.sigma_w = 1, .sigma_b = 3};
  const HiddenLayer layer = distribution.draw(40, 1, 3);
  const Preactivations at_nodes(layer, nodes.points);
  for (const std::string name : {"ridgelet", "least-squares"}) {
    const auto op = make_operator({.name = name}, "tanh", nodes, distribution, at_nodes);
    const Matrix mixed = op->mix(RandomStream{.seed = 1}.normals(12, 3)),
                 all = output_weights(*op, at_nodes, mixed);
    Matrix some(9, 3);
    WeightBlocks().fill(*op, at_nodes, mixed, some, 17);
    EXPECT_LT(testing::relative_error(some, all.middleRows(17, 9)), testing::tolerance::two_routes) << name;
  }
}

}  // namespace
}  // namespace ridgelet
