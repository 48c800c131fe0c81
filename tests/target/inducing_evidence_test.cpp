#include "ridgelet/target/inducing_evidence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "evidence_slopes.hpp"
#include "expectations.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

const Matrix induced_X = RandomStream{.seed = 31}.normals(40, 3);
const Matrix induced_Y = RandomStream{.seed = 32}.normals(40, 2);
const Matrix inducing_Z = induced_X.topRows(12);
const Vector induced_noise = (Vector(2) << 0.4, 0.7).finished();

GaussianProcess induced_process(const std::string& kernel, const std::string& mean = "0.3*x1 - 0.2") {
  return {.kernel = parse_kernel(kernel), .mean = MeanFunction(mean)};
}

/// F by the N x N formula.
double bound_by_dense_matrices(const GaussianProcess& process, const Matrix& Z) {
  const Matrix K_ZX = process.kernel.matrix(Z, induced_X), K_ZZ = process.kernel.matrix(Z, Z);
  const Matrix Q = K_ZX.transpose() * K_ZZ.ldlt().solve(K_ZX);
  const double unexplained = process.kernel.diagonal(induced_X).sum() - Q.trace();
  double sum = 0;
  for (Index j = 0; j < 2; ++j) {
    const double s2 = induced_noise(j) * induced_noise(j);
    const Eigen::LLT<Matrix> C(Q + s2 * Matrix::Identity(Q.rows(), Q.cols()));
    const Vector r = induced_Y.col(j) - process.mean(induced_X);
    sum -= 0.5 * (r.dot(C.solve(r)) + 2 * Matrix(C.matrixL()).diagonal().array().log().sum() +
                  static_cast<double>(r.size()) * std::log(2 * std::numbers::pi) + unexplained / s2);
  }
  return sum;
}

TEST(InducingEvidence, IsTheBoundOfTheDenseFormula) {
  for (const char* kernel : {"se(lengthscale=[1, 2, 0.7])", "matern12() * linear() + 0.3", "rq(alpha=0.4)"}) {
    const GaussianProcess process = induced_process(kernel);
    const double expected = bound_by_dense_matrices(process, inducing_Z);
    const auto bound = InducingEvidence(induced_X, induced_Y, inducing_Z).at(process, induced_noise);
    ASSERT_TRUE(bound);
    // K_ZZ has 1e-10 of its diagonal more.
    EXPECT_NEAR(bound->log_evidence, expected, 1e-7 * std::abs(expected)) << kernel;
  }
}

TEST(InducingEvidence, IsTheEvidenceWhereThePointsAreTheRows) {
  const GaussianProcess process = induced_process("matern32(lengthscale=2)");
  const double evidence = EvidenceFunction(induced_X, induced_Y).at(process, induced_noise)->log_evidence;
  const double bound =
      InducingEvidence(induced_X, induced_Y, induced_X).at(process, induced_noise)->log_evidence;
  EXPECT_NEAR(bound, evidence, 1e-7 * std::abs(evidence));
}

TEST(InducingEvidence, IsBelowTheEvidenceAndRisesWithEveryPoint) {
  const GaussianProcess process = induced_process("se(lengthscale=1.5)");
  const double evidence = EvidenceFunction(induced_X, induced_Y).at(process, induced_noise)->log_evidence;
  double before = -std::numeric_limits<double>::infinity();
  for (const Index points : {1, 5, 12, 25}) {
    const double bound = InducingEvidence(induced_X, induced_Y, induced_X.topRows(points))
                             .at(process, induced_noise)
                             ->log_evidence;
    EXPECT_GT(bound, before);
    EXPECT_LT(bound, evidence);
    before = bound;
  }
}

