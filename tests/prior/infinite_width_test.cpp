#include "ridgelet/prior/infinite_width.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/activation/activation.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/prior/iid_prior.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::standard_errors;

const Matrix five_inputs = Vector::LinSpaced(5, -3, 2.5);

TEST(ExpectedProduct, OfASmoothActivationAgreesWithItsClosedForm) {
  for (const std::string activation : {"erf", "sine", "cosine"}) {
    const InfiniteWidthCovariance closed{.activation = activation, .sigma_w = 1.3, .sigma_b = 0.7};
    const Matrix K = closed(five_inputs, five_inputs);
    const auto phi = [of = Activation(activation)](double z) { return of.phi_scalar(z); };
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 5; ++j) {
        const auto q = [&](Index a, Index b) { return 1.69 * five_inputs(a, 0) * five_inputs(b, 0) + 0.49; };
        EXPECT_NEAR(expected_product(phi, q(i, i), q(j, j), q(i, j)), K(i, j), 1e-8)
            << activation << " at " << i << ", " << j;
      }
  }
}

// The kink of ReLU slows the trapezoidal rule down to the square of its step.
TEST(ExpectedProduct, OfReluAndOfTheIdentityAgreeWithTheirClosedForms) {
  const auto relu = [](double z) { return std::max(z, 0.0); };
  const double angle = std::acos(0.6 / std::sqrt(1.5 * 0.8));
  const double closed =
      std::sqrt(1.5 * 0.8) / (2 * M_PI) * (std::sin(angle) + (M_PI - angle) * std::cos(angle));
  EXPECT_NEAR(expected_product(relu, 1.5, 0.8, 0.6), closed, 5e-3);
  EXPECT_NEAR(expected_product([](double z) { return z; }, 1.5, 0.8, 0.6), 0.6, 1e-12);
}

TEST(ExpectedProduct, OfAFunctionWithItselfIsItsSecondMoment) {
  const auto bump = [](double z) { return std::exp(-z * z / 2); };
  EXPECT_NEAR(expected_product(bump, 2, 2, 2), 1 / std::sqrt(5.0), 1e-12);
}

TEST(InfiniteWidthCovariance, IsTheLimitOfWideNetworksWithIndependentWeights) {
  const Index units = 200'000;
  for (const std::string& activation : activation_names()) {
    const IidPrior wide({.activation = activation,
                         .units = units,
                         .hidden = {.sigma_w = 1.1, .sigma_b = 0.9},
                         .sigma_out = 0.8 / std::sqrt(static_cast<double>(units))});
    const auto output = wide.make_output();
    ASSERT_TRUE(output->condition(wide.hidden().draw(units, 1, 1)));
    Matrix values(5, 1 + units);
    output->evaluate(five_inputs, values);
    const Matrix G = values.rightCols(units);
    const Matrix found = G * G.transpose();
    const Matrix expected = InfiniteWidthCovariance{
        .activation = activation, .sigma_w = 1.1, .sigma_b = 0.9, .sigma_out = 0.8}(five_inputs, five_inputs);
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 5; ++j) {
        const Eigen::ArrayXd products = G.row(i).array() * G.row(j).array() * static_cast<double>(units);
        const double sd = std::sqrt((products - products.mean()).square().mean());
        EXPECT_NEAR(found(i, j), expected(i, j),
                    standard_errors * sd / std::sqrt(static_cast<double>(units)) + 1e-12)
            << activation;
      }
  }
}

TEST(InfiniteWidthCovariance, OfTheIdentityIsLinear) {
  const Matrix K = InfiniteWidthCovariance{
      .activation = "linear", .sigma_w = 2, .sigma_b = 3, .sigma_out = 0.5}(five_inputs, five_inputs);
  const Matrix expected = 0.25 * (4 * (five_inputs * five_inputs.transpose()).array() + 9).matrix();
  EXPECT_LT(relative_error(K, expected), 1e-14);
}

TEST(InfiniteWidthCovariance, RefusesWhatItDoesNotKnow) {
  EXPECT_NE(complaint_of([] {
              InfiniteWidthCovariance{.activation = "tahn"}(five_inputs, five_inputs);
            }).find("activation"),
            std::string::npos);
  EXPECT_EQ(complaint_of([] { InfiniteWidthCovariance{.sigma_b = 0}(five_inputs, five_inputs); }),
            "sigma_b: must be positive and finite, got 0");
}

}  // namespace
}  // namespace ridgelet
