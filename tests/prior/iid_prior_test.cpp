#include "ridgelet/prior/iid_prior.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::two_routes;

IidPriorOptions iid_options(const std::string& activation = "tanh", Index units = 7) {
  return {.activation = activation,
          .units = units,
          .dimension = 2,
          .hidden = {.sigma_w = 1.5, .sigma_b = 0.8},
          .sigma_out = 0.3};
}

Matrix inputs(Index rows) {
  return RandomStream{.seed = 77, .purpose = Purpose::evaluation_points}.normals(rows, 2);
}

Matrix values_at(ConditionalOutput& output, const Matrix& X) {
  Matrix values(X.rows(), 1 + output.rank());
  output.evaluate(X, values);
  return values;
}

TEST(IidPrior, HasOutputsOfMeanZeroWhoseFactorIsTheScaledFeatures) {
  for (const std::string& activation : activation_names()) {
    const IidPrior prior(iid_options(activation));
    const auto output = prior.make_output();
    const Matrix X = inputs(5);
    for (std::uint32_t replicate = 0; replicate < 2; ++replicate) {
      const HiddenLayer layer = prior.hidden().draw(7, 2, 1, replicate);
      ASSERT_TRUE(output->condition(layer));
      Matrix expected = Matrix::Zero(5, 8);
      for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j < 7; ++j)
          expected(i, 1 + j) = 0.3 * prior.activation().phi_scalar(layer.W.row(j).dot(X.row(i)) + layer.b(j));
      EXPECT_LT(relative_error(values_at(*output, X), expected), two_routes) << activation;
    }
  }
}

TEST(IidPrior, SumsItsUnitsWithItsWeights) {
  const IidPrior prior(iid_options());
  const auto output = prior.make_output();
  const HiddenLayer layer = prior.hidden().draw(7, 2, 1);
  ASSERT_TRUE(output->condition(layer));
  const Matrix X = inputs(4);
  const Vector z = RandomStream{.seed = 2}.normals(7), w = output->weights_at(z);
  EXPECT_LT(relative_error(w, 0.3 * z), two_routes);
  Vector sums = Vector::Zero(4);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 7; ++j)
      sums(i) += w(j) * prior.activation().phi_scalar(layer.W.row(j).dot(X.row(i)) + layer.b(j));
  EXPECT_LT(relative_error(values_at(*output, X).rightCols(7) * z, sums), two_routes);
}

TEST(IidPrior, EvaluatesAnyNumberOfInputsWithOneWorkspace) {
  const IidPrior prior(iid_options());
  const auto output = prior.make_output();
  const HiddenLayer layer = prior.hidden().draw(7, 2, 1);
  ASSERT_TRUE(output->condition(layer));
  const Matrix all = values_at(*output, inputs(600));
  EXPECT_EQ(values_at(*output, inputs(1)), all.topRows(1));
  EXPECT_EQ(values_at(*output, inputs(600)), all);
}

// For ReLU the covariance over all parameters is the arc-cosine kernel (Cho and Saul 2009):
//   N sigma_out^2 sqrt(a c) (sin t + (pi - t) cos t) / (2 pi),  cos t = b / sqrt(a c),
// with a, b, c the covariances of the preactivations at the two inputs.
TEST(IidPrior, HasTheArcCosineCovarianceWithRelu) {
  const ThreadScope one_thread(1);
  const Index units = 40, draws = 4000;
  const IidPrior prior(iid_options("relu", units));
  const auto output = prior.make_output();
  const Matrix X = inputs(2);
  const Matrix preactivations = (1.5 * 1.5 * X * X.transpose()).array() + 0.8 * 0.8;
  Vector products(draws);
  for (Index i = 0; i < draws; ++i) {
    const HiddenLayer layer = prior.hidden().draw(units, 2, 1, static_cast<std::uint32_t>(i));
    ASSERT_TRUE(output->condition(layer));
    const Matrix values = values_at(*output, X);
    products(i) = values.row(0).tail(units).dot(values.row(1).tail(units));
  }
  const double scale = std::sqrt(preactivations(0, 0) * preactivations(1, 1));
  const double angle = std::acos(preactivations(0, 1) / scale);
  const double exact = static_cast<double>(units) * 0.3 * 0.3 * scale *
                       (std::sin(angle) + (M_PI - angle) * std::cos(angle)) / (2 * M_PI);
  const double n = static_cast<double>(draws);
  const double standard_error =
      std::sqrt((products.array() - products.mean()).square().sum() / (n * (n - 1)));
  EXPECT_LT(standard_error, 0.02 * exact);
  EXPECT_NEAR(products.mean(), exact, testing::tolerance::standard_errors * standard_error);
}

TEST(IidPrior, TellsWhatItIs) {
  const IidPrior prior(iid_options());
  EXPECT_EQ(prior.name(), "iid");
  EXPECT_EQ(prior.units(), 7);
  EXPECT_EQ(prior.dimension(), 2);
  EXPECT_EQ(prior.sigma_out(), 0.3);
  EXPECT_EQ(prior.hidden().sigma_w, 1.5);
  EXPECT_EQ(prior.make_output()->rank(), 7);
}

TEST(IidPrior, RefusesOptionsThatBreakTheirRule) {
  const auto complaint = [](auto&& spoil) {
    IidPriorOptions options = iid_options();
    return complaint_of([&] {
      spoil(options);
      IidPrior{options};
    });
  };
  EXPECT_EQ(complaint([](IidPriorOptions&) {}), "");
  EXPECT_EQ(complaint([](IidPriorOptions& o) { o.units = 0; }), "units: must be at least 1, got 0");
  EXPECT_EQ(complaint([](IidPriorOptions& o) { o.dimension = 0; }), "dimension: must be at least 1, got 0");
  EXPECT_EQ(complaint([](IidPriorOptions& o) { o.sigma_out = 0; }),
            "sigma_out: must be positive and finite, got 0");
  EXPECT_EQ(complaint([](IidPriorOptions& o) { o.hidden.sigma_b = -1; }),
            "sigma_b: must be positive and finite, got -1");
  EXPECT_EQ(complaint([](IidPriorOptions& o) { o.activation = "maxout"; }).substr(0, 12), "activation: ");
}

}  // namespace
}  // namespace ridgelet
