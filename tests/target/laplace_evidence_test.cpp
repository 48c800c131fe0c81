#include "ridgelet/target/laplace_evidence.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "expectations.hpp"
#include "likelihoods.hpp"
#include "process.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/learning.hpp"

namespace ridgelet {
namespace {

using testing::drawn_responses;
using testing::likelihoods;
using testing::process_of;
using testing::tolerance::two_routes;

constexpr Index rows = 12;

Matrix inputs(Index n = rows) {
  return RandomStream{.seed = 5}.normals(n, 2);
}

Matrix offsets(const Likelihood& likelihood, Index n = rows) {
  return 0.3 * RandomStream{.seed = 9}.normals(n, likelihood.functions());
}

Vector numbers_of(const Likelihood& likelihood) {
  std::vector<double> values;
  for (const LikelihoodParameter& parameter : likelihood.parameters()) values.push_back(parameter.value);
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

LaplaceEvidence evidence_of(const LikelihoodPointer& likelihood) {
  return {likelihood, inputs(), drawn_responses(*likelihood, rows), offsets(*likelihood)};
}

/// log Z by plain matrices of K n x K n at the mode that was found, which is checked to be one.
double plain_log_evidence(const Likelihood& likelihood, const GaussianProcess& of, const Matrix& mode) {
  const Index K = likelihood.functions(), n = mode.rows();
  const Matrix C = of.kernel.matrix(inputs(), inputs()), F = mode + offsets(likelihood);
  const Matrix Y = drawn_responses(likelihood, rows);
  Matrix all = Matrix::Zero(K * n, K * n), W = all;
  Matrix slope(n, K), d(n, K);
  likelihood.derivatives(Y, F, slope, d);
  likelihood.normal_curvature(Y, F, d);
  for (Index k = 0; k < K; ++k) {
    all.block(k * n, k * n, n, n) = C;
    for (Index i = 0; i < n; ++i) {
      W(k * n + i, k * n + i) = d(i, k);
      for (Index l = 0; K > 1 && l < K; ++l) W(k * n + i, l * n + i) -= d(i, k) * d(i, l) / d.row(i).sum();
    }
  }
  const Matrix centred = mode.colwise() - of.mean(inputs());
  const Vector f = centred.reshaped(), a = all.ldlt().solve(f);
  EXPECT_LT((a - Vector(slope.reshaped())).norm(), 1e-4 * (1 + a.norm())) << "not the mode";
  return likelihood.log_density(Y, F) - 0.5 * f.dot(a) -
         0.5 * std::log((Matrix::Identity(K * n, K * n) + all * W).determinant());
}

TEST(LaplaceEvidence, EqualsThePlainFormulaWithMatricesOfAllFunctions) {
  const GaussianProcess of = process_of("se(amplitude=1.3, lengthscale=[0.8, 1.5])", "0.2 + 0.1*x1");
  for (const LikelihoodPointer& likelihood : likelihoods()) {
    LaplaceEvidence evidence = evidence_of(likelihood);
    const auto value = evidence.at(of, numbers_of(*likelihood));
    ASSERT_TRUE(value) << likelihood->text();
    EXPECT_NEAR(value->log_evidence, plain_log_evidence(*likelihood, of, evidence.mode()), 1e-6)
        << likelihood->text();
  }
}

TEST(LaplaceEvidence, OfGaussianNoiseIsExact) {
  const LikelihoodPointer noise = parse_likelihood("gaussian(scale=0.6)");
  const GaussianProcess of = process_of("matern52(amplitude=1.3)", "0.2");
  const Matrix Y = drawn_responses(*noise, rows);
  LaplaceEvidence laplace(noise, inputs(), Y, Matrix::Zero(rows, 1));
  EvidenceFunction exact(inputs(), Y);
  const auto ours = laplace.at(of, numbers_of(*noise)), theirs = exact.at(of, numbers_of(*noise));
  ASSERT_TRUE(ours && theirs);
  EXPECT_NEAR(ours->log_evidence, theirs->log_evidence, two_routes * std::abs(theirs->log_evidence));
  EXPECT_LT(testing::relative_error(ours->kernel_slope, theirs->kernel_slope), 1e-8);
  EXPECT_LT(testing::relative_error(ours->mean_slope, theirs->mean_slope), 1e-8);
  EXPECT_LT(testing::relative_error(ours->noise_slope, theirs->noise_slope), 1e-6);
}

TEST(LaplaceEvidence, HasItsSlopesForEveryLikelihood) {
  constexpr double step = 1e-4, tolerance = 2e-6;
  const GaussianProcess of =
      process_of("se(amplitude=1.3, lengthscale=[0.8, 1.5]) + constant(amplitude=0.4)", "0.2 + 0.1*x1");
  for (const LikelihoodPointer& likelihood : likelihoods()) {
    LaplaceEvidence evidence = evidence_of(likelihood);
    const Vector numbers = numbers_of(*likelihood);
    const auto value = evidence.at(of, numbers);
    ASSERT_TRUE(value) << likelihood->text();
    const auto log_evidence = [&](const GaussianProcess& other) {
      return evidence.at(other, numbers, {.kernel = false, .mean = false, .noise = false})->log_evidence;
    };
    const std::vector<KernelParameter> parameters = of.kernel.parameters();
    Vector given(static_cast<Index>(parameters.size()));
    for (Index p = 0; p < given.size(); ++p) given(p) = parameters[static_cast<std::size_t>(p)].value;
    for (Index p = 0; p < given.size(); ++p) {
      Vector more = given, less = given;
      more(p) *= std::exp(step);
      less(p) *= std::exp(-step);
      const double difference = (log_evidence({of.kernel.with_parameters(more), of.mean}) -
                                 log_evidence({of.kernel.with_parameters(less), of.mean})) /
                                (2 * step);
      EXPECT_NEAR(value->kernel_slope(p), difference, tolerance * std::max(1.0, std::abs(difference)))
          << likelihood->text() << ", " << parameters[static_cast<std::size_t>(p)].name;
    }
    const Vector coefficients = of.mean.coefficients();
    for (Index c = 0; c < coefficients.size(); ++c) {
      Vector more = coefficients, less = coefficients;
      more(c) += step;
      less(c) -= step;
      const double difference = (log_evidence({of.kernel, of.mean.with_coefficients(more)}) -
                                 log_evidence({of.kernel, of.mean.with_coefficients(less)})) /
                                (2 * step);
      EXPECT_NEAR(value->mean_slope(c), difference, tolerance * std::max(1.0, std::abs(difference)))
          << likelihood->text() << ", coefficient " << c;
    }
  }
}

TEST(LaplaceEvidence, OfTwoClassesIsThatOfOneFunctionWithTwiceTheVariance) {
  // Softmax of two functions depends on their difference alone, whose variance is twice that of each.
  const LikelihoodPointer two = parse_likelihood("categorical", 2), one = parse_likelihood("bernoulli");
  const Matrix y = drawn_responses(*one, rows);
  Matrix Y(rows, 2);
  Y << (1 - y.array()).matrix(), y;
  LaplaceEvidence of_two(two, inputs(), Y, Matrix::Zero(rows, 2)),
      of_one(one, inputs(), y, Matrix::Zero(rows, 1));
  const auto softmax = of_two.at(process_of("se(amplitude=1)"), Vector()),
             logit = of_one.at(process_of("se(amplitude=1.4142135623730951)"), Vector());
  ASSERT_TRUE(softmax && logit);
  EXPECT_NEAR(softmax->log_evidence, logit->log_evidence, two_routes * std::abs(logit->log_evidence));
}

TEST(LaplaceEvidence, OfSomeRowsIsThatOfATableOfThem) {
  const LikelihoodPointer likelihood = parse_likelihood("poisson");
  const std::vector<Index> some = {1, 4, 5, 9};
  LaplaceEvidence all = evidence_of(likelihood), few(likelihood, inputs()(some, Eigen::all),
                                                     drawn_responses(*likelihood, rows)(some, Eigen::all),
                                                     offsets(*likelihood)(some, Eigen::all));
  EXPECT_EQ(all.of_rows(some)->at(process_of("se()"), Vector(), {})->log_evidence,
            few.at(process_of("se()"), Vector())->log_evidence);
}

/// The same for counts with rates size e^f in long double: Newton's steps f <- C (C + W^{-1})^{-1} (f + W^{-1} slope).
long double long_log_evidence(const Matrix& C_double, const Vector& counts, long double size) {
  using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const LongMatrix C = C_double.cast<long double>();
  const LongVector y = counts.cast<long double>();
  LongVector f = (y / size).array().log(), a;
  for (int step = 0; step < 50; ++step) {
    const LongVector W = size * f.array().exp();
    const LongMatrix inverse = C + LongMatrix(W.cwiseInverse().asDiagonal());
    a = inverse.llt().solve(f + (y - W).cwiseQuotient(W));
    f = C * a;
  }
  const LongVector root = (size * f.array().exp()).sqrt();
  LongMatrix B = root.asDiagonal() * C * root.asDiagonal();
  B.diagonal().array() += 1;
  long double log_density = 0;
  for (Index i = 0; i < y.size(); ++i)
    log_density += y(i) * (f(i) + std::log(size)) - size * std::exp(f(i)) - std::lgamma(y(i) + 1);
  return log_density - a.dot(f) / 2 - LongMatrix(B.llt().matrixL()).diagonal().array().log().sum();
}

TEST(LaplaceEvidence, OfLargeCountsIsThatOfMoreDigits) {
  const LikelihoodPointer poisson = parse_likelihood("poisson");
  const Matrix X = Vector::LinSpaced(20, -2, 2);
  const GaussianProcess process = process_of("se(amplitude=5, lengthscale=5)");
  for (const double size : {1e3, 1e6, 1e8, 1e9}) {
    const Vector rates = size * X.col(0).array().exp();
    const Vector z = RandomStream{.seed = 4}.normals(20);
    const Vector counts = (rates + rates.cwiseSqrt().cwiseProduct(z)).array().round();
    LaplaceEvidence evidence(poisson, X, counts, Matrix::Constant(20, 1, std::log(size)));
    const auto found = evidence.at(process, Vector(), {});
    ASSERT_TRUE(found) << size;
    const long double expected = long_log_evidence(process.kernel.matrix(X, X), counts, size);
    EXPECT_NEAR(found->log_evidence, static_cast<double>(expected), std::max(1e-3, 1e-10 * size)) << size;
  }
}

TEST(LaplaceEvidence, IsNothingWhereRoundingHidesTheMode) {
  const Matrix X = Vector::LinSpaced(20, -2, 2);
  const Eigen::ArrayXd x = X.col(0);
  const Vector counts = (1e12 * x.exp() * (1 + 0.3 * (5 * x).sin())).round();
  LaplaceEvidence evidence(parse_likelihood("poisson"), X, counts, Matrix::Zero(20, 1));
  EXPECT_FALSE(evidence.at(process_of("se(amplitude=20, lengthscale=1)"), Vector(), {}));
}

TEST(LaplaceEvidence, IsNothingWhereRatesOverflow) {
  const LikelihoodPointer likelihood = parse_likelihood("poisson");
  EXPECT_FALSE(evidence_of(likelihood).at(process_of("se()", "1e4"), Vector()));
}

TEST(LearningOfClasses, FindsTheInputThatMatters) {
  const Index n = 150;
  const Matrix X = inputs(n);
  Matrix y(n, 1);
  for (Index i = 0; i < n; ++i)
    y(i, 0) = RandomStream{.seed = 3}.uniform(static_cast<std::uint64_t>(i)) <
                      1 / (1 + std::exp(-4 * std::sin(2 * X(i, 0))))
                  ? 1
                  : 0;
  const LearnedTarget learned = learn_target(
      process_of("se(lengthscale=[1, 1])"), X,
      LatentResponse{.likelihood = parse_likelihood("bernoulli"), .Y = y, .offset = Matrix::Zero(n, 1)});
  const std::vector<KernelParameter> parameters = learned.process.kernel.parameters();
  double first = 0, second = 0;
  for (const KernelParameter& parameter : parameters) {
    if (parameter.name == "se.lengthscale[1]") first = parameter.value;
    if (parameter.name == "se.lengthscale[2]") second = parameter.value;
  }
  EXPECT_GT(second, 5 * first);
  EXPECT_TRUE(learned.starts[learned.best].converged);
}

TEST(LearningOfHeavyTails, FindsScaleAndDegrees) {
  const Index n = 300;
  const LikelihoodPointer truth = parse_likelihood("student(scale=0.2, degrees=3)");
  const Matrix X = inputs(n);
  Matrix y(n, 1);
  for (Index i = 0; i < n; ++i) {
    const double f = std::sin(2 * X(i, 0));
    double draw = 0;
    truth->draw(&f, RandomStream{.seed = 4}.uniform(static_cast<std::uint64_t>(i)), &draw);
    y(i, 0) = draw;
  }
  const LearnedTarget learned = learn_target(
      process_of("se(lengthscale=[1, 1])"), X,
      LatentResponse{.likelihood = parse_likelihood("student"), .Y = y, .offset = Matrix::Zero(n, 1)});
  EXPECT_NEAR(learned.noise(0), 0.2, 0.05);
  EXPECT_GT(learned.noise(1), 2.0);
  EXPECT_LT(learned.noise(1), 8.0);
}

}  // namespace
}  // namespace ridgelet
