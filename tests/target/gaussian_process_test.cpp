#include "ridgelet/target/gaussian_process.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <numbers>

#include "expectations.hpp"
#include "golden.hpp"
#include "numbers.hpp"
#include "process.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/target/covariance/linear.hpp"
#include "ridgelet/target/covariance/matern32.hpp"
#include "ridgelet/target/covariance/squared_exponential.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::numbers;
using testing::process_of;
using testing::relative_error;
using testing::tolerance::golden_cases;
using testing::tolerance::two_routes;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Two inputs, a mean, noise: enough that no term of the formulas vanishes.
struct Example {
  GaussianProcess process =
      process_of("matern32(amplitude=1.3, lengthscale=[1, 2]) + 0.2*linear()", "0.5*x1 - x2");
  Matrix X = numbers(9, 2, 1), Xs = numbers(5, 2, 2);
  Vector y = numbers(9, 1, 3);
  double noise = 0.3;

  GaussianProcessPosterior posterior() const { return {process, X, y, noise}; }
  Matrix data_covariance() const {
    return process.kernel.matrix(X, X) + noise * noise * Matrix::Identity(X.rows(), X.rows());
  }
};

TEST(GaussianProcessPosterior, MatchesTheReferenceValues) {
  for (const auto& entry : testing::golden().at("cases")) {
    const GaussianProcessPosterior posterior(
        process_of(entry.at("kernel").get<std::string>(), entry.at("mean").get<std::string>()),
        testing::as_matrix(entry.at("X")), testing::as_vector(entry.at("y")),
        entry.at("noise").get<double>());
    const Matrix Xs = testing::as_matrix(entry.at("Xs"));
    SCOPED_TRACE(entry.at("kernel").get<std::string>());
    EXPECT_LT(testing::entrywise_error(posterior.mean(Xs), testing::as_vector(entry.at("gp_mean"))),
              golden_cases);
    EXPECT_LT(testing::entrywise_error(posterior.variance(Xs), testing::as_vector(entry.at("gp_variance"))),
              golden_cases);
    const double evidence = entry.at("gp_log_marginal_likelihood").get<double>();
    EXPECT_NEAR(posterior.log_marginal_likelihood(), evidence, golden_cases * std::abs(evidence));
  }
}

TEST(GaussianProcessPosterior, HasTheEvidenceOfTheDenseFormula) {
  const Example example;
  const Matrix C = example.data_covariance();
  const Vector r = example.y - example.process.mean(example.X);
  const double expected =
      -0.5 * (r.dot(C.inverse() * r) + std::log(C.determinant()) + 9 * std::log(2 * std::numbers::pi));
  EXPECT_NEAR(example.posterior().log_marginal_likelihood(), expected, two_routes * std::abs(expected));
}

TEST(GaussianProcessPosterior, ConditionsAsTheDenseFormulaDoes) {
  const Example example;
  const auto& [process, X, Xs, y, noise] = example;
  const Matrix inverse = example.data_covariance().inverse(), cross = process.kernel.matrix(Xs, X);
  const Vector mean = process.mean(Xs) + cross * inverse * (y - process.mean(X));
  const Matrix covariance = process.kernel.matrix(Xs, Xs) - cross * inverse * cross.transpose();
  EXPECT_LT(relative_error(example.posterior().mean(Xs), mean), two_routes);
  EXPECT_LT(relative_error(example.posterior().covariance(Xs, Xs), covariance), two_routes);
}

TEST(GaussianProcessPosterior, HasItsVarianceOnTheDiagonalOfItsCovariance) {
  const Example example;
  const auto posterior = example.posterior();
  EXPECT_LT(
      relative_error(posterior.covariance(example.Xs, example.Xs).diagonal(), posterior.variance(example.Xs)),
      two_routes);
  const Matrix block = posterior.covariance(example.Xs.topRows(2), example.Xs);
  EXPECT_LT(relative_error(block, posterior.covariance(example.Xs, example.Xs).topRows(2)), two_routes);
}

TEST(GaussianProcessPosterior, FactorsItsEvidenceOverTheDataInTurn) {
  // log p(y1, y2) = log p(y1) + log N(y2; posterior mean, posterior variance + noise^2), one datum at the
  // end.
  const Example example;
  const GaussianProcessPosterior first(example.process, example.X.topRows(8), example.y.head(8),
                                       example.noise);
  const Matrix last = example.X.bottomRows(1);
  const double variance = first.variance(last)(0) + example.noise * example.noise;
  const double r = example.y(8) - first.mean(last)(0);
  const double step = -0.5 * (std::log(2 * std::numbers::pi * variance) + r * r / variance);
  EXPECT_NEAR(example.posterior().log_marginal_likelihood(), first.log_marginal_likelihood() + step,
              two_routes * 10);
}

