#include "ridgelet/network/predictive_network.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <array>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/network/rank_cut.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::entrywise_error;
using testing::relative_error;

constexpr Index units = 30, rank = 4, outputs = 2;

/// Two networks of one hidden layer on two inputs, with two outputs, the second a logarithm.
PredictiveNetwork example_network() {
  PredictiveNetwork network{.components = {},
                            .activation = "tanh",
                            .mean = MeanFunction("0.5*x1 - x2"),
                            .inputs = {.centre = Vector{{100, -3}}, .scale = Vector{{20, 0.5}}},
                            .outputs = {.centre = Vector{{5, 1}}, .scale = Vector{{2, 0.25}}},
                            .noise = Vector{{0.3, 0.2}},
                            .transforms = {ResponseTransform::none, ResponseTransform::log}};
  for (const std::uint64_t seed : {1, 2})
    network.components.push_back(
        {.hidden = HiddenDistribution{.sigma_w = 1, .sigma_b = 2}.draw(units, 2, seed),
         .heads = 0.1 * RandomStream{.seed = seed}.normals(units, outputs * (1 + rank))});
  return network;
}

Matrix rows(Index count = 20) {
  Matrix X = RandomStream{.seed = 7}.normals(count, 2);
  X.col(0) = 20 * X.col(0).array() + 100;
  X.col(1) = 0.5 * X.col(1).array() - 3;
  return X;
}

// The formulas of the header at one row, written out.
TEST(PredictiveNetwork, IsTheFormulaOfItsHeader) {
  const PredictiveNetwork network = example_network();
  const Matrix X = rows();
  const PredictiveMoments got = network(X);
  for (Index row = 0; row < X.rows(); ++row) {
    const double a = (X(row, 0) - 100) / 20, b = (X(row, 1) + 3) / 0.5;
    for (Index k = 0; k < outputs; ++k) {
      Vector mean(2), variance(2);
      for (Index s = 0; s < 2; ++s) {
        const PredictiveComponent& component = network.components[static_cast<std::size_t>(s)];
        const HiddenLayer& layer = component.hidden.first();
        const Vector phi = (a * layer.W.col(0) + b * layer.W.col(1) + layer.b).unaryExpr([](double z) {
          return std::tanh(z);
        });
        const double f = 0.5 * a - b + phi.dot(component.heads.col(k));
        const double v =
            (phi.transpose() * component.heads.middleCols(outputs + k * rank, rank)).squaredNorm() +
            network.noise(k) * network.noise(k);
        mean(s) = network.outputs.scale(k) * f + network.outputs.centre(k);
        variance(s) = std::pow(network.outputs.scale(k), 2) * v;
        if (k == 0) continue;
        mean(s) = std::exp(mean(s) + variance(s) / 2);
        variance(s) = mean(s) * mean(s) * std::expm1(variance(s));
      }
      const double expected = mean.mean();
      EXPECT_NEAR(got.mean(row, k), expected, 1e-12 * std::abs(expected));
      const double spread = (mean.array() - expected).square().mean();
      EXPECT_NEAR(got.sd(row, k), std::sqrt(variance.mean() + spread), 1e-12 * got.sd(row, k));
    }
  }
}

TEST(PredictiveNetwork, LeavesTheNoiseOutIfAsked) {
  const PredictiveNetwork network = example_network();
  const Matrix with = network(rows()).sd, without = network(rows(), false).sd;
  const Vector added = with.col(0).array().square() - without.col(0).array().square();
  EXPECT_LT(entrywise_error(added, Vector::Constant(20, 4 * 0.09)), 1e-12);
}

TEST(PredictiveNetwork, DrawsFunctionsWithItsOwnMeanAndSd) {
  const PredictiveNetwork network = example_network();
  const Matrix X = rows(3);
  constexpr Index draws = 40'000;
  const Matrix functions = network.functions(X, draws, 5);
  const PredictiveMoments moments = network(X, false);
  for (Index i = 0; i < X.rows(); ++i) {
    const double sd = moments.sd(i, 0), error = sd / std::sqrt(double{draws});
    const double mean = functions.col(i).mean();
    EXPECT_NEAR(mean, moments.mean(i, 0), testing::tolerance::standard_errors * error);
    const double variance = (functions.col(i).array() - mean).square().mean();
    EXPECT_NEAR(variance, sd * sd, testing::tolerance::standard_errors * sd * error * std::sqrt(2));
  }
  EXPECT_TRUE((network.functions(X, 50, 5, 1).array() > 0).all()) << "functions of y itself, not of log y";
}

