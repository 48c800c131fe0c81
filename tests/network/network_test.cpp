#include "ridgelet/network/network.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::relative_error;

RidgeletPrior prior_of_network(const std::string& op, Index units, Index dimension = 1) {
  return RidgeletPrior({.target = {.kernel = parse_kernel("matern52(amplitude=0.8, lengthscale=1.4)"),
                                   .mean = MeanFunction("0.3*x1 + 0.5")},
                        .nodes = grid(5, dimension == 1 ? 16 : 4, dimension, 5),
                        .units = units,
                        .hidden = {.sigma_w = 2, .sigma_b = 6},
                        .op = {.name = op, .ridge = 1e-3}});
}

// f(x) = sum_i w_i phi(W_i . x + b_i).
TEST(Network, IsTheSumOverItsUnits) {
  const ThreadScope threads(1);
  for (const std::string& activation : activation_names())
    for (const Index units : {1, 40, 700}) {
      const Network network{.hidden = HiddenDistribution{.sigma_w = 1, .sigma_b = 2}.draw(units, 3, 4),
                            .activation = activation,
                            .output_weights = RandomStream{.seed = 8}.normals(units)};
      const Matrix X = RandomStream{.seed = 9}.normals(25, 3);
      Vector expected = Vector::Zero(25);
      for (Index j = 0; j < 25; ++j)
        for (Index i = 0; i < units; ++i)
          expected(j) += network.output_weights(i) *
                         network.activation.phi_scalar(network.hidden.first().W.row(i).dot(X.row(j)) +
                                                       network.hidden.first().b(i));
      EXPECT_LT(testing::relative_error(network(X), expected), 1e-12) << activation << ", " << units;
    }
}

// f(X) = scale' ( mu(x) + sum_i w_i phi(W_i . x + b_i) ) + centre' with x = (X - centre) / scale, by hand.
TEST(Network, SpeaksTheUnitsOfItsScalingAndAddsItsMean) {
  Network network{.hidden = HiddenDistribution{.sigma_w = 1, .sigma_b = 2}.draw(20, 2, 4),
                  .activation = "tanh",
                  .output_weights = RandomStream{.seed = 8}.normals(20, 3)};
  const Matrix X = RandomStream{.seed = 9}.normals(7, 2);
  const Matrix plain = network(X);
  const Vector centre{{100, -3}}, scale{{20, 0.5}}, out_centre{{1, 2, 3}}, out_scale{{10, 0.1, 7}};
  network.mean = MeanFunction("x1 - 2*x2");
  network.inputs = {.centre = centre, .scale = scale};
  network.outputs = {.centre = out_centre, .scale = out_scale};
  const Matrix in_units = (X * scale.asDiagonal()).rowwise() + centre.transpose();
  const Vector mu = X.col(0) - 2 * X.col(1);
  for (Index k = 0; k < 3; ++k)
    EXPECT_LT(relative_error(network(in_units).col(k),
                             (out_scale(k) * (plain.col(k) + mu)).array() + out_centre(k)),
              1e-12);
}

TEST(Network, RefusesPartsThatDoNotFit) {
  const auto complaint = [](auto&& spoil) {
    Network network = draw_network(RidgeletPrior({.target = {.kernel = parse_kernel("se()")},
                                                  .nodes = grid(3, 6, 1, 3),
                                                  .units = 4,
                                                  .layers = 2,
                                                  .skip = true}),
                                   1);
    spoil(network);
    return testing::complaint_of([&] { network(Matrix::Zero(1, 1)); });
  };
  EXPECT_EQ(complaint([](Network&) {}), "");
  EXPECT_EQ(complaint([](Network& n) { n.bridges.clear(); }),
            "bridges: must be one fewer than the 2 hidden layers, got 0");
  EXPECT_EQ(complaint([](Network& n) { n.skip = false; }), "output_weights: must have 4 rows, got 8");
  EXPECT_EQ(complaint([](Network& n) { n.bridges[0] = Matrix::Zero(3, 7); }),
            "bridges: must have 4 rows, got 3");
  EXPECT_EQ(complaint([](Network& n) { n.inputs = Scaling::none(2); }),
            "inputs: centre: must have 1 row, got 2");
  EXPECT_EQ(complaint([](Network& n) { n.outputs = Scaling::none(3); }),
            "outputs: centre: must have 1 row, got 3");
  EXPECT_EQ(complaint([](Network& n) { n.mean = MeanFunction("x2"); }).substr(0, 6), "mean: ");
}

TEST(Network, GivesTheSameBitsForAnyNumberOfThreads) {
  const RidgeletPrior prior = prior_of_network("ridgelet", 700, 2);
  const Matrix X = RandomStream{.seed = 9}.normals(300, 2);
  const auto outputs = [&](int threads) {
    const ThreadScope scope(threads);
    return draw_network(prior, 3)(X);
  };
  const Vector one = outputs(1);
  EXPECT_EQ(one, outputs(2));
  EXPECT_EQ(one, outputs(4));
}

TEST(Network, RefusesPointsOfOtherInputs) {
  const Network network = draw_network(prior_of_network("ridgelet", 5), 1);
  EXPECT_EQ(testing::complaint_of([&] { network(Matrix::Zero(2, 3)); }),
            "X: must have 1 column, one for each input, got 3");
  EXPECT_EQ(testing::complaint_of([&] { network(Matrix::Constant(2, 1, std::nan(""))); }),
            "X: must be finite, got nan in row 1, column 1");
}

