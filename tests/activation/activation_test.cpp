#include "ridgelet/activation/activation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expectations.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

/// An activation of the caller's own, without vector code.
struct Arctangent {
  static constexpr std::string_view name = "arctangent";
  static double phi(double z) { return std::atan(z); }
  static double derivative(double z) { return 1 / (1 + z * z); }
};

TEST(Activation, IsKnownByItsName) {
  EXPECT_EQ(activation_names(),
            (std::vector<std::string>{"tanh", "sigmoid", "gaussian", "relu", "erf", "gelu", "silu",
                                      "softplus", "sine", "cosine", "leaky-relu"}));
  for (const std::string& name : activation_names()) EXPECT_EQ(Activation(name).name(), name);
  EXPECT_EQ(complaint_of([] { Activation("tanhh"); }),
            "activation: must be one of " + join(activation_names()) + ", got 'tanhh'; did you mean 'tanh'?");
}

// (phi(z + h) - phi(z - h)) / (2 h) is off by h^2 / 6 times the third derivative, which is at most 2.3 for all
// of them, and by rounding, 1e-15 / h where phi is about 8. No point lies within h of a kink.
TEST(Activation, HasTheDerivativeThatCentralDifferencesGive) {
  const double h = 1e-5;
  std::vector<Activation> all = {Activation::of<Arctangent>()};
  for (const std::string& name : activation_names()) all.emplace_back(name);
  for (const Activation& activation : all)
    for (double z = -8.013; z < 8; z += 0.1) {
      const double slope = (activation.phi_scalar(z + h) - activation.phi_scalar(z - h)) / (2 * h);
      EXPECT_NEAR(activation.derivative_scalar(z), slope, 3e-10) << activation.name() << " at " << z;
    }
}

// Where phi is flat to the last digit, its slope is not: 1 - tanh(z)^2 would be 0 from 19.1 on.
TEST(Activation, KeepsTheDigitsOfASmallDerivative) {
  for (const double z : {20.0, 30.0, 300.0}) {
    EXPECT_NEAR(Activation("tanh").derivative_scalar(z) / (4 * std::exp(-2 * z)), 1, 1e-14) << z;
    EXPECT_NEAR(Activation("tanh").derivative_scalar(-z) / (4 * std::exp(-2 * z)), 1, 1e-14) << z;
    EXPECT_NEAR(Activation("sigmoid").derivative_scalar(-2 * z) / std::exp(-2 * z), 1, 1e-14) << z;
  }
}

TEST(Activation, WithoutVectorCodeIsEvaluatedByItsScalarFunctions) {
  const Activation arctangent = Activation::of<Arctangent>();
  EXPECT_EQ(arctangent.name(), "arctangent");
  const std::vector<double> z = {-2, -0.5, 0, 1, 7};
  std::vector<double> values(z.size()), slopes(z.size());
  arctangent.phi(z, values);
  arctangent.derivative(z, slopes);
  for (std::size_t i = 0; i < z.size(); ++i) {
    EXPECT_EQ(values[i], Arctangent::phi(z[i]));
    EXPECT_EQ(slopes[i], Arctangent::derivative(z[i]));
  }
}

}  // namespace
}  // namespace ridgelet
