#include "ridgelet/target/covariance/kernel.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "expectations.hpp"
#include "golden.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/target/covariance/constant.hpp"
#include "ridgelet/target/covariance/cosine.hpp"
#include "ridgelet/target/covariance/linear.hpp"
#include "ridgelet/target/covariance/matern12.hpp"
#include "ridgelet/target/covariance/matern32.hpp"
#include "ridgelet/target/covariance/matern52.hpp"
#include "ridgelet/target/covariance/outer.hpp"
#include "ridgelet/target/covariance/periodic.hpp"
#include "ridgelet/target/covariance/rational_quadratic.hpp"
#include "ridgelet/target/covariance/squared_exponential.hpp"
#include "ridgelet/target/covariance/white.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using std::numbers::pi;
using testing::relative_error;
using testing::tolerance::two_routes;

/// Two points of R^3; their first one and two coordinates serve in lower dimensions.
const Matrix x = Matrix{{0.3, -1.2, 2.0}};
const Matrix y = Matrix{{1.1, 0.4, -0.7}};

double at(const Kernel& k, const Matrix& a, const Matrix& b) {
  return k.matrix(a, b)(0, 0);
}

/// A stationary kernel against amplitude^2 rho(r), r written out, in 1 to 3 inputs: with one lengthscale,
/// with one for each input, and on the inputs 3 and 1 only.
template <StationaryKernel K>
void expect_stationary(K k, const std::function<double(double)>& rho) {
  k.amplitude = 1.7;
  const auto expect = [&](const Matrix& a, const Matrix& b, double r) {
    EXPECT_NEAR(at(k, a, b), 1.7 * 1.7 * rho(r), two_routes) << Kernel(k).text() << " in " << a.cols();
    EXPECT_NEAR(Kernel(k).diagonal(a)(0), 1.7 * 1.7, two_routes);
  };
  k.lengthscale = 2.5;
  expect(x.leftCols(1), y.leftCols(1), 0.8 / 2.5);
  expect(x.leftCols(2), y.leftCols(2), std::hypot(0.8, 1.6) / 2.5);
  expect(x, y, std::hypot(0.8, 1.6, 2.7) / 2.5);
  k.lengthscale = std::vector{2.0, 0.5, 3.0};
  expect(x, y, std::hypot(0.8 / 2.0, 1.6 / 0.5, 2.7 / 3.0));
  k.active = {{3, 1}};
  k.lengthscale = std::vector{4.0, 0.5};
  expect(x, y, std::hypot(2.7 / 4.0, 0.8 / 0.5));
  k.lengthscale = 2.0;
  expect(x, y, std::hypot(2.7, 0.8) / 2.0);
}

TEST(Kernel, HasTheSameLargeMatrixAsItsColumns) {
  const Matrix points = RandomStream{.seed = 3}.normals(900, 2);
  for (const char* text : {"se(lengthscale=0.5) * linear()", "periodic(active=[1]) + white()"}) {
    const Kernel kernel = parse_kernel(text);
    const Matrix K = kernel.matrix(points, points);
    for (const Index j : {0, 290, 291, 292, 583, 899})
      EXPECT_EQ(K.col(j), kernel.matrix(points, points.row(j)).col(0)) << text << ", column " << j;
  }
}

TEST(Kernel, CanBeCancelledWhileItComputesALargeMatrix) {
  const Matrix points = RandomStream{.seed = 3}.normals(900, 1);
  const std::atomic<bool> cancelled = true;
  const CancellationScope scope(&cancelled);
  EXPECT_THROW(parse_kernel("matern32()").matrix(points, points), Cancelled);
}

TEST(SquaredExponential, IsTheExponentialOfMinusHalfTheSquaredDistance) {
  expect_stationary(SquaredExponential{}, [](double r) { return std::exp(-r * r / 2); });
  EXPECT_NEAR(at(SquaredExponential{}, Matrix{{0}}, Matrix{{1}}), 0.6065306597126334, two_routes);
}

TEST(RationalQuadratic, IsAPowerOfOnePlusTheSquaredDistance) {
  expect_stationary(RationalQuadratic{.alpha = 0.6},
                    [](double r) { return std::pow(1 + r * r / (2 * 0.6), -0.6); });
  EXPECT_NEAR(at(RationalQuadratic{}, Matrix{{0}}, Matrix{{1}}), 2.0 / 3, two_routes);
}

TEST(RationalQuadratic, TendsToTheSquaredExponentialAsAlphaGrows) {
  EXPECT_NEAR(at(RationalQuadratic{.alpha = 1e12}, x, y), at(SquaredExponential{}, x, y), two_routes);
}