TEST(Network, IsTheSameWhetherItsLayersAreCopiedOrTaken) {
  const RidgeletPrior prior(
      {.target = {.kernel = parse_kernel("se()")}, .nodes = grid(6, 20, 1, 5), .units = 30, .layers = 2});
  const Vector z = RandomStream{.seed = 4}.normals(prior.rank());
  GivenHidden given(prior, 1, 0);
  const Matrix X = Vector::LinSpaced(7, -5, 5);
  const Matrix copied = network_at(prior, given, z)(X);
  EXPECT_EQ(network_at(std::move(given), z)(X), copied);
}

TEST(DrawnNetwork, IsTheSameForTheSameSeedAndReplicate) {
  const RidgeletPrior prior = prior_of_network("least-squares", 30);
  const Network one = draw_network(prior, 5, 2), again = draw_network(prior, 5, 2);
  EXPECT_EQ(one.hidden.first().W, again.hidden.first().W);
  EXPECT_EQ(one.hidden.first().b, again.hidden.first().b);
  EXPECT_EQ(one.output_weights, again.output_weights);
  EXPECT_NE(one.output_weights, draw_network(prior, 5, 3).output_weights);
  EXPECT_NE(one.output_weights, draw_network(prior, 6, 2).output_weights);
}

TEST(DrawnNetwork, SharesItsFirstUnitsWithLargerOnesOfTheSameSeed) {
  const Network small = draw_network(prior_of_network("ridgelet", 30), 5),
                large = draw_network(prior_of_network("ridgelet", 300), 5);
  EXPECT_EQ(small.hidden.first().W, large.hidden.first().W.topRows(30));
  EXPECT_EQ(small.hidden.first().b, large.hidden.first().b.head(30));
  // B has the factor 1 / N, and nothing else of it depends on the other units.
  EXPECT_LT(testing::relative_error(small.output_weights, 10 * large.output_weights.topRows(30)), 1e-12);
}

TEST(DrawnNetwork, HasWeightsOnTheSupportOfThePrior) {
  const RidgeletPrior prior = prior_of_network("least-squares", 60);
  const Network network = draw_network(prior, 4);
  EXPECT_TRUE(std::isfinite(prior.given(network.hidden).log_density(network.output_weights.col(0))));
}

// Over S draws the sample mean has the variance C_ii / S, and an entry of the sample covariance (known mean)
// (C_ii C_jj + C_ij^2) / S.
TEST(NetworksOfOneHiddenLayer, HaveTheMomentsOfThePriorGivenIt) {
  const ThreadScope threads(1);
  for (const std::string op : {"ridgelet", "least-squares"}) {
    const RidgeletPrior prior = prior_of_network(op, 20);
    const GivenHidden given = prior.given(prior.draw_hidden(7));
    const Matrix X = Vector::LinSpaced(5, -4, 4);
    const Vector mean = given.mean(X);
    const Matrix C = given.covariance(X, X);
    const int draws = 100'000;
    Vector sum = Vector::Zero(5);
    Matrix products = Matrix::Zero(5, 5);
    Network network{.hidden = given.path().layers(), .activation = prior.activation(), .output_weights = {}};
    for (int s = 0; s < draws; ++s) {
      const RandomStream stream{
          .seed = 1, .purpose = Purpose::output_weights, .iteration = static_cast<std::uint32_t>(s)};
      network.output_weights = given.weights_at(stream.normals(prior.rank()));
      const Vector r = network(X) - mean;
      sum += r;
      products += r * r.transpose();
    }
    const double S = draws;
    for (Index i = 0; i < 5; ++i) {
      EXPECT_NEAR(sum(i) / S, 0, testing::tolerance::standard_errors * std::sqrt(C(i, i) / S)) << op;
      for (Index j = 0; j < 5; ++j)
        EXPECT_NEAR(
            products(i, j) / S, C(i, j),
            testing::tolerance::standard_errors * std::sqrt((C(i, i) * C(j, j) + C(i, j) * C(i, j)) / S))
            << op << ", entry " << i << ", " << j;
    }
  }
}

TEST(DeepNetwork, HasTheOutputsOfItsCoordinates) {
  for (const bool skip : {false, true}) {
    const RidgeletPrior prior(
        {.target = {.kernel = parse_kernel("se(lengthscale=1.5)"), .mean = MeanFunction("x")},
         .nodes = grid(6, 30, 1, 5),
         .units = 300,
         .layers = 3,
         .skip = skip});
    const Network network = draw_network(prior, 3, 2);
    const Matrix X = Vector::LinSpaced(9, -5, 5);
    const RandomStream stream{.seed = 3, .purpose = Purpose::output_weights, .replicate = 2};
    const Vector expected = prior.given(prior.draw_hidden(3, 2)).output(X).at(stream.normals(prior.rank()));
    EXPECT_EQ(network.hidden.depth(), 3u);
    EXPECT_EQ(network.output_weights.size(), skip ? 900 : 300);
    EXPECT_LT(relative_error(network(X), expected), 1e-8);
  }
}

}  // namespace
}  // namespace ridgelet
