#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "expectations.hpp"
#include "ridgelet/activation/activation_pair.hpp"

namespace ridgelet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> spread(double reach, std::size_t count) {
  std::vector<double> z(count);
  for (std::size_t i = 0; i < count; ++i)
    z[i] = reach * (2 * static_cast<double>(i) / static_cast<double>(count - 1) - 1);
  return z;
}

std::vector<double> phi(const ActivationPair& pair, const std::vector<double>& z) {
  std::vector<double> values(z.size());
  pair.phi(z, values);
  return values;
}

std::vector<double> psi(const ActivationPair& pair, const std::vector<double>& z) {
  std::vector<double> values(z.size());
  pair.psi(z, values);
  return values;
}

std::vector<double> derivative(const ActivationPair& pair, const std::vector<double>& z) {
  std::vector<double> values(z.size());
  pair.activation().derivative(z, values);
  return values;
}

std::vector<ActivationPair> all_pairs() {
  std::vector<ActivationPair> pairs;
  for (const std::string& name : activation_names())
    for (const int d : {1, 2, 5}) {
      pairs.emplace_back(name, d);
      pairs.emplace_back(name, d, pairs.back().order() + 4);
    }
  return pairs;
}

TEST(VectorCode, OfTheActivationAgreesWithItsScalarForm) {
  for (const std::string& name : activation_names()) {
    const ActivationPair pair(name, 1);
    for (const double reach : {1e-9, 1e-3, 1.0, 10.0, 30.0, 1000.0}) {
      const std::vector<double> z = spread(reach, 4001), values = phi(pair, z);
      for (std::size_t i = 0; i < z.size(); ++i) {
        const double expected = pair.phi_scalar(z[i]);
        ASSERT_NEAR(values[i], expected, 1e-14 * std::abs(expected) + 1e-300) << name << " at " << z[i];
      }
    }
  }
}

// Below 1e-300 numbers lose digits on their way to 0.
TEST(VectorCode, OfTheDerivativeAgreesWithItsScalarForm) {
  for (const std::string& name : activation_names()) {
    const ActivationPair pair(name, 1);
    for (const double reach : {1e-9, 1e-3, 1.0, 10.0, 30.0, 1000.0}) {
      const std::vector<double> z = spread(reach, 4001), values = derivative(pair, z);
      for (std::size_t i = 0; i < z.size(); ++i) {
        const double expected = pair.activation().derivative_scalar(z[i]);
        ASSERT_NEAR(values[i], expected, 1e-14 * std::abs(expected) + 1e-300) << name << " at " << z[i];
      }
    }
  }
}

// Near a zero of psi its terms cancel, so the error is measured by psi's peak.
TEST(VectorCode, OfTheAssociatedFunctionAgreesWithItsScalarForm) {
  for (const ActivationPair& pair : all_pairs()) {
    double peak = 0;
    for (const double z : spread(10, 2001)) peak = std::max(peak, std::abs(pair.psi_scalar(z)));
    for (const double reach : {1e-6, 1.0, 12.0, 200.0}) {
      const std::vector<double> z = spread(reach, 4001), values = psi(pair, z);
      for (std::size_t i = 0; i < z.size(); ++i)
        ASSERT_NEAR(values[i], pair.psi_scalar(z[i]), 1e-13 * peak)
            << pair.name() << " in " << pair.dimension() << ", order " << pair.order() << " at " << z[i];
    }
  }
}

// Whole vectors and tails must be the same instructions: an element's value may not depend on its place.
TEST(VectorCode, GivesAnElementTheSameValueInArraysOfAnyLength) {
  const std::vector<double> z = spread(7.3, 40);
  for (const ActivationPair& pair : all_pairs()) {
    const std::vector<double> phi_whole = phi(pair, z), psi_whole = psi(pair, z);
    const std::vector<double> derivative_whole = derivative(pair, z);
    for (std::size_t length = 1; length <= z.size(); ++length)
      for (const std::size_t start : {std::size_t{0}, z.size() - length}) {
        const std::vector<double> part(z.begin() + static_cast<std::ptrdiff_t>(start),
                                       z.begin() + static_cast<std::ptrdiff_t>(start + length));
        const std::vector<double> phi_part = phi(pair, part), psi_part = psi(pair, part);
        const std::vector<double> derivative_part = derivative(pair, part);
        for (std::size_t i = 0; i < length; ++i) {
          ASSERT_EQ(phi_part[i], phi_whole[start + i]) << pair.name() << ", length " << length;
          ASSERT_EQ(psi_part[i], psi_whole[start + i]) << pair.name() << ", length " << length;
          ASSERT_EQ(derivative_part[i], derivative_whole[start + i]) << pair.name() << ", length " << length;
        }
      }
  }
}

