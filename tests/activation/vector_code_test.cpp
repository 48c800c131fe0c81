#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "expectations.hpp"
#include "ridgelet/activation/activation_pair.hpp"

namespace ridgelet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> spread_evenly(double reach, std::size_t count) {
  std::vector<double> z(count);
  for (std::size_t i = 0; i < count; ++i)
    z[i] = reach * (2 * static_cast<double>(i) / static_cast<double>(count - 1) - 1);
  return z;
}

std::vector<double> phi(const Activation& activation, const std::vector<double>& z) {
  std::vector<double> values(z.size());
  activation.phi(z, values);
  return values;
}

std::vector<double> derivative(const Activation& activation, const std::vector<double>& z) {
  std::vector<double> values(z.size());
  activation.derivative(z, values);
  return values;
}

std::vector<double> psi(const ActivationPair& pair, const std::vector<double>& z) {
  std::vector<double> values(z.size());
  pair.psi(z, values);
  return values;
}

std::vector<Activation> all_activations() {
  const std::vector<std::string> names = activation_names();
  return {names.begin(), names.end()};
}

std::vector<ActivationPair> all_pairs() {
  std::vector<ActivationPair> pairs;
  for (const std::string& name : ridgelet_activation_names())
    for (const int d : {1, 2, 5}) {
      pairs.emplace_back(name, d);
      pairs.emplace_back(name, d, pairs.back().order() + 4);
    }
  return pairs;
}

/// What vector and scalar form may differ by: 1e-14 of the value. GELU has the tail of a normal density, which two
/// formulas know to z^2 units of roundoff; derivatives of GELU and SiLU are sums of two terms, which cancel somewhere.
double allowed(const std::string& name, double z, double expected, bool derivative) {
  const double tail = name == "gelu" ? 3e-16 * z * z : 0;
  const double cancellation = derivative && (name == "gelu" || name == "silu") ? 1e-15 : 0;
  return (1e-14 + tail) * std::abs(expected) + cancellation + 1e-300;
}

TEST(VectorCode, OfTheActivationAgreesWithItsScalarForm) {
  for (const Activation& activation : all_activations())
    for (const double reach : {1e-9, 1e-3, 1.0, 10.0, 30.0, 1000.0}) {
      const std::vector<double> z = spread_evenly(reach, 4001), values = phi(activation, z);
      for (std::size_t i = 0; i < z.size(); ++i) {
        const double expected = activation.phi_scalar(z[i]);
        ASSERT_NEAR(values[i], expected, allowed(activation.name(), z[i], expected, false))
            << activation.name() << " at " << z[i];
      }
    }
}

// Below 1e-300 numbers lose digits on their way to 0.
TEST(VectorCode, OfTheDerivativeAgreesWithItsScalarForm) {
  for (const Activation& activation : all_activations())
    for (const double reach : {1e-9, 1e-3, 1.0, 10.0, 30.0, 1000.0}) {
      const std::vector<double> z = spread_evenly(reach, 4001), values = derivative(activation, z);
      for (std::size_t i = 0; i < z.size(); ++i) {
        const double expected = activation.derivative_scalar(z[i]);
        ASSERT_NEAR(values[i], expected, allowed(activation.name(), z[i], expected, true))
            << activation.name() << " at " << z[i];
      }
    }
}

// Near a zero of psi its terms cancel, so the error is measured by psi's peak; for its derivative likewise.
TEST(VectorCode, OfTheAssociatedFunctionAgreesWithItsScalarForm) {
  for (const ActivationPair& pair : all_pairs()) {
    double peak = 0, steepest = 0;
    for (const double z : spread_evenly(10, 2001)) {
      peak = std::max(peak, std::abs(pair.psi_scalar(z)));
      steepest = std::max(steepest, std::abs(pair.psi_derivative_scalar(z)));
    }
    for (const double reach : {1e-6, 1.0, 12.0, 200.0}) {
      const std::vector<double> z = spread_evenly(reach, 4001), values = psi(pair, z);
      std::vector<double> slopes(z.size());
      pair.psi_derivative(z, slopes);
      for (std::size_t i = 0; i < z.size(); ++i) {
        ASSERT_NEAR(values[i], pair.psi_scalar(z[i]), 1e-13 * peak)
            << pair.name() << " in " << pair.dimension() << ", order " << pair.order() << " at " << z[i];
        ASSERT_NEAR(slopes[i], pair.psi_derivative_scalar(z[i]), 1e-13 * steepest)
            << pair.name() << " in " << pair.dimension() << ", order " << pair.order() << " at " << z[i];
      }
    }
  }
}

/// Every array function of the stage, with its name.
struct ArrayFunction {
  std::string name;
  std::function<void(std::span<const double>, std::span<double>)> evaluate;

  std::vector<double> operator()(const std::vector<double>& z) const {
    std::vector<double> values(z.size());
    evaluate(z, values);
    return values;
  }
};

std::vector<ArrayFunction> all_functions() {
  std::vector<ArrayFunction> functions;
  for (const Activation& activation : all_activations()) {
    functions.push_back(
        {activation.name(), [activation](auto z, auto values) { activation.phi(z, values); }});
    functions.push_back(
        {activation.name() + "'", [activation](auto z, auto values) { activation.derivative(z, values); }});
  }
  for (const ActivationPair& pair : all_pairs()) {
    functions.push_back({"psi of " + pair.name(), [pair](auto z, auto values) { pair.psi(z, values); }});
    functions.push_back(
        {"psi' of " + pair.name(), [pair](auto z, auto values) { pair.psi_derivative(z, values); }});
  }
  return functions;
}

