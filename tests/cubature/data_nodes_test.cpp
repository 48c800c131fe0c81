#include "ridgelet/cubature/data_nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/cubature/evaluation.hpp"
#include "ridgelet/cubature/likely_inputs.hpp"
#include "ridgelet/cubature/sobol_nodes.hpp"
#include "ridgelet/linalg/cholesky.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/process_at_points.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

Matrix inputs(Index rows, Index d) {
  return RandomStream{.seed = 6}.normals(rows, d);
}

/// The variance of the process at each candidate given the first `count` nodes, by dense formulas.
Vector conditional_variance(const Kernel& kernel, const Matrix& candidates, const std::vector<Index>& nodes,
                            Index count) {
  const Matrix q = candidates(std::vector<Index>(nodes.begin(), nodes.begin() + count), Eigen::all);
  const Matrix K = kernel.matrix(q, q), k = kernel.matrix(q, candidates);
  return kernel.diagonal(candidates) - k.cwiseProduct(K.ldlt().solve(k)).colwise().sum().transpose();
}

TEST(DataNodes, AreEachWhereTheProcessIsLeastKnownFromThoseBefore) {
  const Kernel kernel = parse_kernel("matern52(lengthscale=2)");
  const Matrix candidates = inputs(80, 3);
  const std::vector<Index> nodes = choose_nodes(kernel, candidates, {.tolerance = 1e-3, .most = 25});
  ASSERT_EQ(nodes.size(), 25u);
  for (Index count = 1; count < 25; ++count) {
    const Vector left = conditional_variance(kernel, candidates, nodes, count);
    EXPECT_NEAR(left(nodes[static_cast<std::size_t>(count)]), left.maxCoeff(), 1e-9) << count;
  }
}

TEST(DataNodes, LeaveNoMoreThanTheToleranceAndAreFewWhereTheKernelIsSmooth) {
  const Matrix candidates = inputs(400, 2);
  const Kernel smooth = parse_kernel("se(lengthscale=3)"), rough = parse_kernel("matern12(lengthscale=3)");
  const auto chosen = [&](const Kernel& kernel) {
    return choose_nodes(kernel, candidates, {.tolerance = 1e-4});
  };
  const std::vector<Index> few = chosen(smooth), many = chosen(rough);
  EXPECT_LT(few.size(), 40u);
  EXPECT_GT(many.size(), 200u);
  EXPECT_LE(conditional_variance(smooth, candidates, few, static_cast<Index>(few.size())).maxCoeff(),
            1.01e-4);
  EXPECT_LE(conditional_variance(rough, candidates, many, static_cast<Index>(many.size())).maxCoeff(),
            1.01e-4);
}

TEST(DataNodes, LeaveMoreWhereCandidatesCountLess) {
  const Matrix candidates = inputs(300, 2);
  const Kernel kernel = parse_kernel("matern52(lengthscale=2)");
  Vector importance = Vector::Ones(300);
  importance.tail(200).setConstant(0.1);
  const std::vector<Index> nodes = choose_nodes(kernel, candidates, {.tolerance = 1e-5}, importance);
  const Vector left = conditional_variance(kernel, candidates, nodes, static_cast<Index>(nodes.size()));
  EXPECT_LE(left.head(100).maxCoeff(), 1.01e-5);
  EXPECT_LE(left.tail(200).maxCoeff(), 1.01e-3);
  EXPECT_GT(left.tail(200).maxCoeff(), 1e-4);
  EXPECT_LT(nodes.size(), choose_nodes(kernel, candidates, {.tolerance = 1e-5}).size());
  EXPECT_EQ(complaint_of([&] { choose_nodes(kernel, candidates, {}, Vector::Ones(3)); }),
            "importance: must have 300 rows, got 3");
}

TEST(DataNodes, StartInTheSameWayWhenThereMayBeMore) {
  const Kernel kernel = parse_kernel("matern32()");
  const Matrix candidates = inputs(100, 4);
  const Nodes few = data_nodes(kernel, candidates, {.most = 10}),
              more = data_nodes(kernel, candidates, {.most = 30});
  EXPECT_EQ(few.points, more.points.topRows(10));
  EXPECT_EQ(more.weights, Vector::Ones(30));
}

