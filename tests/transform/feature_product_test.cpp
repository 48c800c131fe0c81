#include "ridgelet/transform/feature_product.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "numbers.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet {
namespace {

using testing::numbers;
using testing::relative_error;
using testing::tolerance::two_routes;

/// before + Phi(X) w, written out.
struct Example {
  Index sites, units;
  Matrix X = numbers(sites, 2, 1);
  HiddenLayer layer{.W = numbers(units, 2, 2), .b = numbers(units, 1, 3)};
  Matrix w = numbers(units, 3, 4), before = numbers(sites, 3, 5);

  Matrix written_out() const {
    const Matrix seen = (X * layer.W.transpose()).rowwise() + layer.b.transpose();
    return before + seen.array().tanh().matrix() * w;
  }
  Matrix in_blocks(const BlockSizes& blocks) const {
    Matrix values = before;
    FeatureProduct(blocks).accumulate("tanh", Preactivations(layer, X), w, values);
    return values;
  }
};

TEST(FeatureProduct, IsTheSumOverUnitsAtTheSizesThatAreUsed) {
  for (const Index sites : {1, 255, 256, 257, 600})
    for (const Index units : {1, 300, 2048, 2049, 5000}) {
      const Example e{sites, units};
      EXPECT_LT(relative_error(e.in_blocks({}), e.written_out()), two_routes) << sites << ", " << units;
    }
}

// Few sites: shares of units, lap after lap. Many: pieces of sites, each over blocks of units.
TEST(FeatureProduct, IsTheSameForBlocksOfAnySize) {
  const Example e{13, 29};
  const Matrix expected = e.written_out();
  for (const Index sites : {1, 2, 5, 12, 13, 100})
    for (const Index units : {1, 2, 3, 28, 29, 100})
      for (const Index lap : {1, 2, 7, 29, 100}) {
        const BlockSizes blocks{.units = units, .share = units, .lap = lap, .sites = sites};
        EXPECT_LT(relative_error(e.in_blocks(blocks), expected), two_routes)
            << "sites " << sites << ", units " << units << ", lap " << lap;
      }
}

TEST(FeatureProduct, IsTheSumOfItsPartsOverUnits) {
  for (const Index sites : {7, 300}) {
    const Example e{sites, 50};
    Matrix values = e.before;
    FeatureProduct product;
    for (const auto& [first, count] : {std::pair<Index, Index>{0, 20}, {20, 1}, {21, 29}})
      product.accumulate("tanh", Preactivations(e.layer, e.X), e.w.middleRows(first, count), values, first);
    EXPECT_LT(relative_error(values, e.written_out()), two_routes) << sites;
  }
}

TEST(FeatureProduct, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const Index sites : {7, 40}) {
    const Example e{sites, 100};
    const auto on = [&](int threads) {
      const ThreadScope scope(threads);
      return e.in_blocks({.units = 6, .share = 3, .lap = 17, .sites = 10});
    };
    EXPECT_EQ(on(1), on(2));
    EXPECT_EQ(on(1), on(4));
  }
}

// A larger block leaves room behind that a smaller one after it must not see.
TEST(FeatureProduct, ForgetsAnEarlierProduct) {
  const Example large{40, 90}, small{5, 7};
  FeatureProduct product({.units = 6, .share = 3, .lap = 17, .sites = 10});
  Matrix values = large.before;
  product.accumulate("tanh", Preactivations(large.layer, large.X), large.w, values);
  values = small.before;
  product.accumulate("tanh", Preactivations(small.layer, small.X), small.w, values);
  EXPECT_LT(relative_error(values, small.written_out()), two_routes);
}

}  // namespace
}  // namespace ridgelet