TEST(InducingEvidence, HasTheSlopeOfItsDifferences) {
  InducingEvidence function(induced_X, induced_Y, inducing_Z);
  for (const char* kernel :
       {"se(amplitude=1.3, lengthscale=[0.8, 2.1, 1.4])", "rq(lengthscale=2, alpha=0.5)", "matern12()",
        "matern32(lengthscale=[0.8, 2.1], active=[3, 1])", "matern52(lengthscale=0.5)",
        "(matern32() + linear()) * (se(lengthscale=[2, 1, 3]) + cosine(period=2, active=[2]))",
        "se(lengthscale=2) * periodic(period=1.7, active=[1]) + white(amplitude=0.3) + 0.2"})
    testing::expect_slopes_of_differences(function, induced_process(kernel), induced_noise);
}

TEST(InducingEvidence, DoesNotMindPointsThatStandTwice) {
  Matrix Z(24, 3);
  Z << inducing_Z, inducing_Z;
  const GaussianProcess process = induced_process("se(lengthscale=1.5)");
  const double once =
      InducingEvidence(induced_X, induced_Y, inducing_Z).at(process, induced_noise)->log_evidence;
  InducingEvidence function(induced_X, induced_Y, Z);
  EXPECT_NEAR(function.at(process, induced_noise)->log_evidence, once, 1e-7 * std::abs(once));
  testing::expect_slopes_of_differences(function, process, induced_noise);
}

TEST(InducingEvidence, LosesNoDigitsWhereDataAreFollowed) {
  const GaussianProcess process = induced_process("se(lengthscale=1.5)", "0");
  const Matrix Y = process.kernel.matrix(induced_X, inducing_Z) * RandomStream{.seed = 33}.normals(12, 1);
  const Vector noise = Vector::Constant(1, 1e-4);
  // The points are the rows, so what is lacking is due to the 1e-10 on the diagonal: n 1e-10 / (2 s^2) = 0.2. The squares
  // of the data over those of the noise are of size 1e9.
  const Evidence evidence = EvidenceFunction(induced_X, Y).at(process, noise).value();
  const Evidence bound = InducingEvidence(induced_X, Y, induced_X).at(process, noise).value();
  EXPECT_NEAR(evidence.log_evidence - bound.log_evidence, 0.2, 1e-3);
  // It is in proportion to the variance, as the diagonal is.
  EXPECT_NEAR(evidence.kernel_slope(0) - bound.kernel_slope(0), 2 * 0.2, 1e-2);
}

TEST(InducingEvidence, IsTheSameForAnyNumberOfThreads) {
  const Matrix X = RandomStream{.seed = 34}.normals(1500, 2);
  const GaussianProcess process = induced_process("se() + linear()");
  const auto with = [&](int threads) {
    const ThreadScope scope(threads);
    return InducingEvidence(X, X.col(0).array().sin(), X.topRows(70))
        .at(process, Vector::Constant(1, 0.1))
        .value();
  };
  const Evidence one = with(1), four = with(4);
  EXPECT_EQ(one.log_evidence, four.log_evidence);
  EXPECT_EQ(one.kernel_slope, four.kernel_slope);
  EXPECT_EQ(one.noise_slope, four.noise_slope);
}

TEST(InducingEvidence, OfSomeRowsIsThatOfATableOfThem) {
  const std::vector<Index> rows{3, 17, 25, 38};
  const GaussianProcess process = induced_process("rq()");
  const auto some = InducingEvidence(induced_X, induced_Y, inducing_Z).of_rows(rows);
  InducingEvidence table(induced_X(rows, Eigen::all), induced_Y(rows, Eigen::all), inducing_Z);
  EXPECT_EQ(some->at(process, induced_noise, {})->log_evidence,
            table.at(process, induced_noise)->log_evidence);
}

TEST(InducingEvidence, RefusesPointsOfOtherInputs) {
  EXPECT_EQ(complaint_of([] { InducingEvidence(induced_X, induced_Y, inducing_Z.leftCols(2)); }),
            "Z: must have 3 columns, one for each input, got 2");
  EXPECT_EQ(complaint_of([] { InducingEvidence(induced_X, induced_Y.topRows(39), inducing_Z); }),
            "y: must have 40 rows, got 39");
}

}  // namespace
}  // namespace ridgelet
