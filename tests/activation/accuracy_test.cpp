// Values and derivatives, one at a time and by vector code, against the same formulas in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/core/random.hpp"

namespace ridgelet {
namespace {

using Real = long double;
constexpr double roundoff = std::numeric_limits<double>::epsilon() / 2;
constexpr double infinite = std::numeric_limits<double>::infinity();

Real logistic(Real z) {
  return 1 / (1 + std::exp(-z));
}

Real normal_distribution(Real z) {
  return std::erfc(-z / std::numbers::sqrt2_v<Real>) / 2;
}

Real normal_density(Real z) {
  return std::exp(-z * z / 2) * std::numbers::inv_sqrtpi_v<Real> / std::numbers::sqrt2_v<Real>;
}

/// An activation in long double, and what the library's may be off by: 8 + `tail` z^2 units of roundoff, relative to
/// the value; or to 1 where a derivative is a sum of two terms that may cancel. A tail exp(-z^2/2) cannot do better,
/// for z^2 is rounded.
struct Reference {
  std::string name;
  std::function<Real(Real)> phi;
  std::function<Real(Real)> derivative;
  double tail = 0;
  bool cancels = false;
};

const std::vector<Reference>& references() {
  static const std::vector<Reference> all = {
      {"tanh", [](Real z) { return std::tanh(z); }, [](Real z) { return 1 / (std::cosh(z) * std::cosh(z)); }},
      {"sigmoid", logistic, [](Real z) { return logistic(z) * logistic(-z); }},
      {"gaussian", [](Real z) { return std::exp(-z * z / 2); },
       [](Real z) { return -z * std::exp(-z * z / 2); }, 1},
      {"relu", [](Real z) { return std::max<Real>(z, 0); }, [](Real z) { return z > 0 ? 1 : 0; }},
      {"erf", [](Real z) { return std::erf(z); },
       [](Real z) { return 2 * std::numbers::inv_sqrtpi_v<Real> * std::exp(-z * z); }, 2},
      {"gelu", [](Real z) { return z * normal_distribution(z); },
       [](Real z) { return normal_distribution(z) + z * normal_density(z); }, 2, true},
      {"silu", [](Real z) { return z * logistic(z); },
       [](Real z) { return logistic(z) + z * logistic(z) * logistic(-z); }, 0, true},
      {"softplus", [](Real z) { return z > 0 ? z + std::log1p(std::exp(-z)) : std::log1p(std::exp(z)); },
       logistic},
      {"sine", [](Real z) { return std::sin(z); }, [](Real z) { return std::cos(z); }},
      {"cosine", [](Real z) { return std::cos(z); }, [](Real z) { return -std::sin(z); }},
      {"leaky-relu", [](Real z) { return z > 0 ? z : z * Real{0.01}; },
       [](Real z) { return z > 0 ? Real{1} : Real{0.01}; }},
  };
  return all;
}

/// Both signs of 20,000 numbers, their logarithms spread evenly.
std::vector<double> spread(double from, double to) {
  std::vector<double> z;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    z.push_back(from * std::pow(to / from, RandomStream{.seed = 3}.uniform(i)));
    z.push_back(-z.back());
  }
  return z;
}

std::vector<double> values_of(const Activation& activation, const std::vector<double>& z, bool derivative) {
  std::vector<double> values(z.size());
  derivative ? activation.derivative(z, values) : activation.phi(z, values);
  return values;
}

/// The largest error in units of what is allowed. Results below 1e-290 lose digits on their way to 0.
double worst_error(const Reference& reference, const std::vector<double>& z,
                   const std::vector<double>& values, bool derivative) {
  double worst = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const Real exact = derivative ? reference.derivative(z[i]) : reference.phi(z[i]);
    const bool sum = derivative && reference.cancels && z[i] > -4;
    const Real scale = sum ? std::max(std::abs(exact), Real{1}) : std::abs(exact);
    const Real allowed = (8 + reference.tail * Real{z[i]} * Real{z[i]}) * roundoff * scale + Real{1e-290};
    worst = std::max(worst, static_cast<double>(std::abs(values[i] - exact) / allowed));
  }
  return worst;
}

TEST(ActivationAccuracy, IsTestedForEveryActivation) {
  std::vector<std::string> names;
  for (const Reference& reference : references()) names.push_back(reference.name);
  EXPECT_EQ(names, activation_names());
}

TEST(ActivationAccuracy, IsAFewUnitsInTheLastPlaceOverTheWholeRange) {
  for (const Reference& reference : references()) {
    const Activation activation(reference.name);
    for (const bool derivative : {false, true}) {
      const std::vector<double> z = spread(1e-12, 720);
      std::vector<double> scalar;
      for (const double each : z)
        scalar.push_back(derivative ? activation.derivative_scalar(each) : activation.phi_scalar(each));
      EXPECT_LT(worst_error(reference, z, scalar, derivative), 1)
          << reference.name << (derivative ? "'" : "");
      EXPECT_LT(worst_error(reference, z, values_of(activation, z, derivative), derivative), 1)
          << reference.name << (derivative ? "'" : "") << ", vector code";
    }
  }
}