/// The same for classes: one function for two classes, or one for each of several.
PredictiveNetwork class_network(ClassLink link) {
  PredictiveNetwork network = example_network();
  const Index K = link == ClassLink::logistic ? 1 : 3;
  network.link = link;
  network.outputs = {.centre = Vector::LinSpaced(K, 0.5, -1), .scale = Vector::Ones(K)};
  network.noise = Vector::Zero(K);
  network.transforms.assign(static_cast<std::size_t>(K), ResponseTransform::none);
  for (PredictiveComponent& component : network.components) {
    component.heads = 0.3 * RandomStream{.seed = 11}.normals(units, K * (1 + rank));
    // Deviations of draws from their mean add up to nothing.
    for (Index k = 0; k < K; ++k) {
      auto deviations = component.heads.middleCols(K + k * rank, rank);
      deviations = deviations.colwise() - deviations.rowwise().mean().eval();
    }
  }
  return network;
}

constexpr std::array links = {ClassLink::logistic, ClassLink::softmax};

TEST(PredictiveNetwork, HasTheProbabilitiesOfItsDrawsOnAverage) {
  const Matrix X = rows();
  for (const ClassLink link : links) {
    const PredictiveNetwork network = class_network(link);
    const Index K = network.output_count(), draws = 2 * rank;
    Matrix expected = Matrix::Zero(X.rows(), network.class_count());
    std::vector<Matrix> functions;
    for (Index k = 0; k < K; ++k) functions.push_back(network.functions(X, draws, 0, k));
    for (Index i = 0; i < X.rows(); ++i)
      for (Index s = 0; s < draws; ++s) {
        Vector powers(network.class_count());
        for (Index c = 0; c < powers.size(); ++c)
          powers(c) = std::exp(K == 1 ? (c == 0 ? 0 : functions[0](s, i))
                                      : functions[static_cast<std::size_t>(c)](s, i));
        expected.row(i) += powers.transpose() / powers.sum() / static_cast<double>(draws);
      }
    EXPECT_LT(entrywise_error(network.probabilities(X), expected), 1e-12) << name_of(link);
  }
}

TEST(PredictiveNetwork, HasMeanAndSdOfTheDrawsThatItHoldsOfClasses) {
  const Matrix X = rows(5);
  for (const ClassLink link : links) {
    const PredictiveNetwork network = class_network(link);
    const PredictiveMoments moments = network(X);
    for (Index k = 0; k < network.output_count(); ++k) {
      const Matrix functions = network.functions(X, 2 * rank, 0, k);
      const Vector mean = functions.colwise().mean();
      const Vector sd = (functions.rowwise() - mean.transpose()).colwise().norm() / std::sqrt(2.0 * rank);
      EXPECT_LT(entrywise_error(moments.mean.col(k), mean), 1e-12);
      EXPECT_LT(entrywise_error(moments.sd.col(k), sd), 1e-12);
    }
  }
}

TEST(PredictiveNetwork, KeepsDrawsOfClassesWhereItsRankIsCut) {
  const Matrix X = rows(5);
  const PredictiveNetwork network = class_network(ClassLink::softmax);
  const PredictiveNetwork cut = cut_rank(network, 2, X);
  for (Index k = 0; k < 3; ++k) {
    const Matrix all = network.functions(X, 2 * rank, 0, k), kept = cut.functions(X, 4, 0, k);
    // Draws of the two networks in turn: the first and the third of each.
    for (const auto& [to, from] : {std::pair{0, 0}, {1, 1}, {2, 4}, {3, 5}})
      EXPECT_LT(entrywise_error(kept.row(to), all.row(from)), 1e-12);
  }
  EXPECT_LT(cut_loss(network, cut_rank(network, rank, X), X).largest, 1e-14);
  const Matrix change = (network.probabilities(X) - cut.probabilities(X)).cwiseAbs();
  EXPECT_EQ(cut_loss(network, cut, X).largest, change.maxCoeff());
}

TEST(PredictiveNetwork, ComplainsOfClassesThatItDoesNotHave) {
  EXPECT_EQ(complaint_of([] { example_network().probabilities(rows()); }),
            "link: this network has no classes");
  PredictiveNetwork network = example_network();
  network.link = ClassLink::logistic;
  EXPECT_EQ(complaint_of([&] { validate(network); }), "link: logistic does not fit 2 functions");
  EXPECT_EQ(complaint_of([] { class_network(ClassLink::softmax).functions(rows(), 2 * rank + 1, 0); }),
            "draws: must be at most 8, as many as the network holds, got 9");
}