TEST(GaussianProcessPosterior, InterpolatesAsTheNoiseVanishes) {
  const Matrix X = Vector::LinSpaced(6, -3, 3);
  const Vector y = X.array().sin();
  double previous = std::numeric_limits<double>::infinity();
  for (double noise : {1e-1, 1e-2, 1e-3, 1e-4}) {
    const GaussianProcessPosterior posterior({SquaredExponential{}}, X, y, noise);
    const double error = (posterior.mean(X) - y).cwiseAbs().maxCoeff();
    // At a datum |mean - y| <= noise^2 |C^{-1} y|, and the least eigenvalue of K is above 0.1 here.
    EXPECT_LE(error, 10 * noise * noise * y.norm());
    EXPECT_LT(error, previous);
    EXPECT_LE(posterior.variance(X).maxCoeff(), noise * noise);
    EXPECT_GE(posterior.variance(X).minCoeff(), 0);
    previous = error;
  }
}

TEST(GaussianProcessPosterior, FallsBackToThePriorFarFromTheData) {
  const GaussianProcessPosterior posterior(process_of("se(amplitude=2)", "3 - x"), Matrix{{0}, {1}},
                                           Vector{{5, -5}}, 0.1);
  EXPECT_NEAR(posterior.mean(Matrix{{100}})(0), 3 - 100, two_routes);
  EXPECT_NEAR(posterior.variance(Matrix{{100}})(0), 4, two_routes);
}

TEST(GaussianProcessPosterior, OfALinearKernelIsBayesianLinearRegression) {
  // Slopes ~ N(0, a^2 I): posterior precision P = X^T X / s^2 + I / a^2, mean P^{-1} X^T y / s^2.
  const Matrix X = numbers(20, 2, 4), Xs = numbers(4, 2, 5);
  const Vector y = numbers(20, 1, 6);
  const double a = 1.5, s = 0.4;
  const Matrix P = X.transpose() * X / (s * s) + Matrix::Identity(2, 2) / (a * a);
  const GaussianProcessPosterior posterior({Linear{.amplitude = a}}, X, y, s);
  EXPECT_LT(relative_error(posterior.mean(Xs), Xs * P.inverse() * X.transpose() * y / (s * s)), two_routes);
  EXPECT_LT(relative_error(posterior.covariance(Xs, Xs), Xs * P.inverse() * Xs.transpose()), two_routes);
}

RC_GTEST_PROP(GaussianProcessPosterior, IsNeverLessCertainForMoreData, (std::uint64_t seed)) {
  const Index n = *rc::gen::inRange<Index>(2, 20);
  const Matrix X = numbers(n, 1, seed), Xs = Vector::LinSpaced(9, -3, 3);
  const GaussianProcess process{Matern32{}};
  const GaussianProcessPosterior fewer(process, X.topRows(n - 1), Vector::Zero(n - 1), 0.2);
  const GaussianProcessPosterior more(process, X, Vector::Zero(n), 0.2);
  RC_ASSERT((more.variance(Xs) - fewer.variance(Xs)).maxCoeff() <= two_routes);
  RC_ASSERT(more.variance(Xs).minCoeff() >= 0);
}

TEST(GaussianProcess, HasAPriorWithItsMeanAndCovariance) {
  const Example example;
  const Gaussian prior = example.process.prior(example.X);
  EXPECT_EQ(prior.mean, example.process.mean(example.X));
  EXPECT_LT(relative_error(prior.covariance(), example.process.kernel.matrix(example.X, example.X)),
            two_routes);
}

TEST(GaussianProcess, HasTheRankOfItsKernel) {
  const Matrix X = numbers(30, 2, 7), line = X.leftCols(1);
  EXPECT_EQ(process_of("constant(amplitude=3)").prior(X).rank(), 1);
  EXPECT_EQ(process_of("outer(sin(x1) + x2)").prior(X).rank(), 1);
  EXPECT_EQ(process_of("linear()").prior(X).rank(), 2);
  EXPECT_EQ(process_of("linear() + 1").prior(X).rank(), 3);
  EXPECT_EQ(process_of("cosine(period=1.8)").prior(line).rank(), 2);
  EXPECT_EQ(process_of("white()").prior(X).rank(), 30);
}

