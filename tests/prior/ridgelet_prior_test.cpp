#include "ridgelet/prior/ridgelet_prior.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

PriorOptions plane_options() {
  return {.target = {.kernel = parse_kernel("matern32(amplitude=1.3, lengthscale=1.2)"),
                     .mean = MeanFunction("0.2*x - 1")},
          .nodes = grid(6, 20, 1, 5),
          .units = 12};
}

TEST(RidgeletPrior, KnowsTheProcessAtItsNodes) {
  const RidgeletPrior prior(plane_options());
  const Matrix q = plane_options().nodes.points;
  EXPECT_LT(testing::relative_error(prior.node_mean(), (0.2 * q.array() - 1).matrix()), 1e-15);
  const Matrix& L = prior.node_factor().L;
  EXPECT_LT(testing::relative_error(L * L.transpose(), plane_options().target.kernel.matrix(q, q)), 1e-11);
  EXPECT_EQ(prior.rank(), L.cols());
  EXPECT_EQ(prior.dimension(), 1);
}

TEST(RidgeletPrior, OfASmoothProcessNeedsFewerCoordinatesThanNodes) {
  PriorOptions options = plane_options();
  options.target.kernel = parse_kernel("se(amplitude=1, lengthscale=3)");
  options.nodes = grid(6, 200, 1, 5);
  const RidgeletPrior prior(options);
  EXPECT_LT(prior.rank(), 30);
  const Matrix q = options.nodes.points, K = options.target.kernel.matrix(q, q);
  EXPECT_LT((prior.node_factor().L * prior.node_factor().L.transpose() - K).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(RidgeletPrior, KeepsATermOfItsKernelThatIsSmallBesideAnother) {
  PriorOptions options = plane_options();
  const Index rank = RidgeletPrior(options).rank();
  options.target.kernel = options.target.kernel + parse_kernel("constant(amplitude=1e6)");
  EXPECT_EQ(RidgeletPrior(options).rank(), rank + 1);
}

// Coordinates mean the same functions only with the factor that they were drawn with, whatever machine computed it.
TEST(RidgeletPrior, TakesAStoredFactor) {
  const RidgeletPrior prior(plane_options());
  FactorAtPoints stored = prior.node_factor();
  std::swap(stored.pivots[18], stored.pivots[19]);
  EXPECT_NE(testing::complaint_of([&] { RidgeletPrior(plane_options(), stored); }), "");
  stored = prior.node_factor();
  stored.L.row(stored.pivots[0]) *= 1 + 1e-12;  // as another processor might round
  const RidgeletPrior again(plane_options(), stored);
  EXPECT_EQ(again.node_factor().L, stored.L);
  EXPECT_NE(again.node_factor().L, prior.node_factor().L);
}

TEST(RidgeletPrior, DrawsHiddenLayersOfItsUnitsAndInputs) {
  PriorOptions options = plane_options();
  options.hidden = {.sigma_w = 2, .sigma_b = 5, .density = Density::logistic};
  const RidgeletPrior prior(options);
  const HiddenLayer layer = prior.draw_hidden(4, 7).first(), expected = options.hidden.draw(12, 1, 4, 7);
  EXPECT_EQ(layer.W, expected.W);
  EXPECT_EQ(layer.b, expected.b);
}

TEST(RidgeletPrior, KnowsItsActivation) {
  PriorOptions options = plane_options();
  options.activation = "sigmoid";
  EXPECT_EQ(RidgeletPrior(options).activation().name(), "sigmoid");
}

TEST(RidgeletPrior, HandsTheOrderOfPsiToItsOperator) {
  PriorOptions options = plane_options();
  options.op = {.name = "ridgelet"};
  const auto operator_of_order = [&](std::optional<int> order) {
    options.op.order = order;
    const RidgeletPrior prior(options);
    return prior.given(prior.draw_hidden(1)).operator_matrix();
  };
  EXPECT_EQ(operator_of_order(2), operator_of_order({}));
  EXPECT_NE(operator_of_order(4), operator_of_order({}));
}

// In 50 inputs psi has an order that the library refuses, and some activations have no psi; least squares has no use
// for it.
TEST(RidgeletPrior, NeedsNoPsiForLeastSquares) {
  const Index d = 50;
  const Matrix X = RandomStream{.seed = 1}.normals(30, d);
  for (const std::string& activation : activation_names()) {
    PriorOptions options{.target = {.kernel = parse_kernel("se(lengthscale=10)")},
                         .nodes = {.points = X, .weights = Vector::Ones(30)},
                         .activation = activation,
                         .units = 200,
                         .hidden = {.sigma_w = 0.1, .sigma_b = 1}};
    const RidgeletPrior prior(options);
    const Vector error = prior.given(prior.draw_hidden(1)).rmse(X);
    EXPECT_LT(error.maxCoeff(), 0.01) << activation;
    options.op.name = "ridgelet";
    const std::string complaint = testing::complaint_of([&] { RidgeletPrior{options}; });
    EXPECT_TRUE(complaint.starts_with("order: must be at most 40") ||
                complaint.starts_with("activation: '" + activation + "' has no associated function psi"))
        << complaint;
  }
}

// sqrt( k(x,x) - k(x,q) K^{-1} k(q,x) ).
TEST(KrigingFloor, IsTheErrorOfTheBestLinearPredictorFromTheNodes) {
  const RidgeletPrior prior(plane_options());
  const Kernel& k = plane_options().target.kernel;
  const Matrix q = plane_options().nodes.points, X = Vector::LinSpaced(23, -6.5, 6.3);
  const Matrix K = k.matrix(q, q), cross = k.matrix(q, X);
  const Vector explained = cross.cwiseProduct(K.ldlt().solve(cross)).colwise().sum();
  const Vector expected = (k.diagonal(X) - explained).cwiseSqrt();
  EXPECT_LT(testing::relative_error(prior.kriging(X).floor, expected), testing::tolerance::two_routes);
}

// c = E[z f(x)], so L c = k(q, x).
TEST(Kriging, CoordinatesGiveBackTheCovarianceWithTheNodes) {
  const RidgeletPrior prior(plane_options());
  const Kernel& k = plane_options().target.kernel;
  const Matrix q = plane_options().nodes.points, X = Vector::LinSpaced(23, -6.5, 6.3);
  EXPECT_LT(testing::relative_error(prior.node_factor().L * prior.kriging(X).coordinates, k.matrix(q, X)),
            testing::tolerance::two_routes);
}

// The square of the floor is a difference of numbers of about 1.69, known to 1e-15 or so.
TEST(KrigingFloor, IsZeroAtTheNodes) {
  const RidgeletPrior prior(plane_options());
  EXPECT_LT(prior.kriging(plane_options().nodes.points).floor.maxCoeff(), 1e-6);
}

TEST(KrigingFloor, IsThePriorDeviationFarFromTheNodes) {
  const RidgeletPrior prior(plane_options());
  EXPECT_NEAR(prior.kriging(Matrix::Constant(1, 1, 500.0)).floor(0), 1.3, 1e-12);
}

TEST(RidgeletPrior, RefusesOptionsThatBreakTheirRule) {
  const auto complaint = [](auto&& change) {
    PriorOptions options = plane_options();
    return testing::complaint_of([&] {
      change(options);
      RidgeletPrior prior(options);
    });
  };
  EXPECT_EQ(complaint([](PriorOptions&) {}), "");
  EXPECT_EQ(complaint([](PriorOptions& o) { o.units = 0; }), "units: must be at least 1, got 0");
  EXPECT_EQ(complaint([](PriorOptions& o) { o.layers = 0; }), "layers: must be at least 1, got 0");
  EXPECT_EQ(complaint([](PriorOptions& o) { o.hidden.sigma_w = -3; }),
            "sigma_w: must be positive and finite, got -3");
  EXPECT_EQ(complaint([](PriorOptions& o) { o.op.name = "rigdelet"; }),
            "operator: must be one of ridgelet, least-squares, got 'rigdelet'; did you mean 'ridgelet'?");
  EXPECT_EQ(complaint([](PriorOptions& o) { o.op.ridge = 0; }), "ridge: must be positive and finite, got 0");
  EXPECT_EQ(complaint([](PriorOptions& o) { o.activation = "reul"; }),
            "activation: must be one of " + join(activation_names()) + ", got 'reul'; did you mean 'relu'?");
  EXPECT_EQ(complaint([](PriorOptions& o) { o.op.order = 3; }),
            "order: must be even and at least 2 for tanh in 1 input, got 3");
  EXPECT_EQ(complaint([](PriorOptions& o) { o.nodes.weights.setZero(); }),
            "nodes: weights: must not be negative, and not all zero, got a least of 0 and a largest of 0");
  EXPECT_EQ(complaint([](PriorOptions& o) { o.target.mean = MeanFunction("sqrt(x)"); }),
            "mean: must be finite at every point, and 'sqrt(x)' is not");
}

TEST(RidgeletPrior, RefusesMoreUnitsThanMemoryHolds) {
  PriorOptions options = plane_options();
  options.units = Index{1} << 50;
  const std::string complaint = testing::complaint_of([&] { RidgeletPrior prior(options); });
  const std::string numbers = "units: a network of 1125899906842624 units would take 27 PB; ";
  EXPECT_EQ(complaint.substr(0, numbers.size()), numbers);
}

TEST(RidgeletPrior, RefusesHiddenLayersOfOtherInputs) {
  const RidgeletPrior prior(plane_options());
  const auto complaint = [&](const HiddenLayer& layer) {
    return testing::complaint_of([&] { prior.given(layer); });
  };
  EXPECT_EQ(complaint({.W = Matrix::Ones(4, 2), .b = Vector::Ones(4)}),
            "W: must have 1 column, one for each input, got 2");
  EXPECT_EQ(complaint({.W = Matrix::Ones(4, 1), .b = Vector::Ones(5)}), "b: must have 4 rows, got 5");
  EXPECT_EQ(
      complaint({.W = Matrix::Constant(4, 1, std::numeric_limits<double>::infinity()), .b = Vector::Ones(4)}),
      "W: must be finite, got inf in row 1, column 1");
}

}  // namespace
}  // namespace ridgelet
