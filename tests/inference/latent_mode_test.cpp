#include "ridgelet/inference/latent_mode.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "expectations.hpp"
#include "fixed_output.hpp"
#include "likelihoods.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/inference/chains.hpp"
#include "ridgelet/inference/latent_density.hpp"
#include "ridgelet/inference/latent_posterior.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/laplace_evidence.hpp"

namespace ridgelet {
namespace {

using testing::drawn_responses;
using testing::FixedOutput;
using testing::likelihoods;
using testing::tolerance::standard_errors;
using testing::tolerance::two_routes;

/// Rows 0 .. n - 1 of a FixedOutput.
LatentData data_of(const LikelihoodPointer& likelihood, Index n) {
  return {.likelihood = likelihood,
          .X = FixedOutput::rows(n),
          .Y = drawn_responses(*likelihood, n),
          .offset = 0.3 * RandomStream{.seed = 9}.normals(n, likelihood->functions())};
}

/// A case for which quadrature over z is possible: R K is 1 or 2.
struct SmallCase {
  LikelihoodPointer likelihood;
  Index rank;
};

std::vector<SmallCase> small_cases() {
  return {{parse_likelihood("gaussian(scale=0.6)"), 2},
          {parse_likelihood("bernoulli"), 2},
          {parse_likelihood("categorical", 2), 1},
          {parse_likelihood("poisson"), 2},
          {parse_likelihood("negative-binomial(shape=3)"), 2},
          {parse_likelihood("student(scale=0.5, degrees=4)"), 2}};
}

Matrix values_of(Index n, Index rank) {
  return RandomStream{.seed = 11}.normals(n, 1 + rank) * 0.8;
}

/// log p(y, z), up to a constant, for z of two numbers, R x K, one after the other.
double log_joint(const LatentData& data, const Matrix& values, const Vector& z) {
  const Index R = values.cols() - 1;
  const Matrix Z = z.reshaped(R, data.functions());
  Matrix F = values.rightCols(R) * Z + data.offset;
  F.colwise() += values.col(0);
  return data.likelihood->log_density(data.Y, F) - 0.5 * z.squaredNorm();
}

/// Evidence, and mean and second moments of z, by a sum over a fine grid in two numbers.
struct Quadrature {
  double evidence = 0;
  Vector mean = Vector::Zero(2);
  Matrix second = Matrix::Zero(2, 2);
};

Quadrature quadrature(const LatentData& data, const Matrix& values) {
  constexpr double reach = 7, step = 0.1;
  Quadrature sum;
  for (double a = -reach; a <= reach; a += step)
    for (double b = -reach; b <= reach; b += step) {
      const Vector z{{a, b}};
      const double weight = step * step / (2 * std::numbers::pi) * std::exp(log_joint(data, values, z));
      sum.evidence += weight;
      sum.mean += weight * z;
      sum.second += weight * z * z.transpose();
    }
  sum.mean /= sum.evidence;
  sum.second /= sum.evidence;
  return sum;
}

TEST(LatentMode, SaysWhatTheProcessSaysWhereGIsItsRoot) {
  // f = L z with L L^T = C is the process at the rows, so both evidences are of one model.
  const Index n = 12;
  const Matrix X = RandomStream{.seed = 5}.normals(n, 2);
  const GaussianProcess process{.kernel = parse_kernel("matern32(amplitude=1.3)"),
                                .mean = MeanFunction("0.2")};
  Matrix values(n, 1 + n);
  values << process.mean(X), Matrix(process.kernel.matrix(X, X).llt().matrixL());
  for (const LikelihoodPointer& likelihood : likelihoods()) {
    const LatentData data = data_of(likelihood, n);
    std::vector<double> numbers;
    for (const LikelihoodParameter& parameter : likelihood->parameters()) numbers.push_back(parameter.value);
    LaplaceEvidence evidence(likelihood, X, data.Y, data.offset);
    const auto exact =
        evidence.at(process, Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size())));
    ASSERT_TRUE(exact);
    FixedOutput output(values);
    LatentMode mode(data, n);
    ASSERT_TRUE(mode.find(output)) << likelihood->text();
    EXPECT_NEAR(mode.log_evidence(), exact->log_evidence, 1e-8 * std::abs(exact->log_evidence))
        << likelihood->text();
    const Matrix f = (values.rightCols(n) * mode.mode()).colwise() + values.col(0);
    EXPECT_LT((f - evidence.mode()).cwiseAbs().maxCoeff(), 1e-5) << likelihood->text();
  }
}

TEST(LatentMode, SaysWhetherItsStepsSufficed) {
  const Index n = 11;
  for (const LikelihoodPointer& likelihood : likelihoods()) {
    if (likelihood->name() == "gaussian") continue;  // One step is enough.
    const LatentData data = data_of(likelihood, n);
    FixedOutput output(3 * values_of(n, 3));
    LatentMode mode(data, 3), hurried(data, 3, {.most_steps = 1});
    EXPECT_TRUE(mode.find(output) && mode.converged()) << likelihood->text();
    EXPECT_TRUE(hurried.find(output)) << likelihood->text();
    EXPECT_FALSE(hurried.converged()) << likelihood->text();
    const LatentDrawOptions few{.draws = 40, .proposals = 100};
    EXPECT_TRUE(latent_network(output, data, few).converged) << likelihood->text();
    EXPECT_FALSE(latent_network(output, data, few, {.most_steps = 1}).converged) << likelihood->text();
  }
}

