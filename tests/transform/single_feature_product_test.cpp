#include "ridgelet/transform/single_feature_product.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "numbers.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/transform/feature_product.hpp"

namespace ridgelet {
namespace {

using testing::numbers;
using testing::relative_error;

/// Sums over a few hundred units whose terms are rounded to 6e-8 of themselves.
constexpr double rounding_of_sums = 3e-6;

struct SingleExample {
  Index sites, units;
  Matrix X = numbers(sites, 2, 1);
  HiddenLayer layer{.W = numbers(units, 2, 2), .b = numbers(units, 1, 3)};
  Matrix w = numbers(units, 3, 4), before = numbers(sites, 3, 5);

  Matrix in_double(const std::string& activation = "tanh") const {
    Matrix values = before;
    FeatureProduct().accumulate(activation, Preactivations(layer, X), w, values);
    return values;
  }
  Matrix in_single(const BlockSizes& blocks = {}, const std::string& activation = "tanh") const {
    Matrix values = before;
    SingleFeatureProduct(blocks).accumulate(activation, Preactivations(layer, X), w, values);
    return values;
  }
};

TEST(SingleFeatureProduct, IsTheSumInDoublePrecisionButForRounding) {
  for (const std::string& activation : activation_names())
    for (const auto& [sites, units] : {std::pair<Index, Index>{1, 1}, {255, 300}, {257, 513}, {600, 1100}}) {
      const SingleExample e{sites, units};
      EXPECT_LT(relative_error(e.in_single({}, activation), e.in_double(activation)), rounding_of_sums)
          << activation << ", " << sites << " sites, " << units << " units";
    }
}

TEST(SingleFeatureProduct, IsTheSameForBlocksOfAnySize) {
  const SingleExample e{13, 29};
  const Matrix expected = e.in_double();
  for (const Index sites : {1, 5, 12, 13, 100})
    for (const Index units : {1, 3, 14, 15, 100})
      EXPECT_LT(relative_error(e.in_single({.units = units, .sites = sites}), expected), rounding_of_sums)
          << "sites " << sites << ", units " << units;
}

TEST(SingleFeatureProduct, AddsBlocksOfUnitsInDoublePrecision) {
  // Single precision cannot tell 1e9 + 1 from 1e9.
  const HiddenLayer layer{.W = Matrix::Zero(4, 1), .b = Vector::Constant(4, 1)};
  const Vector w{{1e9, 0, 1, 0}};
  Matrix value = Matrix::Zero(1, 1);
  SingleFeatureProduct({.units = 1}).accumulate("relu", Preactivations(layer, Matrix::Zero(1, 1)), w, value);
  EXPECT_EQ(value(0, 0), 1e9 + 1);
}

TEST(SingleFeatureProduct, SeesTheOffsetAndTheLayersThatFollow) {
  const SingleExample e{30, 40};
  const HiddenLayer other{.W = numbers(7, 2, 8), .b = numbers(7, 1, 9)};
  const Vector offset = numbers(30, 1, 10);
  const Preactivations followed(other, e.X), both(e.layer, e.X, offset.data(), &followed);
  const Matrix w = numbers(47, 2, 11);
  Matrix in_double = Matrix::Zero(30, 2), in_single = in_double;
  FeatureProduct().accumulate("tanh", both, w, in_double);
  SingleFeatureProduct({.units = 8}).accumulate("tanh", both, w, in_single);
  EXPECT_LT(relative_error(in_single, in_double), rounding_of_sums);
}

TEST(SingleFeatureProduct, IsTheSumOfItsPartsOverUnits) {
  const SingleExample e{300, 50};
  Matrix values = e.before;
  SingleFeatureProduct product;
  for (const auto& [first, count] : {std::pair<Index, Index>{0, 20}, {20, 1}, {21, 29}})
    product.accumulate("tanh", Preactivations(e.layer, e.X), e.w.middleRows(first, count), values, first);
  EXPECT_LT(relative_error(values, e.in_double()), rounding_of_sums);
}

TEST(SingleFeatureProduct, GivesTheSameBitsForAnyNumberOfThreads) {
  const SingleExample e{40, 100};
  const auto on = [&](int threads) {
    const ThreadScope scope(threads);
    return e.in_single({.units = 6, .sites = 10});
  };
  EXPECT_EQ(on(1), on(2));
  EXPECT_EQ(on(1), on(4));
}

}  // namespace
}  // namespace ridgelet
