#include "ridgelet/cubature/sobol_nodes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/cubature/mollifier.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

const Box off_centre{.lower = Eigen::Vector2d(1, -3), .upper = Eigen::Vector2d(2, 5)};

TEST(SobolNodes, LieInTheBoxWithOneInEveryStripOfEachInput) {
  const Index D = 64;
  const Matrix points = sobol_points_of(off_centre, D, 4);
  for (Index i = 0; i < 2; ++i) {
    std::vector<int> count(D);
    for (Index j = 0; j < D; ++j) {
      const double place = (points(j, i) - off_centre.lower(i)) / (off_centre.upper(i) - off_centre.lower(i));
      ++count.at(static_cast<std::size_t>(std::floor(place * D)));
    }
    EXPECT_EQ(count, std::vector<int>(D, 1)) << "input " << i;
  }
}

TEST(SobolNodes, IntegrateOverTheBoxAndTheMollifiedDomain) {
  const Nodes plain = sobol_nodes(off_centre, off_centre, 1024, 1);
  EXPECT_EQ(plain.weights, Vector::Constant(1024, 8.0 / 1024));
  // Integral of x1^2 x2 over [1, 2] x [-3, 5]: 7/3 times 8.
  const double integral =
      (plain.weights.array() * plain.points.col(0).array().square() * plain.points.col(1).array()).sum();
  EXPECT_NEAR(integral, 56.0 / 3, 1e-3 * 56 / 3);

  const Box domain = Box::cube(5, 2), box = Box::cube(6, 2);
  const Nodes mollified = sobol_nodes(domain, box, 256, 1);
  EXPECT_EQ(mollified.weights, Vector(144.0 / 256 * mollifier(mollified.points, domain, box)));
}

TEST(SobolNodes, DependOnTheSeedAndKeepTheirPointsWhenThereAreMore) {
  EXPECT_EQ(sobol_points_of(off_centre, 20, 4), sobol_points_of(off_centre, 50, 4).topRows(20));
  EXPECT_NE(sobol_points_of(off_centre, 20, 4), sobol_points_of(off_centre, 20, 5));
}

TEST(SobolNodes, RefuseBoxesAndNumbersThatAreNone) {
  EXPECT_EQ(complaint_of([] { sobol_nodes(off_centre, off_centre, 0, 1); }),
            "points: must be at least 1, got 0");
  EXPECT_EQ(complaint_of([] { sobol_nodes(Box::cube(5, 2), off_centre, 8, 1); }),
            "domain: must lie in the middle of the box 1:2,-3:5, got -5:5,-5:5");
  EXPECT_EQ(
      complaint_of([] { sobol_nodes(Box::cube(1e200, 2), Box::cube(1e200, 2), 8, 1); }),
      "domain: must be so small that doubles hold its volume and squares, got -1e+200:1e+200,-1e+200:1e+200");
  EXPECT_EQ(complaint_of([] { sobol_points_of(off_centre, 10'000'000, 1); }).substr(0, 60),
            "points: 10000000 nodes and their covariance matrix would tak");
}

}  // namespace
}  // namespace ridgelet
