#include "ridgelet/transform/unit_adjoint.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "numbers.hpp"

namespace ridgelet {
namespace {

using testing::numbers;
using testing::relative_error;
using testing::tolerance::two_routes;

/// A sum values = tanh(z) w over the units of a layer on three coordinates, with an offset at each site.
struct Sum {
  Index sites, units;
  Matrix coordinates = numbers(sites, 3, 1);
  Vector offset = numbers(sites, 1, 2);
  HiddenLayer layer{.W = numbers(units, 3, 3), .b = numbers(units, 1, 4)};
  Matrix weights = numbers(units, 5, 5);
  Matrix values_bar = numbers(sites, 5, 6);

  Matrix z() const {
    return ((coordinates * layer.W.transpose()).rowwise() + layer.b.transpose()).colwise() + offset;
  }
};

/// All derivatives of the sum. Each begins at one, since accumulate() adds to it.
struct Bars {
  Matrix weights, sites;
  HiddenLayer layer;

  explicit Bars(const Sum& sum)
      : weights(Matrix::Ones(sum.units, 5)),
        sites(Matrix::Ones(sum.sites, 4)),
        layer{.W = Matrix::Ones(sum.units, 3), .b = Vector::Ones(sum.units)} {}
};

Bars accumulated(const Sum& sum, const BlockSizes& blocks, bool sites = true) {
  Bars bars(sum);
  FeatureAdjoint adjoint(blocks);
  const Preactivations seen(sum.layer, sum.coordinates, sum.offset.data(), nullptr);
  adjoint.accumulate("tanh", seen, 0, sum.weights, sum.values_bar, bars.weights, bars.layer,
                     sites ? std::optional<MatrixSpan>(bars.sites) : std::nullopt);
  return bars;
}

Bars written_out(const Sum& sum) {
  Bars bars(sum);
  const Matrix phi = sum.z().array().tanh();
  const Matrix zbar = (1 - phi.array().square()) * (sum.values_bar * sum.weights.transpose()).array();
  bars.weights += phi.transpose() * sum.values_bar;
  bars.layer.W += zbar.transpose() * sum.coordinates;
  bars.layer.b += zbar.colwise().sum().transpose();
  bars.sites.col(0) += zbar.rowwise().sum();
  bars.sites.rightCols(3) += zbar * sum.layer.W;
  return bars;
}

void expect_same(const Bars& bars, const Bars& expected) {
  EXPECT_LT(relative_error(bars.weights, expected.weights), two_routes);
  EXPECT_LT(relative_error(bars.layer.W, expected.layer.W), two_routes);
  EXPECT_LT(relative_error(bars.layer.b, expected.layer.b), two_routes);
  EXPECT_LT(relative_error(bars.sites, expected.sites), two_routes);
}

TEST(FeatureAdjoint, IsTheDerivativeWrittenOut) {
  for (const Index sites : {1, 13, 300})
    for (const Index units : {1, 9, 150}) {
      const Sum sum{.sites = sites, .units = units};
      expect_same(accumulated(sum, {}), written_out(sum));
    }
}

TEST(FeatureAdjoint, IsTheSameInBlocksOfAnySize) {
  const Sum sum{.sites = 11, .units = 9};
  for (const Index size : {1, 2, 7})
    expect_same(accumulated(sum, {.units = size, .share = size, .lap = 2 * size, .sites = size}),
                written_out(sum));
}

TEST(FeatureAdjoint, LeavesSitesAloneThatNobodyAsksFor) {
  const Sum sum{.sites = 11, .units = 9};
  const Bars bars = accumulated(sum, {}, false);
  EXPECT_EQ(bars.sites, Matrix::Ones(11, 4));
  EXPECT_EQ(bars.layer.W, accumulated(sum, {}).layer.W);
}

TEST(FeatureAdjoint, OfSlabsOfUnitsAddsUpToThatOfAll) {
  const Sum sum{.sites = 11, .units = 9};
  Bars bars(sum);
  FeatureAdjoint adjoint;
  const Preactivations seen(sum.layer, sum.coordinates, sum.offset.data(), nullptr);
  for (const Index first : {0, 4, 8}) {
    const Index count = std::min<Index>(4, 9 - first);
    adjoint.accumulate("tanh", seen, first, sum.weights.middleRows(first, count), sum.values_bar,
                       bars.weights.middleRows(first, count), bars.layer, MatrixSpan(bars.sites));
  }
  expect_same(bars, written_out(sum));
}

}  // namespace
}  // namespace ridgelet