TEST(LatentMode, IsTheSameForAnyBlocksOfRowsKeptOrNot) {
  const Index n = 11;
  for (const LikelihoodPointer& likelihood : likelihoods()) {
    const LatentData data = data_of(likelihood, n);
    FixedOutput output(values_of(n, 3));
    LatentMode whole(data, 3);
    ASSERT_TRUE(whole.find(output));
    const Matrix U = RandomStream{.seed = 2}.normals(whole.coordinates(), 5);
    const Vector weights = whole.log_weights(U);
    for (const Index block : {1, 2, 5})
      for (const double kept : {0.0, 1e9}) {
        LatentMode cut(data, 3, {.row_block = block, .kept_bytes = kept});
        ASSERT_TRUE(cut.find(output));
        EXPECT_LT((cut.mode() - whole.mode()).cwiseAbs().maxCoeff(), two_routes) << likelihood->text();
        EXPECT_LT((cut.log_weights(U) - weights).cwiseAbs().maxCoeff(), two_routes) << likelihood->text();
      }
  }
}

TEST(LatentMode, IsTheSameForAnyNumberOfThreads) {
  const Index n = 300, rank = 40;
  const LatentData data = data_of(parse_likelihood("categorical", 3), n);
  FixedOutput output(values_of(n, rank));
  const auto found = [&](int threads) {
    const ThreadScope scope(threads);
    LatentMode mode(data, rank, {.row_block = 64});
    EXPECT_TRUE(mode.find(output));
    return mode.mode();
  };
  EXPECT_EQ(found(1), found(4));
}

TEST(LatentWeight, HasTheGradientOfItsValue) {
  const Index n = 11;
  constexpr double step = 1e-5;
  for (const LikelihoodPointer& likelihood : likelihoods()) {
    const LatentData data = data_of(likelihood, n);
    FixedOutput output(values_of(n, 3));
    LatentMode mode(data, 3, {.row_block = 4});
    ASSERT_TRUE(mode.find(output));
    LatentWeight weight(mode,
                        std::make_shared<const LatentWhitening>(mode.curvature(), likelihood->functions()));
    const Vector v = RandomStream{.seed = 2}.normals(mode.coordinates());
    Vector gradient;
    EXPECT_EQ(weight.value_and_gradient(v, gradient), weight(v));
    for (Index i = 0; i < v.size(); ++i) {
      const Vector away = step * Vector::Unit(v.size(), i);
      const double difference = (weight(v + away) - weight(v - away)) / (2 * step);
      EXPECT_NEAR(gradient(i), difference, 1e-5 * std::max(1.0, std::abs(difference))) << likelihood->text();
    }
  }
}

// Two maps from normal coordinates to z: N(v; 0, I) w(v) dv and N(u; 0, I) w(u) du are the same measure of z.
TEST(LatentWeight, IsTheSameDensityOfCoordinatesAsTheWeightOfTheMode) {
  const Index n = 11, rank = 3;
  for (const LikelihoodPointer& likelihood : likelihoods()) {
    const LatentData data = data_of(likelihood, n);
    FixedOutput output(values_of(n, rank));
    LatentMode mode(data, rank);
    ASSERT_TRUE(mode.find(output));
    const Index size = mode.coordinates();
    LatentWeight weight(mode,
                        std::make_shared<const LatentWhitening>(mode.curvature(), likelihood->functions()));
    const Vector zhat = mode.mode().reshaped();
    Matrix of_u(size, size), of_v(size, size);
    for (Index i = 0; i < size; ++i) {
      of_u.col(i) = mode.at(Vector::Unit(size, i)).reshaped() - zhat;
      of_v.col(i) = weight.at(Vector::Unit(size, i)).reshaped() - zhat;
    }
    const Vector v = RandomStream{.seed = 2}.normals(size);
    const Vector u = of_u.partialPivLu().solve(of_v * v);
    const double log_ratio = std::log(std::abs(of_v.determinant() / of_u.determinant()));
    EXPECT_NEAR(weight(v) - 0.5 * v.squaredNorm(), mode.log_weights(u)(0) - 0.5 * u.squaredNorm() + log_ratio,
                1e-9)
        << likelihood->text();
  }
}