TEST(Matern12, IsTheExponentialOfMinusTheDistance) {
  expect_stationary(Matern12{}, [](double r) { return std::exp(-r); });
}

TEST(Matern32, IsALinearPolynomialTimesAnExponential) {
  expect_stationary(Matern32{},
                    [](double r) { return (1 + std::sqrt(3.0) * r) * std::exp(-std::sqrt(3.0) * r); });
}

TEST(Matern52, IsAQuadraticPolynomialTimesAnExponential) {
  expect_stationary(Matern52{}, [](double r) {
    return (1 + std::sqrt(5.0) * r + 5 * r * r / 3) * std::exp(-std::sqrt(5.0) * r);
  });
}

TEST(Periodic, IsTheExponentialOfASquaredSineOfTheDistance) {
  const Periodic k{.amplitude = 1.7, .lengthscale = 0.75, .period = 1.8};
  const auto formula = [](double r) {
    return 1.7 * 1.7 * std::exp(-2 * std::pow(std::sin(pi * r / 1.8), 2) / (0.75 * 0.75));
  };
  EXPECT_NEAR(at(k, x.leftCols(1), y.leftCols(1)), formula(0.8), two_routes);
  EXPECT_NEAR(at(k, x, y), formula(std::hypot(0.8, 1.6, 2.7)), two_routes);
  Periodic second = k;
  second.active = {{2}};
  EXPECT_NEAR(at(second, x, y), formula(1.6), two_routes);
}

TEST(Periodic, RepeatsAfterEachPeriod) {
  const Kernel k = Periodic{.lengthscale = 0.75, .period = 1.8};
  const double here = at(k, Matrix{{0.2}}, Matrix{{0.7}});
  EXPECT_NEAR(at(k, Matrix{{0.2}}, Matrix{{0.7 + 1.8}}), here, two_routes);
  EXPECT_NEAR(at(k, Matrix{{0.2 - 5 * 1.8}}, Matrix{{0.7}}), here, two_routes);
  EXPECT_GT(std::abs(at(k, Matrix{{0.2}}, Matrix{{0.7 + 0.9}}) - here), 0.01);
}

TEST(Cosine, IsACosineOfTheDistance) {
  const Cosine k{.amplitude = 1.7, .period = 1.8};
  const auto formula = [](double r) { return 1.7 * 1.7 * std::cos(2 * pi * r / 1.8); };
  EXPECT_NEAR(at(k, x.leftCols(1), y.leftCols(1)), formula(0.8), two_routes);
  EXPECT_NEAR(at(k, x.leftCols(2), y.leftCols(2)), formula(std::hypot(0.8, 1.6)), two_routes);
  Cosine third = k;
  third.active = {{3}};
  EXPECT_NEAR(at(third, x, y), formula(2.7), two_routes);
}

TEST(Linear, IsTheInnerProductOfTheActiveInputs) {
  const Linear k{.amplitude = 1.5};
  EXPECT_NEAR(at(k, x.leftCols(1), y.leftCols(1)), 2.25 * 0.33, two_routes);
  EXPECT_NEAR(at(k, x, y), 2.25 * (0.33 - 0.48 - 1.4), two_routes);
  EXPECT_NEAR(at(Linear{.amplitude = 1.5, .active = {{3, 2}}}, x, y), 2.25 * (-0.48 - 1.4), two_routes);
  EXPECT_NEAR(Kernel(Linear{.active = {{2}}}).diagonal(x)(0), 1.44, two_routes);
}

TEST(Constant, IsTheSquaredAmplitudeEverywhere) {
  EXPECT_EQ(Kernel(Constant{.amplitude = 1.5}).matrix(Matrix::Zero(2, 3), Matrix::Ones(4, 3)),
            Matrix::Constant(2, 4, 2.25));
}

TEST(White, IsTheVarianceWherePointsCoincideInTheActiveInputsAndZeroElsewhere) {
  const Matrix X{{1, 2}, {1, 3}, {4, 2}};
  const Matrix first{{2.25, 2.25, 0}, {2.25, 2.25, 0}, {0, 0, 2.25}};
  EXPECT_EQ(Kernel(White{.amplitude = 1.5}).matrix(X, X), 2.25 * Matrix::Identity(3, 3));
  EXPECT_EQ(Kernel(White{.amplitude = 1.5, .active = {{1}}}).matrix(X, X), first);
}

TEST(Outer, IsTheProductOfAFunctionAtBothPoints) {
  const Kernel k = Outer{MeanFunction("x1^2 - x3")};
  const double gx = 0.3 * 0.3 - 2.0, gy = 1.1 * 1.1 + 0.7;
  EXPECT_NEAR(at(k, x, y), gx * gy, two_routes);
  EXPECT_NEAR(k.diagonal(x)(0), gx * gx, two_routes);
}