TEST(PredictiveNetwork, DoesNotDependOnThreadsOrOnTheRowsBeside) {
  const PredictiveNetwork network = example_network();
  const Matrix X = rows(5000);
  const auto sd = [&](int threads) {
    const ThreadScope scope(threads);
    return network(X).sd.eval();
  };
  const Matrix one = sd(1);
  EXPECT_EQ(one, sd(2));
  EXPECT_LT(relative_error(network(X.bottomRows(3)).sd, one.bottomRows(3)), 1e-13);
}

TEST(PredictiveNetwork, RefusesWhatDoesNotFit) {
  const PredictiveNetwork network = example_network();
  EXPECT_EQ(complaint_of([&] { network(Matrix::Zero(2, 3)); }),
            "X: must have 2 columns, one for each input, got 3");
  EXPECT_NE(complaint_of([&] { network(Matrix::Constant(1, 2, NAN)); }), "");
  EXPECT_NE(complaint_of([&] { network.functions(rows(), 0, 0); }), "");
  EXPECT_NE(complaint_of([&] { network.functions(rows(), 1, 0, 2); }), "");
  EXPECT_EQ(complaint_of([&] { validate(network); }), "");
  PredictiveNetwork broken = network;
  broken.components[1].heads.conservativeResize(Eigen::NoChange, 9);
  EXPECT_EQ(complaint_of([&] { validate(broken); }),
            "heads: must have 10 columns, 1 + R for each output, got 9");
  broken = network;
  broken.transforms.pop_back();
  EXPECT_NE(complaint_of([&] { validate(broken); }), "");
  broken.mean = MeanFunction("x1*x2");
  EXPECT_NE(complaint_of([&] { affine_mean(broken); }).find("--network-mean"), std::string::npos);
}

TEST(CutRank, ChangesNothingIfItKeepsEverything) {
  const PredictiveNetwork network = example_network();
  const PredictiveMoments cut = cut_rank(network, rank, rows())(rows()), whole = network(rows());
  EXPECT_LT(relative_error(cut.mean, whole.mean), 1e-12);
  EXPECT_LT(relative_error(cut.sd, whole.sd), 1e-12);
}

// The part of sum |phi^T V|^2 that is left is that of the largest singular values of Phi V.
TEST(CutRank, KeepsTheLargestSingularDirectionsAtTheRows) {
  const PredictiveNetwork network = example_network();
  const PredictiveNetwork cut = cut_rank(network, 2, rows());
  EXPECT_EQ(cut.rank(), 2);
  for (const std::size_t s : {0, 1})
    for (Index k = 0; k < outputs; ++k) {
      const Matrix G = network.heads_at(s, rows()).middleCols(outputs + k * rank, rank);
      const Vector g = G.jacobiSvd().singularValues();
      const Matrix kept = cut.heads_at(s, rows()).middleCols(outputs + k * 2, 2);
      EXPECT_NEAR(kept.squaredNorm(), g.head(2).squaredNorm(), 1e-12 * g.squaredNorm());
    }
}

TEST(CutRank, SaysWhatTheSdLoses) {
  const PredictiveNetwork network = example_network(), cut = cut_rank(network, 1, rows());
  const CutLoss loss = cut_loss(network, cut, rows());
  const Matrix whole = network(rows()).sd, left = cut(rows()).sd;
  const Matrix relative = (whole - left).cwiseQuotient(whole);
  EXPECT_DOUBLE_EQ(loss.largest, relative.maxCoeff());
  EXPECT_DOUBLE_EQ(loss.root_mean_square, std::sqrt(relative.array().square().mean()));
  EXPECT_GT(loss.largest, 0);
  EXPECT_LT(cut_loss(network, cut_rank(network, 3, rows()), rows()).root_mean_square, loss.root_mean_square);
}

TEST(CutRank, RefusesARankThatIsNotThere) {
  for (const Index wrong : {Index{0}, Index{5}})
    EXPECT_NE(
        complaint_of([&] { cut_rank(example_network(), wrong, rows()); }).find("rank: must be from 1 to 4"),
        std::string::npos);
}

}  // namespace
}  // namespace ridgelet
