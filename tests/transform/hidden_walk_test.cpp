#include "ridgelet/transform/hidden_walk.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "numbers.hpp"

namespace ridgelet {
namespace {

using testing::numbers;
using testing::relative_error;
using testing::tolerance::two_routes;

Matrix evaluated(const Preactivations& seen) {
  Matrix values(seen.sites(), seen.units());
  seen.evaluate(0, values, [](std::span<double>) {});
  return values;
}

Matrix tanh_of(const Matrix& values) {
  return values.array().tanh();
}

/// Three layers of 7, 300 and 5 units on 2 inputs; 300 is more than a block.
struct ThreeLayers {
  Activation activation = "tanh";
  Matrix X = numbers(4, 2, 1);
  HiddenLayer first{.W = numbers(7, 2, 2), .b = numbers(7, 1, 3)};
  HiddenLayer second{.W = numbers(300, 3, 4), .b = numbers(300, 1, 5)};
  HiddenLayer third{.W = numbers(5, 2, 6), .b = numbers(5, 1, 7)};
  Matrix first_bridge = numbers(7, 4, 8);

  /// The N x N weights that a bridge and the next layer stand for.
  static Matrix dense(const Matrix& bridge, const HiddenLayer& next) {
    Matrix coordinates(next.units(), bridge.cols());
    coordinates << Vector::Ones(next.units()), next.W;
    return coordinates * bridge.transpose();
  }
};

TEST(HiddenWalk, StartsWithWhatTheFirstLayerSees) {
  const ThreeLayers e;
  HiddenWalk walk(3);
  walk.start(e.first, e.X);
  const Matrix expected = (e.X * e.first.W.transpose()).rowwise() + e.first.b.transpose();
  EXPECT_LT(relative_error(evaluated(walk.here()), expected), two_routes);
}

TEST(HiddenWalk, SeesWhatTheWholeMatrixOfWeightsBetweenTwoLayersGives) {
  const ThreeLayers e;
  const Matrix second_bridge = numbers(300, 3, 9);
  HiddenWalk walk(3);
  walk.start(e.first, e.X);
  const Matrix features = tanh_of(evaluated(walk.here()));
  walk.next(e.activation, e.first_bridge, e.second, false);
  const Matrix seen = (features * ThreeLayers::dense(e.first_bridge, e.second).transpose()).rowwise() +
                      e.second.b.transpose();
  EXPECT_LT(relative_error(evaluated(walk.here()), seen), two_routes);
  walk.next(e.activation, second_bridge, e.third, false);
  const Matrix last = (tanh_of(seen) * ThreeLayers::dense(second_bridge, e.third).transpose()).rowwise() +
                      e.third.b.transpose();
  EXPECT_LT(relative_error(evaluated(walk.here()), last), two_routes);
}

TEST(HiddenWalk, AppendsTheUnitsOfEarlierLayersWhereConnectionsSkip) {
  const ThreeLayers e;
  HiddenWalk plain(3), skipping(3);
  plain.start(e.first, e.X);
  const Matrix first = evaluated(plain.here());
  plain.next(e.activation, e.first_bridge, e.second, false);
  skipping.start(e.first, e.X);
  skipping.next(e.activation, e.first_bridge, e.second, true);
  ASSERT_EQ(skipping.here().units(), 307);
  Matrix expected(4, 307);
  expected << evaluated(plain.here()), first;
  EXPECT_EQ(evaluated(skipping.here()), expected);

  const Matrix bridge = numbers(307, 3, 9);
  skipping.next(e.activation, bridge, e.third, true);
  ASSERT_EQ(skipping.here().units(), 312);
  const Matrix third =
      (tanh_of(expected) * ThreeLayers::dense(bridge, e.third).transpose()).rowwise() + e.third.b.transpose();
  EXPECT_LT(relative_error(evaluated(skipping.here()).leftCols(5), third), two_routes);
  EXPECT_EQ(evaluated(skipping.here()).rightCols(307), expected);
}

TEST(HiddenWalk, ForgetsAnEarlierWalk) {
  const ThreeLayers e;
  HiddenWalk again(3), fresh(3);
  const Matrix other = numbers(9, 2, 11);
  again.start(e.first, other);
  again.next(e.activation, e.first_bridge, e.second, true);
  again.start(e.first, e.X);
  again.next(e.activation, e.first_bridge, e.second, false);
  fresh.start(e.first, e.X);
  fresh.next(e.activation, e.first_bridge, e.second, false);
  EXPECT_EQ(evaluated(again.here()), evaluated(fresh.here()));
}

}  // namespace
}  // namespace ridgelet
