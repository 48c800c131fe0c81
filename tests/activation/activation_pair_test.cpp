#include "ridgelet/activation/activation_pair.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "expectations.hpp"
#include "golden.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

std::string complaint_about(const std::string& name, int dimension, std::optional<int> order = std::nullopt) {
  return complaint_of([&] { ActivationPair(name, dimension, order); });
}

TEST(ActivationPair, AgreesWithTheReferenceConstants) {
  for (const auto& entry : testing::golden().at("pairs")) {
    const ActivationPair pair(entry.at("activation").get<std::string>(), entry.at("dimension"),
                              entry.at("order").get<int>());
    const double expected = entry.at("constant");
    EXPECT_NEAR(pair.constant(), expected, testing::tolerance::golden_values * std::abs(expected)) << entry;
  }
}

TEST(ActivationPair, AgreesWithTheReferenceValuesOfPsi) {
  for (const auto& entry : testing::golden().at("pairs")) {
    const ActivationPair pair(entry.at("activation").get<std::string>(), entry.at("dimension"),
                              entry.at("order").get<int>());
    const Vector z = testing::as_vector(entry.at("z")), expected = testing::as_vector(entry.at("psi"));
    Vector scalar(z.size()), lanes(z.size());
    for (Index j = 0; j < z.size(); ++j) scalar(j) = pair.psi_scalar(z(j));
    pair.psi({z.data(), 5}, {lanes.data(), 5});
    EXPECT_LT(testing::entrywise_error(scalar, expected), testing::tolerance::golden_values) << entry;
    EXPECT_LT(testing::entrywise_error(lanes, expected), testing::tolerance::golden_values) << entry;
  }
}

TEST(ActivationPair, IsAdmissibleWithIntegralPlusOne) {
  for (const std::string& name : ridgelet_activation_names())
    for (int d = 1; d <= 6; ++d) {
      const int order = ActivationPair(name, d).order();
      for (const int n : {order, order + 2})
        EXPECT_NEAR(ActivationPair(name, d, n).admissibility(), 1, 1e-8) << name << " " << d << " " << n;
    }
}

// Parseval: integral phi(z) psi(z - t) dz = integral phi^(xi) conj(psi^(xi)) e^{i xi t} dxi. The left side
// uses phi's values, the right one its transform away from the origin, where psi^ vanishes.
TEST(ActivationPair, HasTheFourierTransformOfItsActivation) {
  for (const std::string& name : ridgelet_activation_names())
    for (const double t : {-0.8, 0.0, 0.5, 1.6}) {
      const ActivationPair pair(name, 1);
      // Simpson's rule, with relu's kink at the end of a panel.
      const double h = 0.005;
      double by_values = 0;
      for (int j = -3600; j <= 3600; ++j) {
        const double weight = std::abs(j) == 3600 ? 1 : (j % 2 == 0 ? 2 : 4);
        by_values += weight * h / 3 * pair.phi_scalar(h * j) * pair.psi_scalar(h * j - t);
      }
      const double step = 0.01;
      double by_transforms = 0;
      for (int j = -2000; j < 2000; ++j) {
        const double xi = step * (j + 0.5);
        by_transforms +=
            step * (pair.phi_hat(xi) * std::conj(pair.psi_hat(xi)) * std::polar(1.0, xi * t)).real();
      }
      EXPECT_NEAR(by_values, by_transforms, 1e-9) << name << ", shift " << t;
    }
}

TEST(ActivationPair, EvaluatesTheActivationItIsNamedAfter) {
  for (const double z : {-3.0, -0.4, 0.0, 0.7, 5.0}) {
    EXPECT_DOUBLE_EQ(ActivationPair("tanh", 1).phi_scalar(z), std::tanh(z));
    EXPECT_DOUBLE_EQ(ActivationPair("sigmoid", 1).phi_scalar(z), 1 / (1 + std::exp(-z)));
    EXPECT_DOUBLE_EQ(ActivationPair("gaussian", 1).phi_scalar(z), std::exp(-z * z / 2));
    EXPECT_DOUBLE_EQ(ActivationPair("relu", 1).phi_scalar(z), z > 0 ? z : 0);
  }
}

// With r = d mod 2: d - r + 2 for tanh and sigmoid, d + r for the Gaussian, d + r + 2 for relu.
TEST(ActivationPair, TakesThePapersOrderUnlessToldAnother) {
  for (int d = 1; d <= 8; ++d) {
    const int r = d % 2;
    EXPECT_EQ(ActivationPair("tanh", d).order(), d - r + 2);
    EXPECT_EQ(ActivationPair("sigmoid", d).order(), d - r + 2);
    EXPECT_EQ(ActivationPair("gaussian", d).order(), d + r);
    EXPECT_EQ(ActivationPair("relu", d).order(), d + r + 2);
  }
  EXPECT_EQ(ActivationPair("tanh", 1, 8).order(), 8);
}