TEST(GaussianProcess, DrawsPathsWithItsMeanAndCovariance) {
  const GaussianProcess process = process_of("se(amplitude=1.5) + linear()", "2*x");
  const Matrix X = Vector::LinSpaced(5, -1, 2);
  const Gaussian prior = process.prior(X);
  const Matrix K = process.kernel.matrix(X, X);
  const Index draws = 20'000;
  const Matrix Z = RandomStream{.seed = 8, .purpose = Purpose::target_process}.normals(draws, prior.rank());
  Matrix paths(draws, 5);
  for (Index s = 0; s < draws; ++s) paths.row(s) = prior.at(Z.row(s).transpose()).transpose();
  const Matrix centred = paths.rowwise() - process.mean(X).transpose();
  const Matrix covariance = centred.transpose() * centred / static_cast<double>(draws);
  const double errors = testing::tolerance::standard_errors / std::sqrt(static_cast<double>(draws));
  for (Index i = 0; i < 5; ++i) {
    EXPECT_NEAR(centred.col(i).mean(), 0, errors * std::sqrt(K(i, i)));
    // Var(f_i f_j) = K_ii K_jj + K_ij^2 for a Gaussian with mean 0.
    for (Index j = 0; j < 5; ++j)
      EXPECT_NEAR(covariance(i, j), K(i, j), errors * std::sqrt(K(i, i) * K(j, j) + K(i, j) * K(i, j)));
  }
}

TEST(GaussianProcess, RefusesAPeriodicKernelOfTwoInputs) {
  Matrix X(49, 2);
  for (Index i = 0; i < 49; ++i)
    X.row(i) << 0.37 * static_cast<double>(i / 7), 0.37 * static_cast<double>(i % 7);
  const std::string complaint = complaint_of([&] { process_of("periodic()").prior(X); });
  EXPECT_TRUE(complaint.starts_with("kernel: must be positive semi-definite")) << complaint;
  EXPECT_NO_THROW(process_of("periodic(active=[1]) * periodic(active=[2])").prior(X));
}

TEST(GaussianProcess, RefusesInputsThatItsKernelOrMeanLacks) {
  EXPECT_EQ(complaint_of([] { process_of("se(active=2)").prior(Matrix::Zero(3, 1)); }),
            "kernel: se: active: must be at most 1, the number of inputs, got 2");
  EXPECT_EQ(complaint_of([] { process_of("se()", "x2").prior(Matrix::Zero(3, 1)); }),
            "mean: 'x2' uses x2, and there is only 1 input");
  EXPECT_EQ(complaint_of([] {
              process_of("se()").prior(Matrix{{0}, {nan}});
            }),
            "X: must be finite, got nan in row 2, column 1");
}

TEST(GaussianProcessPosterior, RefusesNoiseThatIsNotPositive) {
  const auto complaint = [](double noise) {
    return complaint_of(
        [&] { GaussianProcessPosterior({SquaredExponential{}}, Matrix{{0}}, Vector{{1}}, noise); });
  };
  EXPECT_EQ(complaint(0), "noise: must be positive and finite, got 0");
  EXPECT_EQ(complaint(-0.1), "noise: must be positive and finite, got -0.1");
  EXPECT_EQ(complaint(nan), "noise: must be positive and finite, got nan");
}

TEST(GaussianProcessPosterior, RefusesDataThatAreMissingOrOfTheWrongShape) {
  const auto complaint = [](const Matrix& X, const Vector& y) {
    return complaint_of([&] { GaussianProcessPosterior({SquaredExponential{}}, X, y, 0.1); });
  };
  EXPECT_EQ(complaint(Matrix{{0, 1}, {2, nan}}, Vector{{1, 2}}),
            "X: must be finite, got nan in row 2, column 2");
  EXPECT_EQ(complaint(Matrix{{0}, {1}}, Vector{{1, nan}}), "y: must be finite, got nan in row 2, column 1");
  EXPECT_EQ(complaint(Matrix{{0}, {1}}, Vector{{1, 2, 3}}), "y: must have 2 rows, got 3");
  EXPECT_TRUE(complaint(Matrix(0, 1), Vector(0)).starts_with("X: "));
}

TEST(GaussianProcessPosterior, RefusesNewPointsOfTheWrongShape) {
  const GaussianProcessPosterior posterior({SquaredExponential{}}, Matrix{{0}, {1}}, Vector{{1, 2}}, 0.1);
  const Matrix good{{0.5}}, wide{{0.5, 1}}, bad{{nan}};
  const std::string shape = ": must have 1 column, one for each input, got 2";
  EXPECT_EQ(complaint_of([&] { posterior.mean(wide); }), "Xs" + shape);
  EXPECT_EQ(complaint_of([&] { posterior.variance(wide); }), "Xs" + shape);
  EXPECT_EQ(complaint_of([&] { posterior.covariance(wide, good); }), "X1" + shape);
  EXPECT_EQ(complaint_of([&] { posterior.covariance(good, wide); }), "X2" + shape);
  EXPECT_EQ(complaint_of([&] { posterior.mean(bad); }), "Xs: must be finite, got nan in row 1, column 1");
}

}  // namespace
}  // namespace ridgelet
