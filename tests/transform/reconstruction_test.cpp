#include "ridgelet/transform/reconstruction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expectations.hpp"
#include "ridgelet/cubature/grid.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The definition, Z (1/N) sum_i phi(W_i x + b_i) psi(W_i x' + b_i), with its standard error.
struct Average {
  double mean;
  double standard_error;
};

Average monte_carlo(const ActivationPair& pair, const HiddenDistribution& hidden, const Vector& x,
                    const Vector& other) {
  const Index N = 200'000;
  const HiddenLayer layer = hidden.draw(N, x.size(), 1);
  Vector terms(N);
  for (Index i = 0; i < N; ++i)
    terms(i) = pair.phi_scalar(layer.W.row(i).dot(x) + layer.b(i)) *
               pair.psi_scalar(layer.W.row(i).dot(other) + layer.b(i));
  terms *= hidden.total_measure(x.size());
  const double mean = terms.mean(), n = static_cast<double>(N);
  return {mean, std::sqrt((terms.array() - mean).square().sum() / (n * (n - 1)))};
}

TEST(ReconstructionKernel, IsWhatManyRandomUnitsAverageTo) {
  for (const std::string& name : ridgelet_activation_names())
    for (const int d : {1, 2}) {
      const ActivationPair pair(name, d);
      const HiddenDistribution hidden{.sigma_w = 1.5, .sigma_b = 3};
      const Vector x = Vector::LinSpaced(d, 0.4, -1.1);
      for (const double shift : {0.0, 0.3, -1.7}) {
        const Vector other = x.array() + shift;
        const Average expected = monte_carlo(pair, hidden, x, other);
        const double r = ReconstructionKernel(pair, hidden)(x.transpose(), other.transpose())(0, 0);
        EXPECT_NEAR(r, expected.mean, testing::tolerance::standard_errors * expected.standard_error)
            << name << " in " << d << " inputs, shifted by " << shift;
      }
    }
}

TEST(ReconstructionKernel, DependsOnDifferencesAloneHoweverFarFromZeroWhereBiasesReachEverywhere) {
  const Matrix x{{0.4, -1.1}, {0, 0}}, nodes{{0.41, -1.05}, {-0.25, 0.75}};
  for (const std::string& name : ridgelet_activation_names()) {
    const ActivationPair pair(name, 2);
    const ReconstructionKernel limit(pair, {.sigma_w = 2, .sigma_b = infinity}),
        wide(pair, {.sigma_w = 2, .sigma_b = 1e12});
    const Matrix near = limit(x, nodes);
    const double far = 1e6, unit = near.cwiseAbs().maxCoeff();
    const Matrix x_far = x.array() + far, nodes_far = nodes.array() + far;
    EXPECT_LT((limit(x_far, nodes_far) - near).cwiseAbs().maxCoeff() / unit, 1e-8) << name;
    EXPECT_LT((wide(x_far, nodes_far) - near).cwiseAbs().maxCoeff() / unit, 1e-5) << name;
  }
}

// On a line through 0, x' = (1 + e) x, the two arguments differ by e w . x alone, so Var t = sigma_b^2 e^2 |x|^2 / s^2:
// next to nothing beside |x|^2, whose squares it is not a difference of.
TEST(ReconstructionKernel, HasTheVarianceOfTwoInputsOnALineThroughZero) {
  const double x = 1e8, e = 1e-10, b = 0.5;
  for (const std::string& name : ridgelet_activation_names()) {
    const ActivationPair pair(name, 3);
    const ReconstructionKernel kernel(pair, {.sigma_w = 1, .sigma_b = b});
    const Eigen::RowVectorXd on_axis{{x, 0, 0}}, oblique = Eigen::RowVectorXd{{0.48, 0.6, 0.64}} * x;
    const double expected = kernel(on_axis, (1 + e) * on_axis)(0, 0);
    EXPECT_NEAR(kernel(oblique, (1 + e) * oblique)(0, 0) / expected, 1, 1e-9) << name;
  }
}

TEST(ReconstructionKernel, TendsToItsLimitAsTheBiasesSpread) {
  for (const std::string& name : ridgelet_activation_names()) {
    const ActivationPair pair(name, 1);
    const Matrix x = Vector::LinSpaced(3, -1, 2), nodes = Vector::LinSpaced(4, -2, 2);
    const Matrix limit = ReconstructionKernel(pair, {.sigma_w = 2, .sigma_b = infinity})(x, nodes);
    const auto off = [&](double sigma_b) {
      const Matrix r = ReconstructionKernel(pair, {.sigma_w = 2, .sigma_b = sigma_b})(x, nodes);
      return (r - limit).cwiseAbs().maxCoeff() / limit.cwiseAbs().maxCoeff();
    };
    EXPECT_LT(off(1e4), 1e-3) << name;
    EXPECT_LT(off(1e5), off(1e4) / 5) << name;
  }
}

// The paper's (R* R) f = f: with unlimited bandwidths a smooth function comes back.
TEST(ReconstructionKernel, GivesASmoothFunctionBackWhenBothBandwidthsAreLarge) {
  for (const std::string& name : ridgelet_activation_names()) {
    const ActivationPair pair(name, 1);
    const Nodes nodes = grid(8, 800, 1, 8);
    const Vector f = (-nodes.points.col(0).array().square() / 2).exp();
    const Matrix x = Vector::LinSpaced(5, -2, 2);
    const Matrix r = ReconstructionKernel(pair, {.sigma_w = 12, .sigma_b = infinity})(x, nodes.points);
    const Vector back = r * nodes.weights.cwiseProduct(f);
    for (Index i = 0; i < x.rows(); ++i) EXPECT_NEAR(back(i), std::exp(-x(i) * x(i) / 2), 0.02) << name;
  }
}

TEST(ReconstructionKernel, RefusesWhatItDoesNotCover) {
  const ActivationPair pair("tanh", 1);
  EXPECT_EQ(complaint_of([&] { ReconstructionKernel(pair, {.density = Density::logistic}); }),
            "density: must be gaussian: the limit of many units is known for it only");
  EXPECT_EQ(complaint_of([&] { ReconstructionKernel(pair, {.sigma_w = infinity}); }),
            "sigma_w: must be positive and finite, got inf");
  EXPECT_EQ(complaint_of([&] { ReconstructionKernel(pair, {})(Matrix::Zero(2, 2), Matrix::Zero(2, 1)); }),
            "X: must have 1 column, one for each input, got 2");
}

// A bandwidth for each input amounts to a change of that input's unit.
TEST(ReconstructionKernel, TakesTheBandwidthOfEachInput) {
  const ActivationPair pair("tanh", 2);
  const Matrix X{{0.3, -0.2}, {0.1, 0.4}}, nodes{{0.2, 0.1}, {-0.5, 0.3}, {0.4, 0.4}};
  const Bandwidth each = {1.5, 0.7};
  for (const double sigma_b : {4.0, infinity}) {
    const Matrix one =
        ReconstructionKernel(pair, {.sigma_w = 1, .sigma_b = sigma_b})(each.scale(X), each.scale(nodes));
    const Matrix two = ReconstructionKernel(pair, {.sigma_w = each, .sigma_b = sigma_b})(X, nodes);
    EXPECT_LT(testing::relative_error(two, 1.5 * 0.7 * one), testing::tolerance::two_routes);
  }
}

}  // namespace
}  // namespace ridgelet
