#include "ridgelet/cubature/node_coverage.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/data_nodes.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/process_at_points.hpp"

namespace ridgelet {
namespace {

const Kernel se = parse_kernel("se(amplitude=2, lengthscale=1.5)");
const Matrix between = Vector::LinSpaced(99, -4.97, 4.93);

TEST(NodeCoverage, IsTheKrigingFloorOverTheSdOfTheProcess) {
  const Nodes nodes = grid(6, 12, 1, 5);
  Nodes with_weight = nodes;
  with_weight.points = nodes.points.bottomRows(11);  // the first lies on the edge
  const Vector floor = ProcessAtPoints({.kernel = se}, with_weight.points).kriging(between).floor;
  const NodeCoverage coverage = node_coverage(nodes, se, between);
  EXPECT_EQ(coverage.with_weight, 11);
  EXPECT_NEAR(coverage.floor, std::sqrt(floor.squaredNorm() / 99) / 2, 1e-12);
  EXPECT_NEAR(coverage.largest, floor.maxCoeff() / 2, 1e-12);
  EXPECT_TRUE(coverage.falls_short);
  EXPECT_EQ(text(coverage).substr(0, 47), "11 nodes with weight, and the kernel asks for 1");
}

TEST(NodeCoverage, OfEnoughNodesIsBelowTheToleranceAndSaysSo) {
  const NodeCoverage coverage = node_coverage(grid(6, 100, 1, 5), se, between, 1e-6);
  EXPECT_LT(coverage.floor, 1e-5);
  EXPECT_FALSE(coverage.falls_short);
  EXPECT_EQ(coverage.needed, static_cast<Index>(choose_nodes(se, between, {.tolerance = 1e-6}).size()));
}

// Eight inputs: the default grid of two on each axis has one node with weight.
TEST(NodeCoverage, OfOneNodeInManyInputsIsNearlyNothing) {
  const Matrix points = RandomStream{.seed = 2}.normals(300, 8);
  const NodeCoverage coverage = node_coverage(grid(3, 2, 8, 2.5), parse_kernel("se(lengthscale=2)"), points);
  EXPECT_EQ(coverage.with_weight, 1);
  EXPECT_GT(coverage.needed, 100);
  EXPECT_GT(coverage.floor, 0.8);
  EXPECT_TRUE(coverage.falls_short);
}

// There are more nodes than points, and yet too few: the points alone cannot tell how many nodes it takes.
TEST(NodeCoverage, OfManyNodesMayStillFallShort) {
  const Matrix rows = RandomStream{.seed = 3}.normals(400, 8),
               points = RandomStream{.seed = 4}.normals(60, 8);
  const NodeCoverage coverage = node_coverage({.points = rows, .weights = Vector::Ones(400)},
                                              parse_kernel("se(lengthscale=2)"), points);
  EXPECT_EQ(coverage.needed, 60);
  EXPECT_GT(coverage.floor, 0.2);
  EXPECT_TRUE(coverage.falls_short);
  EXPECT_TRUE(text(coverage).starts_with("400 nodes with weight, and the kernel asks for at least 60: "));
}

TEST(NodeCoverage, LooksAtASmallTermBesideALargeOneAndNotAtWhiteNoise) {
  const Nodes nodes = grid(6, 12, 1, 5);
  const NodeCoverage alone = node_coverage(nodes, se, between);
  const NodeCoverage beside =
      node_coverage(nodes, se + parse_kernel("constant(amplitude=1e6) + white(amplitude=3)"), between);
  EXPECT_NEAR(beside.floor, alone.floor, 1e-9);
}

}  // namespace
}  // namespace ridgelet