TEST(VectorCode, LeavesWhatLiesBehindTheArrayAlone) {
  const ActivationPair pair("tanh", 1);
  for (std::size_t length = 0; length <= 40; ++length) {
    const std::vector<double> z(length, 0.5);
    std::vector<double> values(length + 8, 99);
    pair.phi(z, {values.data(), length});
    for (std::size_t i = length; i < values.size(); ++i) ASSERT_EQ(values[i], 99) << length;
    pair.psi(z, {values.data(), length});
    for (std::size_t i = length; i < values.size(); ++i) ASSERT_EQ(values[i], 99) << length;
  }
}

TEST(VectorCode, WorksInPlace) {
  for (const ActivationPair& pair : all_pairs())
    for (std::size_t length = 2; length <= 40; ++length) {
      const std::vector<double> z = spread(4, length);
      std::vector<double> overwritten = z;
      pair.phi(overwritten, overwritten);
      EXPECT_EQ(overwritten, phi(pair, z)) << pair.name() << ", length " << length;
      overwritten = z;
      pair.psi(overwritten, overwritten);
      EXPECT_EQ(overwritten, psi(pair, z)) << pair.name() << ", length " << length;
      overwritten = z;
      pair.activation().derivative(overwritten, overwritten);
      EXPECT_EQ(overwritten, derivative(pair, z)) << pair.name() << ", length " << length;
    }
}

TEST(VectorCode, KeepsNaNInItsPlaceAndOthersClean) {
  for (const ActivationPair& pair : all_pairs())
    for (std::size_t length = 1; length <= 20; ++length)
      for (std::size_t at = 0; at < length; ++at) {
        std::vector<double> z(length, 0.3);
        z[at] = nan;
        const std::vector<double> phi_values = phi(pair, z), psi_values = psi(pair, z);
        const std::vector<double> slopes = derivative(pair, z);
        for (std::size_t i = 0; i < length; ++i) {
          ASSERT_EQ(std::isnan(phi_values[i]), i == at) << pair.name();
          ASSERT_EQ(std::isnan(psi_values[i]), i == at) << pair.name();
          ASSERT_EQ(std::isnan(slopes[i]), i == at) << pair.name();
        }
      }
}

TEST(VectorCode, KeepsNaNBesideElementsBeyondTheCutoff) {
  for (const ActivationPair& pair : all_pairs()) {
    const std::vector<double> values = psi(pair, {nan, 100, -100, 100, 100, 100, 100, 100});
    EXPECT_TRUE(std::isnan(values[0])) << pair.name();
    for (std::size_t i = 1; i < 8; ++i) EXPECT_EQ(values[i], 0) << pair.name();
  }
}

TEST(VectorCode, GivesTheLimitsAtInfinityAndAtTheLargestNumbers) {
  const double largest = std::numeric_limits<double>::max();
  for (const double far : {infinity, largest, 1e200}) {
    const std::vector<double> z = {far, -far, far};
    const double linear = far;
    EXPECT_EQ(phi(ActivationPair("tanh", 1), z), (std::vector<double>{1, -1, 1})) << far;
    EXPECT_EQ(phi(ActivationPair("sigmoid", 1), z), (std::vector<double>{1, 0, 1})) << far;
    EXPECT_EQ(phi(ActivationPair("gaussian", 1), z), (std::vector<double>{0, 0, 0})) << far;
    EXPECT_EQ(phi(ActivationPair("relu", 1), z), (std::vector<double>{linear, 0, linear})) << far;
    for (const std::string& name : activation_names()) {
      const double slope = name == "relu" ? 1 : 0;
      EXPECT_EQ(derivative(ActivationPair(name, 1), z), (std::vector<double>{slope, 0, slope})) << far;
      EXPECT_EQ(Activation(name).derivative_scalar(far), slope) << name << " at " << far;
      EXPECT_EQ(Activation(name).derivative_scalar(-far), 0) << name << " at " << -far;
    }
    for (const ActivationPair& pair : all_pairs())
      EXPECT_EQ(psi(pair, z), (std::vector<double>{0, 0, 0})) << pair.name() << " at " << far;
  }
}

}  // namespace
}  // namespace ridgelet
