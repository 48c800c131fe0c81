#include "ridgelet/cubature/mollifier.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "expectations.hpp"
#include "golden.hpp"

namespace ridgelet {
namespace {

Matrix linspaced(Index count, double low, double high) {
  return Vector::LinSpaced(count, low, high);
}

TEST(Mollifier, AgreesWithTheReferenceValues) {
  for (const auto& entry : testing::golden().at("mollifier")) {
    const Index d = entry.at("dimension").get<Index>();
    const Matrix X = testing::as_matrix(entry.at("x"));
    const Vector expected = testing::as_vector(entry.at("value"));
    const Vector value = mollifier(X, Box::cube(entry.at("support").get<double>(), d),
                                   Box::cube(entry.at("half_width").get<double>(), d));
    ASSERT_EQ(value.size(), expected.size());
    for (Index j = 0; j < value.size(); ++j)
      EXPECT_NEAR(value(j), expected(j), testing::tolerance::golden_values * std::abs(expected(j)))
          << "dimension " << d << ", point " << X.row(j);
  }
}

TEST(Mollifier, IsOneOnTheDomain) {
  const Vector value = mollifier(linspaced(101, -5, 5), Box::cube(5, 1), Box::cube(6, 1));
  EXPECT_EQ(value, Vector::Ones(101));
}

TEST(Mollifier, IsZeroOutsideTheBox) {
  const Box domain = Box::cube(5, 1), box = Box::cube(6, 1);
  EXPECT_EQ(mollifier(linspaced(50, 6, 20), domain, box), Vector::Zero(50));
  EXPECT_EQ(mollifier(linspaced(50, -20, -6), domain, box), Vector::Zero(50));
}

TEST(Mollifier, IsZeroInSeveralInputsIfOneOfThemIsOutside) {
  Matrix X(2, 3);
  X << 0, 0, 6.5, 0, -7, 0;
  EXPECT_EQ(mollifier(X, Box::cube(5, 3), Box::cube(6, 3)), Vector::Zero(2));
}

TEST(Mollifier, FallsFromOneToZeroBetweenDomainAndBox) {
  const Vector value = mollifier(linspaced(200, 5, 6), Box::cube(5, 1), Box::cube(6, 1));
  for (Index j = 1; j < value.size(); ++j) EXPECT_LE(value(j), value(j - 1));
  EXPECT_EQ(value(0), 1);
  EXPECT_EQ(value(199), 0);
}

// h(1/2) = 1/2 by symmetry, and t = 1/2 where x^2 is halfway between a^2 and S^2.
TEST(Mollifier, IsOneHalfWhereTheSquareIsHalfway) {
  const Matrix X = Matrix::Constant(1, 1, std::sqrt((25.0 + 36.0) / 2));
  EXPECT_NEAR(mollifier(X, Box::cube(5, 1), Box::cube(6, 1))(0), 0.5, 1e-14);
}

TEST(Mollifier, IsOneEverywhereIfTheDomainFillsTheBox) {
  EXPECT_EQ(mollifier(linspaced(51, -5, 5), Box::cube(5, 1), Box::cube(5, 1)), Vector::Ones(51));
}

TEST(Mollifier, CutsOnlyTheAxesOnWhichTheBoxIsWider) {
  Matrix X(2, 2);
  X << 5, 0, 0, 6;
  const Box domain = Box::cube(5, 2);
  const Box box{.lower = Eigen::Vector2d(-5, -6), .upper = Eigen::Vector2d(5, 6)};
  EXPECT_EQ(mollifier(X, domain, box), Eigen::Vector2d(1, 0));
}

TEST(Mollifier, IsTheProductOverInputs) {
  EXPECT_TRUE(rc::check("1(x, y) = 1(x) 1(y)", [] {
    const double x = *rc::gen::inRange(-7000, 7000) / 1000.0, y = *rc::gen::inRange(-7000, 7000) / 1000.0;
    Matrix both(1, 2);
    both << x, y;
    const auto alone = [](double t) {
      return mollifier(Matrix::Constant(1, 1, t), Box::cube(4, 1), Box::cube(6, 1))(0);
    };
    RC_ASSERT(std::abs(mollifier(both, Box::cube(4, 2), Box::cube(6, 2))(0) - alone(x) * alone(y)) < 1e-15);
  }));
}

TEST(Mollifier, MovesAndScalesWithTheBoxes) {
  const Matrix X = linspaced(41, -6, 6);
  const Vector centred = mollifier(X, Box::cube(5, 1), Box::cube(6, 1));
  const Matrix moved = (0.5 * X).array() + 100;
  const Vector same = mollifier(moved, parse_box("97.5:102.5", "domain"), parse_box("97:103", "domain"));
  EXPECT_LT((centred - same).cwiseAbs().maxCoeff(), 1e-11);
}

}  // namespace
}  // namespace ridgelet
