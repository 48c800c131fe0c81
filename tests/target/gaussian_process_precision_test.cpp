#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "expectations.hpp"
#include "process.hpp"
#include "quadruple.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/target/gaussian_process.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::process_of;

/// e^x in quadruple precision: Taylor's series at x / 1024, squared ten times.
testing::Quad quad_exp(testing::Quad x) {
  x /= 1024;
  testing::Quad term = 1, sum = 1;
  for (int i = 1; i < 20; ++i) sum += term *= x / i;
  for (int i = 0; i < 10; ++i) sum *= sum;
  return sum;
}

/// A squared exponential or Matern-1/2 kernel of lengthscale 1 and a constant on data of one input, in quadruple
/// precision, its values perhaps rounded to doubles.
struct QuadrupleProcess {
  bool smooth;
  double amplitude;
  Vector x;
  double constant = 0;
  double noise = 1;
  bool rounded = false;

  testing::Quad k(double a, double b) const {
    const testing::Quad r = static_cast<testing::Quad>(a) - static_cast<testing::Quad>(b);
    const testing::Quad exponent = smooth ? -r * r / 2 : r < 0 ? r : -r;
    const testing::Quad value = square(amplitude) * quad_exp(exponent) + square(constant);
    return rounded ? static_cast<testing::Quad>(static_cast<double>(value)) : value;
  }
  testing::QuadVector cross(double at) const {
    testing::QuadVector values;
    for (const double each : x) values.push_back(k(each, at));
    return values;
  }
  testing::QuadrupleCondition condition(const Vector& y) const {
    testing::QuadMatrix C;
    for (const double each : x) {
      C.push_back(cross(each));
      C.back()[C.size() - 1] += square(noise);
    }
    return {C, testing::QuadVector(y.begin(), y.end())};
  }
  static testing::Quad square(double a) {
    return static_cast<testing::Quad>(a) * static_cast<testing::Quad>(a);
  }
};

/// Largest errors of the posterior.
struct ExtremeErrors {
  double evidence = 0;
  double mean = 0;      ///< in predictive standard deviations, noise included
  double variance = 0;  ///< over variance and noise^2 together
  double at_data = 0;   ///< of the variance at the data, relative
};

ExtremeErrors errors_of(const QuadrupleProcess& exact, const std::string& kernel, const Vector& y,
                        const Vector& xs) {
  const GaussianProcessPosterior posterior(process_of(kernel), exact.x, y, exact.noise);
  const testing::QuadrupleCondition truth = exact.condition(y);
  const double s2 = exact.noise * exact.noise;
  ExtremeErrors errors{.evidence =
                           std::abs(posterior.log_marginal_likelihood() - truth.log_marginal_likelihood())};
  const Vector mean = posterior.mean(xs), variance = posterior.variance(xs),
               at_data = posterior.variance(exact.x);
  EXPECT_GE(variance.minCoeff(), 0);
  EXPECT_GE(at_data.minCoeff(), 0);
  for (Index i = 0; i < xs.size(); ++i) {
    const testing::QuadVector cross = exact.cross(xs(i));
    const double v = truth.variance(exact.k(xs(i), xs(i)), cross);
    errors.mean = std::max(errors.mean, std::abs(mean(i) - truth.mean(cross)) / std::sqrt(v + s2));
    errors.variance = std::max(errors.variance, std::abs(variance(i) - v) / (v + s2));
  }
  for (Index i = 0; i < exact.x.size(); ++i) {
    const double v = truth.variance(exact.k(exact.x(i), exact.x(i)), exact.cross(exact.x(i)));
    errors.at_data = std::max(errors.at_data, std::abs(at_data(i) / v - 1));
  }
  return errors;
}

void expect_errors_below(const ExtremeErrors& errors, double bound, double ratio) {
  EXPECT_LT(errors.evidence, bound) << "amplitude / noise " << ratio;
  EXPECT_LT(errors.mean, bound) << "amplitude / noise " << ratio;
  EXPECT_LT(errors.variance, bound) << "amplitude / noise " << ratio;
  EXPECT_LT(errors.at_data, bound) << "amplitude / noise " << ratio;
}

Vector noisy_sine(double ratio, const Vector& x) {
  return ratio * x.array().sin() + RandomStream{.seed = 1}.normals(x.size()).array();
}

ExtremeErrors errors_at(const std::string& kernel, double ratio, const Vector& x, const Vector& xs) {
  const QuadrupleProcess exact{.smooth = kernel == "se", .amplitude = ratio, .x = x};
  return errors_of(exact, kernel + "(amplitude=" + std::to_string(ratio) + ", lengthscale=1)",
                   noisy_sine(ratio, x), xs);
}

