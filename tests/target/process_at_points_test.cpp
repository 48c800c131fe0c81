#include "ridgelet/target/process_at_points.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/linalg/rank_revealing.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::relative_error;
using testing::tolerance::two_routes;

const Matrix q = Vector::LinSpaced(60, -6, 6);
const Matrix line = Vector::LinSpaced(15, -4.7, 5.1);

GaussianProcess process_on_line(const std::string& kernel, const std::string& mean = "0") {
  return {parse_kernel(kernel), MeanFunction(mean)};
}

TEST(ProcessAtPoints, IsOnePivotedFactorForAnOrdinaryKernel) {
  for (const std::string kernel :
       {"se(lengthscale=1.5)", "(se() + 0.1*linear()) * (1 + periodic()) + white(amplitude=0.1)"}) {
    const ProcessAtPoints at_q(process_on_line(kernel, "0.2*x - 1"), q);
    const RankRevealingFactor factor = factorise(parse_kernel(kernel).matrix(q, q), "kernel");
    EXPECT_EQ(at_q.factor().L, factor.L);
    EXPECT_EQ(at_q.factor().pivots, factor.pivots);
    EXPECT_EQ(at_q.factor().group_starts, std::vector<Index>{0});
    EXPECT_LT(relative_error(at_q.mean(), (0.2 * q.array() - 1).matrix()), two_routes);
  }
}

TEST(ProcessAtPoints, KeepsATermThatIsSmallBesideAnother) {
  const ProcessAtPoints both(process_on_line("constant(amplitude=1e6) + se()"), q),
      small(process_on_line("se()"), q);
  ASSERT_EQ(both.rank(), 1 + small.rank());
  EXPECT_EQ(both.factor().group_starts, (std::vector<Index>{0, 1}));
  EXPECT_EQ(both.factor().L.col(0), Vector::Constant(60, 1e6));
  EXPECT_EQ(both.factor().L.rightCols(small.rank()), small.factor().L);
  const auto kriging = both.kriging(line), of_small = small.kriging(line);
  EXPECT_EQ(kriging.coordinates.bottomRows(small.rank()), of_small.coordinates);
  EXPECT_LT((kriging.floor - of_small.floor).cwiseAbs().maxCoeff(), two_routes);
}

TEST(ProcessAtPoints, PutsTermsTogetherWhoseTracesAreWithinAThousandOfTheLargest) {
  const auto groups = [](const std::string& kernel) {
    std::vector<std::string> texts;
    for (const Kernel& group : groups_of_terms(parse_kernel(kernel), q)) texts.push_back(group.text());
    return texts;
  };
  const std::string in_full = "constant(amplitude=1) + constant(amplitude=31)";
  EXPECT_EQ(groups("1 + constant(amplitude=31)"), std::vector<std::string>{in_full});
  EXPECT_EQ(groups("1 + constant(amplitude=32)"),
            (std::vector<std::string>{"constant(amplitude=32)", "constant(amplitude=1)"}));
  // Each group is measured by its own largest term, and its terms stay in order.
  EXPECT_EQ(
      groups("1 + constant(amplitude=20) + constant(amplitude=400) + constant(amplitude=25)"),
      (std::vector<std::string>{"constant(amplitude=20) + constant(amplitude=400) + constant(amplitude=25)",
                                "constant(amplitude=1)"}));
  EXPECT_EQ(groups("(1 + constant(amplitude=100)) * white()"),
            (std::vector<std::string>{"constant(amplitude=100) * white(amplitude=1)",
                                      "constant(amplitude=1) * white(amplitude=1)"}));
}

TEST(ProcessAtPoints, GivesTheCovarianceOfTheKernelBackGroupByGroup) {
  const ProcessAtPoints at_q(
      process_on_line("constant(amplitude=1e6) + matern32() + constant(amplitude=1e3)*linear()"), q);
  const Matrix& L = at_q.factor().L;
  const Index first = at_q.factor().group_starts[1], second = at_q.factor().group_starts[2];
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
  const Matrix small = L.rightCols(at_q.rank() - 2);
  EXPECT_LT(relative_error(small * small.transpose(), parse_kernel("matern32()").matrix(q, q)), two_routes);
}

