#include "ridgelet/cubature/node_rules.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "ridgelet/cubature/grid.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

NodeRequest cube(Index d, std::optional<Index> number = std::nullopt) {
  return {.domain = Box::cube(5, d), .margin = Vector::Ones(d), .number = number};
}

TEST(NodeRules, KnowTheGrid) {
  EXPECT_EQ(node_rule_names(), (std::vector<std::string>{"grid"}));
  const Nodes made = make_nodes("grid", cube(2, 7)), expected = grid(6, 7, 2, 5);
  EXPECT_EQ(made.points, expected.points);
  EXPECT_EQ(made.weights, expected.weights);
  EXPECT_EQ(complaint_of([] { make_nodes("gird", cube(1)); }),
            "nodes: must be one of grid, got 'gird'; did you mean 'grid'?");
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

// By default 3 points on each of 6 axes, the first of which lies on the edge; from 8 inputs on a single node has
// weight.
TEST(GridRule, RefusesGridsThatHaveFewerThanThreeNodesWithWeightOnAnAxis) {
  EXPECT_EQ(complaint_of([] { make_nodes("grid", cube(6)); }),
            "points: only 64 of the 729 nodes of the grid have weight, 2 along input 1, which is too few to "
            "follow a function; use fewer inputs than 6, or more --points on each axis");
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

}  // namespace
}  // namespace ridgelet