/// What rounding the values of the squared exponential does to its posterior at xs, all else in quadruple precision:
/// the largest change of the mean and of the variance in units of the noise.
double error_of_rounding(double ratio, const Vector& x, const Vector& xs) {
  const QuadrupleProcess exact{.smooth = true, .amplitude = ratio, .x = x};
  QuadrupleProcess rounded = exact;
  rounded.rounded = true;
  const Vector y = noisy_sine(ratio, x);
  const testing::QuadrupleCondition truth = exact.condition(y), off = rounded.condition(y);
  double largest = 0;
  for (const double at : xs) {
    const testing::QuadVector one = exact.cross(at), other = rounded.cross(at);
    largest =
        std::max({largest, std::abs(off.mean(other) - truth.mean(one)),
                  std::abs(off.variance(rounded.k(at, at), other) - truth.variance(exact.k(at, at), one))});
  }
  return largest;
}

// Rough kernels at separate points: the smallest eigenvalue of k is far above its rounding.
TEST(GaussianProcessPosterior, OfARoughKernelIsRightHoweverSmallTheNoise) {
  const Vector x = Vector::LinSpaced(12, -3, 3), xs = Vector::LinSpaced(17, -3.2, 3.2);
  for (const double ratio : {1.0, 1e3, 1e4, 1e5, 1e7, 1e8})
    expect_errors_below(errors_at("matern12", ratio, x, xs), 3e-7, ratio);
}

// Smooth kernels have eigenvalues of every size down to rounding, and no method that looks at rounded values of the
// kernel can know more than they say: one rounding of its values moves the posterior by 2e-12 of the noise at a ratio
// of 100, by 6e-4 at 1e5 and by 0.3 at 1e6. The factor that is kept does better than that at the last two ratios, as
// the bounds after the loop say.
TEST(GaussianProcessPosterior, OfASmoothKernelIsRightToTheRoundingOfTheKernel) {
  const Vector x = Vector::LinSpaced(30, -3, 3), xs = Vector::LinSpaced(17, -3.2, 3.2);
  for (const double ratio : {1.0, 1e2, 1e4, 1e5, 1e6, 1e7})
    expect_errors_below(errors_at("se", ratio, x, xs), 1e-12 + 10 * error_of_rounding(ratio, x, xs), ratio);
  expect_errors_below(errors_at("se", 1e6, x, xs), 1e-2, 1e6);
  expect_errors_below(errors_at("se", 1e7, x, xs), 0.3, 1e7);
}

// At 1e8 rounding alone moves the posterior by more than the noise: what is left to promise is numbers that are
// finite, and variances that are not negative (errors_of() checks that).
TEST(GaussianProcessPosterior, OfASmoothKernelCannotBeKnownAtRatiosOfAHundredMillion) {
  const Vector x = Vector::LinSpaced(30, -3, 3), xs = Vector::LinSpaced(17, -3.2, 3.2);
  EXPECT_GT(error_of_rounding(1e8, x, xs), 1);
  const ExtremeErrors errors = errors_at("se", 1e8, x, xs);
  EXPECT_TRUE(std::isfinite(errors.evidence) && std::isfinite(errors.mean) && std::isfinite(errors.variance));
}

// Over a hundredth of a lengthscale the kernel bends by 1e-4, 1e-8, ... of itself: for a wave of size 1 it needs digits
// beyond those of a double once the noise does not hide them.
TEST(GaussianProcessPosterior, RefusesAWaveThatAStiffKernelCannotFollowInDoubles) {
  const Matrix X = Vector::LinSpaced(9, -2, 2);
  const Vector y = (3 * X.array()).sin();
  const GaussianProcess stiff = process_of("se(lengthscale=100)");
  EXPECT_NO_THROW(GaussianProcessPosterior(stiff, X, y, 1e-2));
  for (const double noise : {1e-6, 1e-10})
    EXPECT_TRUE(complaint_of([&] {
                  GaussianProcessPosterior(stiff, X, y, noise);
                }).starts_with("noise: must be larger: "));
  EXPECT_NO_THROW(GaussianProcessPosterior(process_of("se(lengthscale=1)"), X, y, 1e-10));
  EXPECT_NO_THROW(GaussianProcessPosterior(process_of("constant(amplitude=1e9) + se()"), X, y, 1e-6));
}

// The constant is 1e8 times the noise, the other term 100 times: each has a factor of its own.
TEST(GaussianProcessPosterior, KeepsASmallTermBesideALargeOne) {
  const Vector x = Vector::LinSpaced(12, -3, 3), xs = Vector::LinSpaced(17, -3.2, 3.2);
  const QuadrupleProcess exact{.smooth = true, .amplitude = 1, .x = x, .constant = 1e6, .noise = 0.01};
  const Vector y = 3e5 + x.array().sin();
  const ExtremeErrors errors = errors_of(exact, "constant(amplitude=1e6) + se(lengthscale=1)", y, xs);
  expect_errors_below(errors, 1e-7, 1e8);
}

}  // namespace
}  // namespace ridgelet