/// The posterior mean at x given y = f(X) + noise for constant(amplitude=a) + se(), the constant integrated out by
/// hand: with C = se(X, X) + noise^2 I its mean is b = 1^T C^{-1} y / (1^T C^{-1} 1 + a^{-2}).
Vector split_by_hand(const Vector& y, double noise, double a, const Matrix& x) {
  const Kernel se = parse_kernel("se()");
  const Matrix C = se.matrix(line, line) + noise * noise * Matrix::Identity(line.rows(), line.rows());
  const Eigen::LLT<Matrix> factor(C);
  const Vector ones = Vector::Ones(line.rows());
  const double b = ones.dot(factor.solve(y)) / (ones.dot(factor.solve(ones)) + 1 / (a * a));
  return (se.matrix(x, line) * factor.solve(y - b * ones)).array() + b;
}

/// The same from the factored form: min over z of |y - G z|^2 / noise^2 + |z|^2 by QR, G the coordinates at X.
Vector from_coordinates(const ProcessAtPoints& at_q, const Vector& y, double noise, const Matrix& x) {
  const Index R = at_q.rank(), M = line.rows();
  Matrix stacked(M + R, R);
  stacked << at_q.kriging(line).coordinates.transpose() / noise, Matrix::Identity(R, R);
  Vector right = Vector::Zero(M + R);
  right.head(M) = y / noise;
  return at_q.kriging(x).coordinates.transpose() * stacked.colPivHouseholderQr().solve(right);
}

TEST(ProcessAtPoints, HasTheRightPosteriorHoweverLargeTheConstant) {
  const Vector y = (line.array() * 1.3).sin() + 3e5;
  const Matrix x = Vector::LinSpaced(9, -3.9, 4.2);
  for (const double a : {1.0, 1e3, 1e6}) {
    const ProcessAtPoints at_q(
        {Kernel(parse_kernel("se()")) + parse_kernel("constant()").with_parameters(Vector::Constant(1, a))},
        q);
    // Posterior standard deviations are about 0.05, and the values 3e5, where doubles are 1e-10 apart.
    const Vector error = from_coordinates(at_q, y, 0.1, x) - split_by_hand(y, 0.1, a, x);
    EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-4) << a;
  }
}

TEST(ProcessAtPoints, HasNoCoordinatesForATermThatVanishesAtThePoints) {
  const ProcessAtPoints at_q(process_on_line("se() + outer(x > 100 ? 2 : 0)"), q),
      se(process_on_line("se()"), q);
  EXPECT_EQ(at_q.rank(), se.rank());
  EXPECT_NEAR(at_q.kriging(Matrix{{200}}).floor(0), std::sqrt(1 + 4), two_routes);
}

TEST(ProcessAtPoints, FactorsEachTermOnlyAsFarAsItGoes) {
  const ProcessAtPoints at_q(process_on_line("constant(amplitude=1e5) + linear()"), q);
  EXPECT_EQ(at_q.rank(), 2);
  const auto kriging = at_q.kriging(line);
  EXPECT_EQ(kriging.floor, Vector::Zero(line.rows()));
  EXPECT_LT(relative_error(kriging.coordinates.row(1).cwiseAbs().transpose(), line.cwiseAbs()), two_routes);
}

TEST(ProcessAtPoints, IsTheSameFromAStoredFactor) {
  const GaussianProcess process = process_on_line("constant(amplitude=1e6) + se()", "x");
  const ProcessAtPoints computed(process, q), read(process, q, computed.factor());
  EXPECT_EQ(read.mean(), computed.mean());
  EXPECT_EQ(read.factor().L, computed.factor().L);
  EXPECT_EQ(read.kriging(line).coordinates, computed.kriging(line).coordinates);
  EXPECT_EQ(read.kriging(line).floor, computed.kriging(line).floor);
}