// Whole vectors and tails must go through the same instructions: an element's value may not depend on its place. Sine
// and cosine of 1e7 take another path.
TEST(VectorCode, GivesAnElementTheSameValueInArraysOfAnyLength) {
  std::vector<double> z = spread_evenly(7.3, 40);
  z[17] = 1e7;
  for (const ArrayFunction& function : all_functions()) {
    const std::vector<double> whole = function(z);
    for (std::size_t length = 1; length <= z.size(); ++length)
      for (const std::size_t start : {std::size_t{0}, z.size() - length}) {
        const auto first = z.begin() + static_cast<std::ptrdiff_t>(start);
        const std::vector<double> part = function({first, first + static_cast<std::ptrdiff_t>(length)});
        for (std::size_t i = 0; i < length; ++i)
          ASSERT_EQ(part[i], whole[start + i]) << function.name << ", length " << length;
      }
  }
}

TEST(VectorCode, LeavesWhatLiesBehindTheArrayAlone) {
  for (const ArrayFunction& function : all_functions())
    for (std::size_t length = 0; length <= 40; ++length) {
      const std::vector<double> z(length, 0.5);
      std::vector<double> values(length + 8, 99);
      function.evaluate(z, {values.data(), length});
      for (std::size_t i = length; i < values.size(); ++i)
        ASSERT_EQ(values[i], 99) << function.name << length;
    }
}

TEST(VectorCode, WorksInPlace) {
  for (const ArrayFunction& function : all_functions())
    for (std::size_t length = 2; length <= 40; ++length) {
      const std::vector<double> z = spread_evenly(4, length);
      std::vector<double> overwritten = z;
      function.evaluate(overwritten, overwritten);
      EXPECT_EQ(overwritten, function(z)) << function.name << ", length " << length;
    }
}

TEST(VectorCode, KeepsNaNInItsPlaceAndOthersClean) {
  for (const ArrayFunction& function : all_functions())
    for (std::size_t length = 1; length <= 20; ++length)
      for (std::size_t at = 0; at < length; ++at) {
        std::vector<double> z(length, 0.3);
        z[at] = nan;
        const std::vector<double> values = function(z);
        for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(std::isnan(values[i]), i == at) << function.name;
      }
}

TEST(VectorCode, KeepsNaNBesideElementsBeyondTheCutoff) {
  for (const ActivationPair& pair : all_pairs()) {
    const std::vector<double> values = psi(pair, {nan, 100, -100, 100, 100, 100, 100, 100});
    EXPECT_TRUE(std::isnan(values[0])) << pair.name();
    for (std::size_t i = 1; i < 8; ++i) EXPECT_EQ(values[i], 0) << pair.name();
  }
}

/// phi and phi' at +infinity and -infinity.
struct Limits {
  std::string name;
  double phi_right, phi_left, slope_right, slope_left;
};

// Sine and cosine have no limit: bounded at every number, and NaN at infinity as in the C library.
TEST(VectorCode, GivesTheLimitsAtInfinityAndAtTheLargestNumbers) {
  const double largest = std::numeric_limits<double>::max();
  for (const double far : {infinity, largest, 1e200}) {
    const std::vector<double> z = {far, -far, far};
    for (const Limits& limits :
         {Limits{"tanh", 1, -1, 0, 0}, Limits{"sigmoid", 1, 0, 0, 0}, Limits{"gaussian", 0, 0, 0, 0},
          Limits{"relu", far, 0, 1, 0}, Limits{"erf", 1, -1, 0, 0}, Limits{"gelu", far, 0, 1, 0},
          Limits{"silu", far, 0, 1, 0}, Limits{"softplus", far, 0, 1, 0},
          Limits{"leaky-relu", far, -0.01 * far, 1, 0.01}}) {
      const Activation activation(limits.name);
      EXPECT_EQ(phi(activation, z),
                (std::vector<double>{limits.phi_right, limits.phi_left, limits.phi_right}))
          << limits.name << " at " << far;
      EXPECT_EQ(derivative(activation, z),
                (std::vector<double>{limits.slope_right, limits.slope_left, limits.slope_right}))
          << limits.name << " at " << far;
      EXPECT_EQ(activation.phi_scalar(far), limits.phi_right) << limits.name;
      EXPECT_EQ(activation.phi_scalar(-far), limits.phi_left) << limits.name;
      EXPECT_EQ(activation.derivative_scalar(far), limits.slope_right) << limits.name;
      EXPECT_EQ(activation.derivative_scalar(-far), limits.slope_left) << limits.name;
    }
    for (const std::string name : {"sine", "cosine"})
      for (const double value : phi(name, z)) EXPECT_EQ(std::abs(value) <= 1, far != infinity) << name;
    for (const ActivationPair& pair : all_pairs())
      EXPECT_EQ(psi(pair, z), (std::vector<double>{0, 0, 0})) << pair.name() << " at " << far;
  }
}

}  // namespace
}  // namespace ridgelet