TEST(DataNodes, AreDifferentPointsWhereRowsAreRepeated) {
  Matrix candidates(60, 2);
  candidates << inputs(30, 2), inputs(30, 2);
  const std::vector<Index> nodes = choose_nodes(parse_kernel("matern12()"), candidates, {.tolerance = 1e-8});
  EXPECT_EQ(nodes.size(), 30u);
  std::set<double> places;
  for (const Index i : nodes) places.insert(candidates(i, 0));
  EXPECT_EQ(places.size(), 30u);
}

TEST(DataNodes, AreChosenAsIfThereWereNoWhiteNoise) {
  const Matrix candidates = inputs(200, 2);
  const RankLimit limit{.tolerance = 1e-5};
  const auto chosen = [&](const char* kernel) {
    return choose_nodes(parse_kernel(kernel), candidates, limit);
  };
  const std::vector<Index> plain = chosen("se(lengthscale=2)");
  EXPECT_LT(plain.size(), 60u);
  EXPECT_EQ(chosen("se(lengthscale=2) + white(amplitude=0.5)"), plain);
  EXPECT_EQ(chosen("white(amplitude=30) * linear() + se(lengthscale=2)"), plain);
  EXPECT_EQ(complaint_of([&] { chosen("white(amplitude=2)"); }),
            "kernel: must have a term besides white noise for nodes to be chosen by it, got "
            "white(amplitude=2); use "
            "--nodes grid, or add a term");
}

// White in an input that takes few values tells groups of rows apart: that is not noise.
TEST(DataNodes, KeepAProcessOfItsOwnForEachGroupOfRows) {
  Matrix candidates = inputs(120, 2);
  for (Index i = 0; i < 120; ++i) candidates(i, 0) = static_cast<double>(i % 3);
  const Kernel kernel = parse_kernel("white(active=[1]) * se(lengthscale=2, active=[2])");
  const std::vector<Index> nodes = choose_nodes(kernel, candidates, {.tolerance = 1e-6});
  EXPECT_EQ(without_white_noise(kernel, candidates)->text(), kernel.text());
  for (Index group = 0; group < 3; ++group)
    EXPECT_GT(std::count_if(nodes.begin(), nodes.end(), [&](Index i) { return i % 3 == group; }), 4) << group;
}

TEST(DataNodes, ServeASmallTermBesideALargeOne) {
  const Matrix candidates = inputs(150, 2);
  const RankLimit limit{.tolerance = 1e-5, .most = 100};
  const Kernel small = parse_kernel("se(amplitude=1, lengthscale=1.5)");
  const std::vector<Index> alone = choose_nodes(small, candidates, limit),
                           both = choose_nodes(small + parse_kernel("constant(amplitude=1e6)"), candidates,
                                               limit);
  EXPECT_GE(both.size(), alone.size());
  EXPECT_LE(both.size(), alone.size() + 1);
  for (const Index node : alone) EXPECT_NE(std::find(both.begin(), both.end(), node), both.end()) << node;
  // A small budget goes to both of them: the constant needs one node.
  const std::vector<Index> few = choose_nodes(small + parse_kernel("constant(amplitude=1e6)"), candidates,
                                              {.tolerance = 1e-5, .most = 10});
  EXPECT_EQ(few.size(), 10u);
  EXPECT_TRUE(std::includes(both.begin(), both.begin() + 10, few.begin(), few.end()));
}

TEST(NodesOfANetwork, PinItWhereTheProcessIsKnownFromFewer) {
  const Matrix candidates = node_candidates(Box::cube(4, 1), inputs(50, 1), 0);
  const RankLimit limit{.tolerance = 1e-6};
  const auto gap_and_number = [&](const char* text) {
    const Kernel kernel = with_network_pinned(parse_kernel(text), candidates, Box::cube(4, 1));
    const Matrix nodes = sorted_rows(data_nodes(kernel, candidates, limit).points);
    return std::pair((nodes.bottomRows(nodes.rows() - 1) - nodes.topRows(nodes.rows() - 1)).maxCoeff(),
                     nodes.rows());
  };
  for (const char* kernel :
       {"linear()", "cosine(period=3)", "outer(sin(x))", "periodic(period=3)", "white() + linear()"}) {
    const auto [gap, number] = gap_and_number(kernel);
    EXPECT_LT(gap, 2) << kernel;
    EXPECT_GE(number, 7) << kernel;
    EXPECT_LE(number, 60) << kernel;
  }
}

