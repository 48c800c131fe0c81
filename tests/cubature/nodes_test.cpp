#include "ridgelet/cubature/nodes.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "expectations.hpp"
#include "ridgelet/cubature/grid.hpp"

namespace ridgelet {
namespace {

std::string complaint_about(const Nodes& nodes) {
  return testing::complaint_of([&] { validate(nodes); });
}

Nodes three() {
  return {.points = Eigen::Vector3d(-1, 0, 1), .weights = Eigen::Vector3d(0, 1, 2)};
}

TEST(Nodes, MayHaveSomeWeightsOfZero) {
  EXPECT_EQ(complaint_about(three()), "");
  EXPECT_EQ(complaint_about(grid(6, 10, 2, 5)), "");
}

TEST(Nodes, KnowTheirNumberAndTheirInputs) {
  const Nodes nodes = grid(6, 10, 2, 5);
  EXPECT_EQ(nodes.size(), 100);
  EXPECT_EQ(nodes.dimension(), 2);
}

TEST(Nodes, RefuseNegativeWeights) {
  Nodes nodes = three();
  nodes.weights(1) = -0.5;
  EXPECT_EQ(complaint_about(nodes),
            "nodes: weights: must not be negative, and not all zero, got a least of -0.5 and a largest of 2");
}

TEST(Nodes, RefuseWeightsThatAreAllZero) {
  Nodes nodes = three();
  nodes.weights.setZero();
  EXPECT_EQ(complaint_about(nodes),
            "nodes: weights: must not be negative, and not all zero, got a least of 0 and a largest of 0");
}

TEST(Nodes, RefuseWhatIsNotFinite) {
  Nodes nodes = three();
  nodes.points(2, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(complaint_about(nodes), "nodes: points: must be finite, got inf in row 3, column 1");
  nodes = three();
  nodes.weights(0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint_about(nodes), "nodes: weights: must be finite, got nan in row 1, column 1");
}

TEST(Nodes, RefuseAnotherNumberOfWeightsThanPoints) {
  Nodes nodes = three();
  nodes.weights = Eigen::Vector2d(1, 1);
  EXPECT_EQ(complaint_about(nodes), "nodes: weights: must have 3 rows, got 2");
}

TEST(Nodes, RefuseToBeNone) {
  EXPECT_EQ(complaint_about(Nodes{}), "nodes: points: must have at least one row and one column, got 0 x 0");
}

}  // namespace
}  // namespace ridgelet