TEST(Kernel, MatchesTheReferenceValues) {
  for (const auto& entry : testing::golden().at("kernels")) {
    const Kernel k = parse_kernel(entry.at("kernel").get<std::string>());
    const Matrix values = k.matrix(testing::as_matrix(entry.at("X1")), testing::as_matrix(entry.at("X2")));
    EXPECT_LT(testing::entrywise_error(values, testing::as_matrix(entry.at("value"))),
              testing::tolerance::golden_values)
        << k.text();
  }
}

TEST(Kernel, AddsAndMultipliesAsItsValuesDo) {
  const Kernel a = SquaredExponential{.lengthscale = 2.0}, b = Linear{.amplitude = 0.5}, c = Matern32{};
  const Matrix X = RandomStream{.seed = 1}.normals(4, 2), Y = RandomStream{.seed = 2}.normals(3, 2);
  const Matrix A = a.matrix(X, Y), B = b.matrix(X, Y), C = c.matrix(X, Y);
  EXPECT_EQ((a + b).matrix(X, Y), A + B);
  EXPECT_EQ((a * b).matrix(X, Y), A.cwiseProduct(B));
  EXPECT_LT(relative_error((a * (b + c)).matrix(X, Y), A.cwiseProduct(B) + A.cwiseProduct(C)), two_routes);
  EXPECT_EQ((a + b).diagonal(X), a.diagonal(X) + b.diagonal(X));
  EXPECT_EQ((a * b).diagonal(X), a.diagonal(X).cwiseProduct(b.diagonal(X)));
}

TEST(Kernel, LeavesItsPartsAsTheyWereWhenCombined) {
  Kernel a = SquaredExponential{};
  const Kernel before = a;
  a = a + Linear{} * Matern12{};
  EXPECT_EQ(before.text(), "se(amplitude=1, lengthscale=1)");
  EXPECT_EQ(a.text(),
            "se(amplitude=1, lengthscale=1) + linear(amplitude=1) * matern12(amplitude=1, lengthscale=1)");
}

/// One kernel of each name with random parameters, for one input.
Kernel any_kernel() {
  const auto number = [] { return *rc::gen::inRange(1, 500) / 70.0; };
  switch (*rc::gen::inRange(0, 11)) {
    case 0:
      return SquaredExponential{.amplitude = number(), .lengthscale = number()};
    case 1:
      return RationalQuadratic{.amplitude = number(), .lengthscale = number(), .alpha = number()};
    case 2:
      return Periodic{.amplitude = number(), .lengthscale = number(), .period = number()};
    case 3:
      return Matern12{.amplitude = number(), .lengthscale = number()};
    case 4:
      return Matern32{.amplitude = number(), .lengthscale = number()};
    case 5:
      return Matern52{.amplitude = number(), .lengthscale = number()};
    case 6:
      return Linear{.amplitude = number()};
    case 7:
      return Constant{.amplitude = number()};
    case 8:
      return White{.amplitude = number()};
    case 9:
      return Cosine{.amplitude = number(), .period = number()};
    default:
      return Outer{MeanFunction("sin(x) + 0.5*x")};
  }
}

RC_GTEST_PROP(Kernel, IsSymmetricAndPositiveSemiDefiniteInOneInput, (std::uint64_t seed)) {
  Kernel k = any_kernel();
  if (*rc::gen::arbitrary<bool>()) k = k + any_kernel();
  if (*rc::gen::arbitrary<bool>()) k = k * any_kernel();
  const Matrix X = 3 * RandomStream{.seed = seed}.normals(*rc::gen::inRange<Index>(1, 25), 1);
  const Matrix K = k.matrix(X, X);
  RC_ASSERT(relative_error(K.transpose(), K) < two_routes);
  RC_ASSERT(relative_error(K.diagonal(), k.diagonal(X)) < two_routes);
  const double least = Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues().minCoeff();
  RC_ASSERT(least >= -two_routes * K.trace());
}

RC_GTEST_PROP(Kernel, IsTransposedWhenItsPointsAreExchanged, (std::uint64_t seed)) {
  // The constant keeps white noise at different points from being a matrix of zeros.
  const Kernel k = Constant{} + any_kernel() + any_kernel() * any_kernel();
  const Matrix X = RandomStream{.seed = seed}.normals(7, 1), Y = RandomStream{.seed = seed}.normals(4, 1, 7);
  RC_ASSERT(relative_error(k.matrix(X, Y), k.matrix(Y, X).transpose()) < two_routes);
}

}  // namespace
}  // namespace ridgelet
