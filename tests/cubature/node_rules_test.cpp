#include "ridgelet/cubature/node_rules.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/data_nodes.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/cubature/node_coverage.hpp"
#include "ridgelet/cubature/sobol_nodes.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

NodeRequest cube(Index d, std::optional<Index> number = std::nullopt) {
  return {.domain = Box::cube(5, d), .margin = Vector::Ones(d), .number = number};
}

TEST(NodeRules, KnowTheGrid) {
  EXPECT_EQ(node_rule_names(), (std::vector<std::string>{"grid", "sobol", "data"}));
  const Nodes made = make_nodes("grid", cube(2, 7)), expected = grid(6, 7, 2, 5);
  EXPECT_EQ(made.points, expected.points);
  EXPECT_EQ(made.weights, expected.weights);
  EXPECT_EQ(complaint_of([] { make_nodes("gird", cube(1)); }),
            "nodes: must be one of grid, sobol, data, got 'gird'; did you mean 'grid'?");
}

TEST(NodeRules, MakeTheGridFinerByTheRefinement) {
  NodeRequest request = cube(2, 7);
  request.refinement = 3;
  EXPECT_EQ(make_nodes("grid", request).points, grid(6, 21, 2, 5).points);
}

TEST(GridRule, TakesTwoHundredNodesForOneInputAndAboutNineHundredForMore) {
  EXPECT_EQ(make_nodes("grid", cube(1)).size(), 200);
  EXPECT_EQ(make_nodes("grid", cube(2)).size(), 900);
  EXPECT_EQ(make_nodes("grid", cube(3)).size(), 1000);
  EXPECT_EQ(make_nodes("grid", cube(5)).size(), 1024);
}

// By default there are 3 points on each of 6 axes, the first of which lies on the edge; in 8 inputs or more a single
// node has weight.
TEST(GridRule, RefusesGridsThatHaveFewerThanThreeNodesWithWeightOnAnAxis) {
  EXPECT_EQ(complaint_of([] { make_nodes("grid", cube(6)); }),
            "points: only 64 of the 729 nodes of the grid have weight, 2 along input 1, which is too few to "
            "follow a function; use --nodes sobol or data, or more --points on each axis");
  EXPECT_EQ(complaint_of([] { make_nodes("grid", cube(8)); }).substr(0, 52),
            "points: only 1 of the 256 nodes of the grid have wei");
  EXPECT_EQ(complaint_of([] { make_nodes("grid", cube(2, 3)); }).substr(0, 50),
            "points: only 4 of the 9 nodes of the grid have wei");
  EXPECT_EQ(complaint_of([] { make_nodes("grid", cube(6, 4)); }), "");
  EXPECT_EQ(complaint_of([] { make_nodes("grid", cube(1, 2)); }), "");
}

TEST(GridRule, CallsItsPointsByTheNameOfTheRequest) {
  EXPECT_EQ(complaint_of([] { make_nodes("grid", cube(1, 0)); }), "points: must be at least 1, got 0");
}

TEST(SobolRule, TakesItsNumberInAllWithEqualWeightsFromTheWidenedDomain) {
  const Nodes nodes = make_nodes("sobol", cube(7, 100));
  EXPECT_EQ(nodes.points, sobol_nodes(Box::cube(6, 7), Box::cube(6, 7), 100, 0).points);
  EXPECT_EQ(nodes.weights, Vector::Ones(100));
  EXPECT_EQ(make_nodes("sobol", cube(1)).size(), 256);
  EXPECT_EQ(make_nodes("sobol", cube(2)).size(), 512);
  EXPECT_EQ(make_nodes("sobol", cube(3)).size(), 1024);
  EXPECT_EQ(make_nodes("sobol", cube(40)).size(), 1024);
  EXPECT_EQ(complaint_of([] { make_nodes("sobol", cube(1, 0)); }), "points: must be at least 1, got 0");
}

TEST(SobolRule, HasCubatureWeightsForAnOperatorThatIntegrates) {
  NodeRequest request = cube(3, 64);
  request.integrates = true;
  const Nodes nodes = make_nodes("sobol", request),
              expected = sobol_nodes(Box::cube(5, 3), Box::cube(6, 3), 64, 0);
  EXPECT_EQ(nodes.points, expected.points);
  EXPECT_EQ(nodes.weights, expected.weights);
}

TEST(DataRule, ChoosesFromTheDataAndThePointsOfTheWidenedDomain) {
  NodeRequest request = cube(1, 20);
  request.inputs = Vector::LinSpaced(37, -1, 1);
  request.kernel = parse_kernel("se(lengthscale=0.7)");
  request.tolerance = 1e-4;
  const Matrix candidates = node_candidates(Box::cube(6, 1), request.inputs, 0);
  const Kernel pinned = with_network_pinned(*request.kernel, candidates, Box::cube(6, 1));
  const Nodes nodes = make_nodes("data", request),
              expected = data_nodes(pinned, candidates, {.tolerance = 1e-4, .most = 20});
  EXPECT_EQ(nodes.points, expected.points);
  EXPECT_EQ(nodes.weights, Vector::Ones(nodes.size()));
  request.number = 0;
  EXPECT_EQ(complaint_of([&] { make_nodes("data", request); }), "points: must be at least 1, got 0");
}