TEST(ActivationPair, MeetsTheAssumptionsThatItsOrderAllows) {
  for (const std::string& name : ridgelet_activation_names())
    for (int d = 1; d <= 6; ++d) {
      const bool relu = name == "relu";
      const int least = relu ? d + 2 : d;
      for (int n = least + least % 2; n <= least + 6; n += 2) {
        const ActivationPair pair(name, d, n);
        const Assumptions met = pair.assumptions();
        const int integrable_from = relu ? d + 4 : d + 2;
        EXPECT_EQ(met.bounded, !relu) << name;
        EXPECT_TRUE(met.schwartz) << name;
        EXPECT_TRUE(met.admissible) << name << " " << d << " " << n;
        EXPECT_EQ(met.integrable, n >= integrable_from) << name << " " << d << " " << n;
        EXPECT_EQ(met.all(), !relu && n >= integrable_from) << name << " " << d << " " << n;
        EXPECT_EQ(pair.integrable_order(), integrable_from + integrable_from % 2) << name << " " << d;
      }
    }
}

TEST(ActivationPair, SaysWhichAssumptionsHold) {
  const ActivationPair plain("tanh", 1), better("tanh", 1, 4), relu("relu", 2);
  EXPECT_EQ(plain.assumptions().text(plain.integrable_order()),
            "1 bounded: yes, 2 Schwartz: yes, 3 admissible: yes, 4 integrable: no (needs order 4)");
  EXPECT_EQ(better.assumptions().text(better.integrable_order()),
            "1 bounded: yes, 2 Schwartz: yes, 3 admissible: yes, 4 integrable: yes");
  EXPECT_EQ(relu.assumptions().text(relu.integrable_order()),
            "1 bounded: no, 2 Schwartz: yes, 3 admissible: yes, 4 integrable: no (needs order 6)");
}

TEST(ActivationPair, RefusesOddOrders) {
  EXPECT_EQ(complaint_about("tanh", 1, 3), "order: must be even and at least 2 for tanh in 1 input, got 3");
  EXPECT_EQ(complaint_about("gaussian", 3, 5),
            "order: must be even and at least 4 for gaussian in 3 inputs, got 5");
}

TEST(ActivationPair, RefusesOrdersThatAreTooSmall) {
  EXPECT_EQ(complaint_about("sigmoid", 3, 2),
            "order: must be even and at least 4 for sigmoid in 3 inputs, got 2");
  EXPECT_EQ(complaint_about("relu", 2, 2), "order: must be even and at least 4 for relu in 2 inputs, got 2");
  EXPECT_EQ(complaint_about("tanh", 1, 0), "order: must be even and at least 2 for tanh in 1 input, got 0");
  EXPECT_EQ(complaint_about("tanh", 1, -2), "order: must be even and at least 2 for tanh in 1 input, got -2");
}

TEST(ActivationPair, RefusesOrdersThatAreTooLarge) {
  EXPECT_EQ(complaint_about("tanh", 1, 40), "");
  EXPECT_EQ(complaint_about("tanh", 1, 42), "order: must be at most 40, got 42");
}

TEST(ActivationPair, RefusesNamesThatItDoesNotKnow) {
  EXPECT_EQ(
      complaint_about("tahn", 1),
      "activation: must be one of tanh, sigmoid, gaussian, relu, erf, gelu, silu, softplus, sine, cosine, "
      "leaky-relu, got 'tahn'; did you mean 'tanh'?");
}

TEST(ActivationPair, RefusesActivationsWithoutPsiAndNamesThoseThatHaveOne) {
  EXPECT_EQ(ridgelet_activation_names(), (std::vector<std::string>{"tanh", "sigmoid", "gaussian", "relu"}));
  EXPECT_EQ(
      complaint_about("cosine", 1),
      "activation: 'cosine' has no associated function psi, which the ridgelet operator and an order of psi "
      "need: use one of tanh, sigmoid, gaussian, relu, or the least-squares operator, which takes any");
}

TEST(ActivationPair, RefusesToHaveNoInputs) {
  EXPECT_EQ(complaint_about("tanh", 0), "dimension: must be at least 1, got 0");
}

}  // namespace
}  // namespace ridgelet