TEST(ProcessAtPoints, KeepsToTheOrderOfAStoredFactor) {
  // Pivots in another order than ours: what the coordinates mean is for the stored factor to say.
  const GaussianProcess process = process_on_line("matern12()");
  const Matrix points = q.topRows(4), reversed = points.colwise().reverse();
  const ProcessAtPoints other(process, reversed);
  FactorAtPoints stored = other.factor();
  stored.L = stored.L.colwise().reverse().eval();
  for (Index& pivot : stored.pivots) pivot = 3 - pivot;
  EXPECT_NE(stored.pivots, ProcessAtPoints(process, points).factor().pivots);
  EXPECT_EQ(ProcessAtPoints(process, points, stored).kriging(line).coordinates,
            other.kriging(line).coordinates);
}

TEST(ProcessAtPoints, RefusesAStoredFactorOfAnotherProcess) {
  const GaussianProcess process = process_on_line("constant(amplitude=1e6) + se()");
  const FactorAtPoints right = ProcessAtPoints(process, q).factor();
  const Index R = right.rank();
  const auto complaint = [&](auto&& change) {
    FactorAtPoints factor = right;
    change(factor);
    return complaint_of([&] { ProcessAtPoints(process, q, factor); });
  };
  EXPECT_EQ(complaint([](FactorAtPoints&) {}), "");
  EXPECT_EQ(complaint([](FactorAtPoints& f) { f.L.conservativeResize(59, Eigen::NoChange); }),
            "factor: L: must have 60 rows, got 59");
  EXPECT_EQ(complaint([](FactorAtPoints& f) { f.L(3, 3) = NAN; }), "factor: L must be finite");
  EXPECT_EQ(complaint([](FactorAtPoints& f) { f.pivots.pop_back(); }),
            "factor: must have " + std::to_string(R) + " pivots, one for each column, got " +
                std::to_string(R - 1));
  EXPECT_EQ(complaint([](FactorAtPoints& f) { f.pivots.back() = 60; }),
            "factor: pivots must be different rows below 60");
  EXPECT_EQ(complaint([](FactorAtPoints& f) { f.pivots.back() = -1; }),
            "factor: pivots must be different rows below 60");
  EXPECT_EQ(complaint([](FactorAtPoints& f) { f.pivots[2] = f.pivots[1]; }),
            "factor: pivots must be different rows below 60");
  EXPECT_EQ(complaint([](FactorAtPoints& f) { f.group_starts = {0}; }),
            "factor: must have 2 groups of terms as the kernel has, got 1");
  EXPECT_EQ(complaint([&](FactorAtPoints& f) {
              f.group_starts = {0, R + 1};
            }),
            "factor: group starts must rise from 0 to at most the rank");
  EXPECT_EQ(complaint([](FactorAtPoints& f) {
              f.group_starts = {1, 1};
            }),
            "factor: group starts must rise from 0 to at most the rank");
  EXPECT_EQ(complaint([](FactorAtPoints& f) { std::swap(f.pivots[1], f.pivots[2]); }),
            "factor: L must be lower triangular in the order of its pivots, with a positive diagonal");
  EXPECT_EQ(complaint([](FactorAtPoints& f) { f.L.col(0) *= 2; }),
            "factor: L L^T must have the variances of the kernel at the points, and is off by 3e+12");
}

TEST(ProcessAtPoints, RefusesAMeanOrKernelThatIsNotFinite) {
  EXPECT_EQ(complaint_of([] { ProcessAtPoints(process_on_line("se()", "log(x)"), q); }),
            "mean: must be finite at every point, and 'log(x)' is not");
  EXPECT_EQ(complaint_of([] { ProcessAtPoints(process_on_line("se() + constant(amplitude=1e200)"), q); }),
            "kernel: must be finite at every point, and 'constant(amplitude=1e+200)' is not");
  EXPECT_EQ(complaint_of([] { ProcessAtPoints(process_on_line("se(active=2)"), q); }),
            "kernel: se: active: must be at most 1, the number of inputs, got 2");
}

}  // namespace
}  // namespace ridgelet