TEST(DataRule, RefusesRequestsWithoutAKernelAndOperatorsThatIntegrate) {
  EXPECT_EQ(complaint_of([] { make_nodes("data", cube(1)); }),
            "kernel: is required for nodes that are chosen by it (--nodes data)");
  NodeRequest request = cube(1);
  request.kernel = parse_kernel("se()");
  request.integrates = true;
  EXPECT_EQ(complaint_of([&] { make_nodes("data", request); }),
            "nodes: data has no cubature weights, which the operator needs; use --nodes grid or sobol, or "
            "--operator least-squares");
}

TEST(NodeRules, ByDefaultFollowTheDataUnlessTheOperatorIntegrates) {
  EXPECT_EQ(default_node_rule(1, false, false), "grid");
  EXPECT_EQ(default_node_rule(2, false, true), "grid");
  EXPECT_EQ(default_node_rule(3, false, false), "sobol");
  EXPECT_EQ(default_node_rule(1, true, false), "data");
  EXPECT_EQ(default_node_rule(9, true, false), "data");
  EXPECT_EQ(default_node_rule(2, true, true), "grid");
  EXPECT_EQ(default_node_rule(3, true, true), "sobol");
}

/// Points on each axis of the smallest grid that leaves no more of the process unknown than `floor`.
Index smallest_grid(NodeRequest request, const Matrix& points, double floor) {
  for (Index per_axis = 4;; ++per_axis) {
    request.number = per_axis;
    if (node_coverage(make_nodes("grid", request), *request.kernel, points).floor <= floor) return per_axis;
  }
}

/// Rows that fill [-2, 2]^d, or lie in two corners of it.
Matrix rows_in(bool corners, Index d) {
  const Index count = 300;
  if (!corners) return sobol_points_of(Box::cube(2, d), count, 4);
  Matrix rows = 0.15 * RandomStream{.seed = 4}.normals(count, d);
  rows.topRows(count / 2).array() -= 1.5;
  rows.bottomRows(count / 2).array() += 1.5;
  return rows;
}

// 13 % more at most: nodes that are chosen one after another are 46 for matern52 in one input, where a grid of 41 has
// the same floor. In two inputs grids come in steps of that size: 225 nodes, then 256, and 251 are chosen.
TEST(DataRule, NeedsHardlyMoreNodesThanTheSmallestGridWithTheSameFloorAndFewerIfSmoothInTwoInputs) {
  const auto compare = [](Index d, const std::string& kernel, double most) {
    for (const bool corners : {false, true}) {
      const NodeRequest request{.domain = Box::cube(2, d),
                                .margin = Vector::Constant(d, 0.4),
                                .inputs = rows_in(corners, d),
                                .kernel = parse_kernel(kernel),
                                .tolerance = 1e-5};
      const Matrix points = coverage_points(request, 300);  // all rows, and Sobol points
      const Nodes chosen = make_nodes("data", request);
      const double floor = node_coverage(chosen, *request.kernel, points).floor;
      const Index per_axis = smallest_grid(request, points, floor),
                  grid = d == 1 ? per_axis : per_axis * per_axis;
      EXPECT_LT(floor, 0.002) << kernel;
      EXPECT_LE(static_cast<double>(chosen.size()), most * static_cast<double>(grid)) << kernel;
    }
  };
  compare(1, "se(lengthscale=1)", 1);
  compare(1, "se(lengthscale=0.2)", 1.13);
  compare(1, "matern52(lengthscale=1)", 1.13);
  compare(1, "matern32(lengthscale=2)", 1.13);
  compare(2, "se(lengthscale=1.5)", 0.75);
  compare(2, "se(lengthscale=0.8)", 0.85);
  compare(2, "matern52(lengthscale=3)", 1.13);
}

TEST(CoveragePoints, AreOfTheDataAndOfADomainThatTheDataMayNotFill) {
  NodeRequest request = cube(2);
  EXPECT_EQ(coverage_points(request, 50).rows(), 50);
  request.inputs = Matrix::Ones(30, 2);
  const Matrix points = coverage_points(request, 50);
  EXPECT_EQ(points.rows(), 80);
  EXPECT_EQ(points.topRows(30), request.inputs);
  EXPECT_LT(points.cwiseAbs().maxCoeff(), 5);
  NodeRequest many = cube(4);
  many.inputs = Matrix::Ones(60, 4);
  EXPECT_EQ(coverage_points(many, 50), Matrix::Ones(50, 4));
  many.inputs = RandomStream{.seed = 2}.normals(60, 4);
  const Matrix rows_and_between = coverage_points(many, 50);
  const auto is_row = [&](Index i) {
    return ((many.inputs.rowwise() - rows_and_between.row(i)).rowwise().norm().array() == 0).any();
  };
  for (Index i = 0; i < 50; ++i) EXPECT_EQ(is_row(i), i < 25) << i;
}

}  // namespace
}  // namespace ridgelet