TEST(NodesOfANetwork, AreThoseOfAProcessThatNeedsAsMany) {
  const Matrix candidates = inputs(200, 3);
  const RankLimit limit{.tolerance = 1e-5};
  for (const char* text :
       {"se(lengthscale=2)", "se(lengthscale=[2, 30, 4])", "constant(amplitude=1e6) + se(lengthscale=2)"}) {
    const Kernel kernel = parse_kernel(text);
    const auto own = static_cast<double>(choose_nodes(kernel, candidates, limit).size());
    const Kernel pinned = with_network_pinned(kernel, candidates, Box::cube(3, 3));
    EXPECT_NEAR(static_cast<double>(choose_nodes(pinned, candidates, limit).size()), own, 0.02 * own) << text;
  }
}

TEST(NodeCandidates, AreRowsOfTheDataAndPointsThatFillASmallNumberOfInputs) {
  const Matrix one = inputs(50, 1), two = inputs(50, 2);
  EXPECT_EQ(node_candidates(Box::cube(4, 1), one, 0).rows(), 50 + 200);
  EXPECT_EQ(node_candidates(Box::cube(4, 2), two, 0).rows(), 50 + 900);
  const Matrix candidates = node_candidates(Box::cube(4, 1), one, 0);
  EXPECT_EQ(candidates.topRows(50), sorted_rows(one));
  EXPECT_EQ(candidates.maxCoeff(), 4);
  EXPECT_EQ(candidates.minCoeff(), -4);
}

TEST(NodeCandidates, AreRowsOfTheDataAndOthersThatMightComeInManyInputs) {
  // Without gaps, which have candidates of their own (gap_inputs_test.cpp).
  const Matrix few = sobol_points_of(Box::cube(2, 3), 50, 1),
               many = sobol_points_of(Box::cube(2, 3), 1100, 2);
  const Matrix candidates = node_candidates(Box::cube(4, 3), few, 2);
  EXPECT_EQ(candidates.rows(), 1024);
  EXPECT_EQ(candidates.topRows(50), sorted_rows(few));
  EXPECT_EQ(candidates.bottomRows(974), likely_inputs(few, 974, 2));
  EXPECT_EQ(node_candidates(Box::cube(4, 3), many, 2), sorted_rows(many));
}

TEST(NodeCandidates, WithoutDataFillTheBox) {
  EXPECT_EQ(node_candidates(Box::cube(4, 1), {}, 0).rows(), 200);
  EXPECT_EQ(node_candidates(Box::cube(4, 2), {}, 0).rows(), 900);
  const Matrix candidates = node_candidates(Box::cube(4, 6), {}, 0);
  EXPECT_EQ(candidates.rows(), 1024);
  EXPECT_EQ(candidates.cols(), 6);
  EXPECT_LT(candidates.cwiseAbs().maxCoeff(), 4);
  EXPECT_GT(candidates.cwiseAbs().maxCoeff(), 3.9);
}

TEST(NodeCandidates, DoNotDependOnTheOrderOfRows) {
  for (const Index rows : {300, 12'000}) {
    const Matrix some = inputs(rows, 3);
    EXPECT_EQ(node_candidates(Box::cube(4, 3), some, 1),
              node_candidates(Box::cube(4, 3), some.colwise().reverse(), 1));
  }
}

TEST(NodeCandidates, AreTenThousandDifferentRowsOfALargerTable) {
  const Matrix rows = Vector::LinSpaced(25'000, 0, 1).replicate(1, 3);
  const Matrix candidates = node_candidates(Box::cube(4, 3), rows, 1);
  ASSERT_EQ(candidates.rows(), 10'000);
  for (Index i = 1; i < candidates.rows(); ++i) ASSERT_GT(candidates(i, 0), candidates(i - 1, 0));
  // The mean of 10,000 numbers spread evenly over [0, 1].
  EXPECT_NEAR(candidates.col(0).mean(), 0.5, 4.5 * std::sqrt(1.0 / 12 / 10'000));
  EXPECT_NE(candidates, node_candidates(Box::cube(4, 3), rows, 2));
  EXPECT_EQ(complaint_of([&] { node_candidates(Box::cube(4, 2), rows, 1); }),
            "inputs: must have 2 columns, one for each input, got 3");
}

}  // namespace
}  // namespace ridgelet