TEST(LatentWhitening, LeavesWhatAllClassesShareToThePrior) {
  const Index n = 40, rank = 3, K = 4;
  const LatentData data = data_of(parse_likelihood("categorical", K), n);
  FixedOutput output(values_of(n, rank));
  LatentMode mode(data, rank);
  ASSERT_TRUE(mode.find(output));
  const LatentWhitening whitening(mode.curvature(), K);
  // Moves of all classes alike are v_k = C_k^T c: z then has the length of v, as its prior wants.
  const Vector c = RandomStream{.seed = 3}.normals(rank);
  Vector v(rank * K);
  for (Index k = 0; k < K; ++k)
    v.segment(k * rank, rank) =
        Matrix(mode.curvature().block(k * rank, k * rank, rank, rank)).llt().matrixU() * c;
  const Matrix z = whitening.at(v);
  EXPECT_LT((z.colwise() - z.col(0)).norm(), 1e-12);
  EXPECT_NEAR(z.norm(), v.norm(), 1e-12);
  Matrix J(rank * K, rank * K);
  for (Index i = 0; i < J.cols(); ++i) J.col(i) = whitening.at(Vector::Unit(J.cols(), i)).reshaped();
  const Matrix A = mode.curvature().selfadjointView<Eigen::Lower>();
  const Matrix precision = J.transpose() * A * J;
  const Vector spread = precision.selfadjointView<Eigen::Lower>().eigenvalues();
  EXPECT_LT(spread.maxCoeff() / spread.minCoeff(), 10);
}

TEST(LatentMode, OfGaussianNoiseHasTheExactEvidenceForAWeight) {
  const Index n = 9, rank = 4;
  const LatentData data = data_of(parse_likelihood("gaussian(scale=0.6)"), n);
  const Matrix values = values_of(n, rank);
  FixedOutput output(values);
  LatentMode mode(data, rank);
  ASSERT_TRUE(mode.find(output));
  const LinearGaussianPosterior exact(
      {.mean = values.col(0) + data.offset.col(0), .factor = values.rightCols(rank)}, data.Y.col(0), 0.6);
  EXPECT_NEAR(mode.log_evidence(), exact.log_marginal_likelihood(), two_routes);
  EXPECT_LT((mode.mode().col(0) - exact.coordinates_mean()).norm(), two_routes);
  const Vector weights = mode.log_weights(RandomStream{.seed = 2}.normals(rank, 7));
  EXPECT_LT((weights.array() - exact.log_marginal_likelihood()).abs().maxCoeff(), two_routes);
}

TEST(LatentMode, WeightsAverageToTheEvidenceOfEveryLikelihood) {
  constexpr Index n = 8, draws = 20'000;
  for (const auto& [likelihood, rank] : small_cases()) {
    const LatentData data = data_of(likelihood, n);
    const Matrix values = values_of(n, rank);
    FixedOutput output(values);
    LatentMode mode(data, rank);
    ASSERT_TRUE(mode.find(output));
    const Vector relative =
        (mode.log_weights(RandomStream{.seed = 2}.normals(mode.coordinates(), draws)).array() -
         std::log(quadrature(data, values).evidence))
            .exp();
    const double error =
        std::sqrt((relative.array() - relative.mean()).square().mean() / static_cast<double>(draws));
    EXPECT_NEAR(relative.mean(), 1, standard_errors * error + 1e-6) << likelihood->text();
  }
}

TEST(LatentNetwork, DrawsHaveTheMomentsOfThePosteriorByWeightsAndByChains) {
  constexpr Index n = 8, draws = 4000;
  for (const auto& [likelihood, rank] : small_cases()) {
    const LatentData data = data_of(likelihood, n);
    const Matrix values = values_of(n, rank);
    const Quadrature exact = quadrature(data, values);
    for (const bool chains : {false, true}) {
      FixedOutput output(values);
      const LatentNetwork network =
          latent_network(output, data,
                         {.draws = draws,
                          .proposals = 2 * draws,
                          .by = chains ? LatentDrawOptions::By::chains : LatentDrawOptions::By::weights,
                          .seed = 4});
      EXPECT_EQ(network.by_chains, chains);
      ASSERT_EQ(network.coordinates.cols(), draws * data.functions());
      const Matrix Z = network.coordinates.reshaped(2, draws);
      const Vector mean = Z.rowwise().mean();
      const Matrix second = Z * Z.transpose() / static_cast<double>(draws);
      // Resampled or from chains of short memory, draws are worth at least a quarter as many independent ones.
      const Vector sd = (exact.second.diagonal() - exact.mean.cwiseAbs2()).cwiseSqrt();
      const double errors = standard_errors / std::sqrt(draws / 4.0);
      for (Index i = 0; i < 2; ++i) {
        EXPECT_NEAR(mean(i), exact.mean(i), errors * sd(i))
            << likelihood->text() << (chains ? ", chains" : "");
        EXPECT_NEAR(second(i, i), exact.second(i, i),
                    errors * std::numbers::sqrt2 * sd(i) * (sd(i) + std::sqrt(2.0) * std::abs(exact.mean(i))))
            << likelihood->text() << (chains ? ", chains" : "");
      }
      EXPECT_NEAR(network.log_evidence, std::log(exact.evidence), 0.02) << likelihood->text();
    }
  }
}

TEST(LatentNetwork, RefusesDataWithoutADensity) {
  LatentData data = data_of(parse_likelihood("poisson"), 5);
  data.offset.setConstant(1e4);
  FixedOutput output(values_of(5, 2));
  EXPECT_NE(testing::complaint_of([&] { latent_network(output, data, {}); }).find("likelihood"),
            std::string::npos);
}

}  // namespace
}  // namespace ridgelet
