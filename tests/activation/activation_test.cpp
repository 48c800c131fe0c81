#include "ridgelet/activation/activation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

/// An activation of the caller's own, without vector code.
struct Softplus {
  static constexpr std::string_view name = "softplus";
  static double phi(double z) { return std::log1p(std::exp(z)); }
  static double derivative(double z) { return 1 / (1 + std::exp(-z)); }
};

TEST(Activation, IsKnownByItsName) {
  EXPECT_EQ(activation_names(), (std::vector<std::string>{"tanh", "sigmoid", "gaussian", "relu"}));
  for (const std::string& name : activation_names()) EXPECT_EQ(Activation(name).name(), name);
  EXPECT_EQ(complaint_of([] { Activation("tanhh"); }),
            "activation: must be one of tanh, sigmoid, gaussian, relu, got 'tanhh'; did you mean 'tanh'?");
}

TEST(Activation, EvaluatesTheFunctionItIsNamedAfter) {
  for (const double z : {-3.7, -0.2, 0.0, 0.4, 2.9}) {
    EXPECT_DOUBLE_EQ(Activation("tanh").phi_scalar(z), std::tanh(z));
    EXPECT_DOUBLE_EQ(Activation("sigmoid").phi_scalar(z), 1 / (1 + std::exp(-z)));
    EXPECT_DOUBLE_EQ(Activation("gaussian").phi_scalar(z), std::exp(-z * z / 2));
    EXPECT_DOUBLE_EQ(Activation("relu").phi_scalar(z), z > 0 ? z : 0);
  }
}

// (phi(z + h) - phi(z - h)) / (2 h) is off by h^2 / 6 times the third derivative, which is at most 2 for all
// of them, and by rounding, 1e-16 / h. No point lies within h of ReLU's kink.
TEST(Activation, HasTheDerivativeThatCentralDifferencesGive) {
  const double h = 1e-5;
  std::vector<Activation> all = {Activation::of<Softplus>()};
  for (const std::string& name : activation_names()) all.emplace_back(name);
  for (const Activation& activation : all)
    for (double z = -8.013; z < 8; z += 0.1) {
      const double slope = (activation.phi_scalar(z + h) - activation.phi_scalar(z - h)) / (2 * h);
      EXPECT_NEAR(activation.derivative_scalar(z), slope, 1e-10) << activation.name() << " at " << z;
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
  const Activation softplus = Activation::of<Softplus>();
  EXPECT_EQ(softplus.name(), "softplus");
  const std::vector<double> z = {-2, -0.5, 0, 1, 7};
  std::vector<double> values(z.size()), slopes(z.size());
  softplus.phi(z, values);
  softplus.derivative(z, slopes);
  for (std::size_t i = 0; i < z.size(); ++i) {
    EXPECT_EQ(values[i], Softplus::phi(z[i]));
    EXPECT_EQ(slopes[i], Softplus::derivative(z[i]));
  }
}

}  // namespace
}  // namespace ridgelet
