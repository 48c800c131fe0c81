#include "ridgelet/cubature/grid.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "expectations.hpp"
#include "ridgelet/cubature/mollifier.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

TEST(Grid, StandsOnLeftEndpoints) {
  const Nodes nodes = grid(6, 4, 1, 6);
  EXPECT_EQ(nodes.points.col(0), Eigen::Vector4d(-6, -3, 0, 3));
  EXPECT_EQ(nodes.weights, Eigen::Vector4d(3, 3, 3, 3));
}

TEST(Grid, MovesTheFirstAxisSlowest) {
  const Nodes nodes = grid(parse_box("0:2,10:13", "domain"), parse_box("0:2,10:13", "domain"), 3);
  ASSERT_EQ(nodes.size(), 9);
  for (Index j = 0; j < 9; ++j) {
    EXPECT_DOUBLE_EQ(nodes.points(j, 0), static_cast<double>(j / 3) * 2 / 3);
    EXPECT_DOUBLE_EQ(nodes.points(j, 1), 10 + static_cast<double>(j % 3));
  }
}

TEST(Grid, MovesTheLastOfThreeAxesFastest) {
  const Nodes nodes = grid(1, 2, 3, 1);
  Matrix expected(8, 3);
  expected << -1, -1, -1, -1, -1, 0, -1, 0, -1, -1, 0, 0, 0, -1, -1, 0, -1, 0, 0, 0, -1, 0, 0, 0;
  EXPECT_EQ(nodes.points, expected);
}

TEST(Grid, IntegratesConstantsToTheVolumeOfTheBox) {
  for (const Index dimension : {1, 2, 3})
    EXPECT_NEAR(grid(2.5, 7, dimension, 2.5).weights.sum(), std::pow(5.0, static_cast<double>(dimension)),
                1e-12);
}

// For functions that vanish with their derivatives at the edge the rule is the trapezoid rule of a periodic
// function, whose error falls faster than any power of the spacing.
TEST(Grid, IntegratesASmoothBumpExactly) {
  for (const Index dimension : {1, 2, 3}) {
    const Nodes nodes = grid(7, 28, dimension, 6);
    const Vector f = (-nodes.points.rowwise().squaredNorm().array()).exp();
    EXPECT_NEAR(nodes.weights.dot(f), std::pow(std::numbers::pi, static_cast<double>(dimension) / 2), 1e-10);
  }
}

TEST(Grid, IntegratesTheMollifierToTheSameValueHoweverFine) {
  const double coarse = grid(6, 200, 1, 4).weights.sum();
  const double fine = grid(6, 2000, 1, 4).weights.sum();
  EXPECT_NEAR(coarse, fine, 1e-8);
  EXPECT_GT(fine, 8);
  EXPECT_LT(fine, 12);
}

TEST(Grid, WeighsEachNodeWithTheMollifier) {
  const Box domain = parse_box("-1:3,0:2", "domain"), box = parse_box("-2:4,-1:3", "domain");
  const Nodes nodes = grid(domain, box, 9);
  const Vector expected = 24.0 / 81 * mollifier(nodes.points, domain, box);
  EXPECT_LT(testing::relative_error(nodes.weights, expected), 1e-14);
  EXPECT_EQ(nodes.weights(0), 0) << "the first node is a corner of the box";
  EXPECT_GT(nodes.weights.maxCoeff(), 0);
}

TEST(Grid, OfHalfWidthAndSupportIsTheGridOfTheirCubes) {
  const Nodes short_form = grid(6, 5, 2, 4), long_form = grid(Box::cube(4, 2), Box::cube(6, 2), 5);
  EXPECT_EQ(short_form.points, long_form.points);
  EXPECT_EQ(short_form.weights, long_form.weights);
}

// 8 (D (d + 1) + 3 D^2) bytes with D = 200^6 = 6.4e13; the points alone would take 3 PB.
TEST(Grid, IsRefusedWithTheNumbersWhenItCannotBeHeld) {
  const std::string complaint = complaint_of([] { grid(5, 200, 6, 5); });
  const std::string numbers =
      "points_per_axis: a grid of 200 points on each of 6 axes (6.4e+13 nodes and their covariance matrix) "
      "would take "
      "9.830e+13 PB; ";
  EXPECT_EQ(complaint.substr(0, numbers.size()), numbers);
  EXPECT_NE(complaint.find(" of memory are available"), std::string::npos) << complaint;
}

// 1000^2 nodes take 24 MB, their covariance matrix and its factor 24 TB.
TEST(Grid, IsRefusedWhenItsCovarianceMatrixCannotBeHeld) {
  const std::string complaint = complaint_of([] { grid(5, 1000, 2, 5); });
  const std::string numbers =
      "points_per_axis: a grid of 1000 points on each of 2 axes (1e+06 nodes and their covariance matrix) "
      "would take "
      "24 TB; ";
  EXPECT_EQ(complaint.substr(0, numbers.size()), numbers);
}

TEST(Grid, RefusesSettingsThatMakeNone) {
  EXPECT_EQ(complaint_of([] { grid(5, 10, 1, 6); }), "support: must be at most the half_width 5, got 6");
  EXPECT_EQ(complaint_of([] { grid(0, 10, 1, 1); }), "half_width: must be positive and finite, got 0");
  EXPECT_EQ(complaint_of([] { grid(5, 10, 1, -1); }), "support: must be positive and finite, got -1");
  EXPECT_EQ(complaint_of([] { grid(std::nan(""), 10, 1, 1); }),
            "half_width: must be positive and finite, got nan");
  EXPECT_EQ(complaint_of([] { grid(5, 0, 1, 5); }), "points_per_axis: must be at least 1, got 0");
  EXPECT_EQ(complaint_of([] { grid(5, 10, 0, 5); }), "dimension: must be at least 1, got 0");
}

TEST(Grid, RefusesADomainThatIsNotInTheMiddleOfItsBox) {
  const Box box = Box::cube(5, 1);
  const std::string rule = "domain: must lie in the middle of the box -5:5, got ";
  EXPECT_EQ(complaint_of([&] { grid(parse_box("2:3", "domain"), box, 10); }), rule + "2:3");
  EXPECT_EQ(complaint_of([&] { grid(parse_box("-6:6", "domain"), box, 10); }), rule + "-6:6");
  EXPECT_EQ(complaint_of([&] { grid(parse_box("-1:1,-1:1", "domain"), box, 10); }), rule + "-1:1,-1:1");
}

}  // namespace
}  // namespace ridgelet