// Relative to the value, or to 1 where it is smaller: features are added up.
TEST(ActivationAccuracy, InSinglePrecisionIsAFewUnitsInTheLastPlace) {
  constexpr double single_roundoff = std::numeric_limits<float>::epsilon() / 2;
  for (const Reference& reference : references()) {
    std::vector<float> z;
    for (const double each : spread(1e-6, 80)) z.push_back(static_cast<float>(each));
    std::vector<float> values = z;
    Activation(reference.name).phi(values);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const Real exact = reference.phi(z[i]);
      ASSERT_LT(std::abs(values[i] - exact), 4 * single_roundoff * std::max(std::abs(exact), Real{1}))
          << reference.name << " at " << z[i];
    }
  }
}

TEST(ActivationAccuracy, InSinglePrecisionHasTheLimitsOfTheActivation) {
  const auto at = [](const char* name, float z) {
    std::vector<float> values(5, z);
    Activation(name).phi(values);
    return values[4];
  };
  constexpr float far = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(at("tanh", far), 1);
  EXPECT_EQ(at("tanh", -far), -1);
  EXPECT_EQ(at("sigmoid", -far), 0);
  EXPECT_EQ(at("gaussian", far), 0);
  EXPECT_EQ(at("relu", -far), 0);
  for (const std::string& name : activation_names()) EXPECT_TRUE(std::isnan(at(name.c_str(), nan))) << name;
}

// Up to 1.6 million by vector code, beyond that by the C library.
TEST(ActivationAccuracy, OfSineAndCosineHoldsForLargeAngles) {
  for (const Reference& reference : references()) {
    if (reference.name != "sine" && reference.name != "cosine") continue;
    const Activation activation(reference.name);
    for (const auto& [from, to] : {std::pair{1.0, 1e3}, {1e3, 1e6}, {1e6, 1e9}, {1e9, 1e300}})
      for (const bool derivative : {false, true}) {
        const std::vector<double> z = spread(from, to);
        EXPECT_LT(worst_error(reference, z, values_of(activation, z, derivative), derivative), 1)
            << reference.name << " from " << from << " to " << to;
      }
  }
}

// The doubles nearest to quarter turns, where all digits of the angle cancel but those that make the answer.
TEST(ActivationAccuracy, OfSineAndCosineHoldsNextToTheirZeros) {
  std::vector<double> z;
  for (Real k = 1; k <= 1'000'000; k += 7) z.push_back(static_cast<double>(k * std::numbers::pi_v<Real> / 2));
  for (const Reference& reference : references())
    if (reference.name == "sine" || reference.name == "cosine") {
      EXPECT_LT(worst_error(reference, z, values_of(Activation(reference.name), z, false), false), 1)
          << reference.name;
    }
}

// erf changes from a series to its complement at 1; the normal distribution function is built on |z|.
TEST(ActivationAccuracy, HoldsWhereFormulasMeet) {
  for (const Reference& reference : references())
    for (const double at : {1.0, std::numbers::sqrt2, 6.0, 40.0, 0x1p20 * std::numbers::pi / 2}) {
      std::vector<double> z;
      for (double near = at * (1 - 1e-14); near < at * (1 + 1e-14); near = std::nextafter(near, infinite)) {
        z.push_back(near);
        z.push_back(-near);
      }
      const Activation activation(reference.name);
      EXPECT_LT(worst_error(reference, z, values_of(activation, z, false), false), 1) << reference.name;
      EXPECT_LT(worst_error(reference, z, values_of(activation, z, true), true), 1) << reference.name << "'";
    }
}

TEST(ActivationAccuracy, HoldsWhereThePlainFormulasOverflowOrVanish) {
  const auto phi = [](const char* name, double z) {
    const double value = values_of(Activation(name), {z}, false)[0];
    EXPECT_EQ(value, Activation(name).phi_scalar(z)) << name << " at " << z;
    return value;
  };
  EXPECT_EQ(phi("softplus", 1000), 1000);
  EXPECT_EQ(phi("softplus", 1e300), 1e300);
  EXPECT_EQ(phi("softplus", -1000), 0);
  EXPECT_EQ(phi("softplus", 0), std::numbers::ln2);
  EXPECT_EQ(phi("gelu", -40), 0);
  EXPECT_EQ(phi("gelu", 40), 40);
  EXPECT_EQ(phi("gelu", 1e300), 1e300);
  EXPECT_EQ(phi("silu", -800), 0);
  EXPECT_EQ(phi("silu", 800), 800);
  EXPECT_EQ(phi("erf", 1e300), 1);
  EXPECT_EQ(phi("erf", -1e300), -1);
  EXPECT_EQ(phi("leaky-relu", -1e300), -0.01 * 1e300);
}

}  // namespace
}  // namespace ridgelet
