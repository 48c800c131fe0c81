#include "ridgelet/activation/associated_function.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "expectations.hpp"

namespace ridgelet {
namespace {

constexpr double frequencies[] = {0, std::numbers::pi / 2, std::numbers::pi};

double peak(const AssociatedFunction& psi) {
  double largest = 0;
  for (double z = -12; z <= 12; z += 0.01) largest = std::max(largest, std::abs(psi(z)));
  return largest;
}

TEST(AssociatedFunction, OfOrderZeroIsItsBase) {
  const AssociatedFunction plain(2.5, 0, 0), wavy(2.5, 1.3, 0);
  for (double z = -6; z <= 6; z += 0.37) {
    EXPECT_DOUBLE_EQ(plain(z), 2.5 * std::exp(-z * z / 2));
    EXPECT_NEAR(wavy(z), 2.5 * std::exp(-z * z / 2) * std::sin(1.3 * z), 1e-15);
  }
}

// Two derivatives at a time, from the base upwards, by the five-point rule of fourth order.
TEST(AssociatedFunction, OfTwoOrdersMoreIsTheSecondDerivative) {
  const double h = 2e-3;
  for (const double frequency : frequencies)
    for (const int order : {0, 2, 4, 6, 8}) {
      const AssociatedFunction psi(1, frequency, order), next(1, frequency, order + 2);
      for (double z = -5; z <= 5; z += 0.113) {
        const double second_derivative =
            (-psi(z - 2 * h) + 16 * psi(z - h) - 30 * psi(z) + 16 * psi(z + h) - psi(z + 2 * h)) /
            (12 * h * h);
        EXPECT_NEAR(next(z), second_derivative, 1e-7 * peak(next))
            << "order " << order << ", frequency " << frequency << ", z " << z;
      }
    }
}

TEST(AssociatedFunction, HasADerivativeThatEqualsDifferences) {
  const double h = 2e-3;
  for (const double frequency : frequencies)
    for (const int order : {0, 2, 4, 6, 8}) {
      const AssociatedFunction psi(-0.7, frequency, order), slope = psi.derivative();
      for (double z = -5; z <= 5; z += 0.113)
        EXPECT_NEAR(slope(z), (psi(z - 2 * h) - 8 * psi(z - h) + 8 * psi(z + h) - psi(z + 2 * h)) / (12 * h),
                    1e-7 * peak(slope))
            << "order " << order << ", frequency " << frequency << ", z " << z;
    }
}

// (2 pi)^{-1/2} integral psi(z) exp(-i xi z) dz; the trapezoid rule converges exponentially for such
// functions.
std::complex<double> transform_of_values(const AssociatedFunction& psi, double xi) {
  const double step = 0.02;
  std::complex<double> sum = 0;
  for (int j = -1000; j <= 1000; ++j) {
    const double z = step * j;
    sum += psi(z) * std::polar(1.0, -xi * z);
  }
  return sum * step / std::sqrt(2 * std::numbers::pi);
}

TEST(AssociatedFunction, HasTheFourierTransformOfItsOwnValues) {
  for (const double frequency : frequencies)
    for (const int order : {0, 1, 2, 3, 4, 6, 7, 10}) {
      const AssociatedFunction psi(-0.7, frequency, order);
      for (const double xi : {-4.0, -1.3, -0.2, 0.0, 0.4, 1.0, 2.2, 3.7, 6.0})
        EXPECT_LT(std::abs(psi.fourier_transform(xi) - transform_of_values(psi, xi)), 1e-12 * peak(psi))
            << "order " << order << ", frequency " << frequency << ", xi " << xi;
    }
}

TEST(AssociatedFunction, IsEvenWithAPlainBaseAndOddWithASine) {
  EXPECT_TRUE(rc::check("psi(-z) = +- psi(z)", [](std::uint8_t half_order) {
    const int order = 2 * (half_order % 11);
    const double z = *rc::gen::inRange(0, 9000) / 1000.0;
    const AssociatedFunction even(1.7, 0, order), odd(1.7, std::numbers::pi / 2, order);
    RC_ASSERT(even(-z) == even(z));
    RC_ASSERT(odd(-z) == -odd(z));
  }));
}

TEST(AssociatedFunction, IsNegligibleBeyondItsCutoffAndZeroThere) {
  for (const double frequency : frequencies)
    for (const int order : {2, 4, 8, 20, 40}) {
      const AssociatedFunction psi(1, frequency, order);
      const double z = psi.cutoff() + 1e-6;
      EXPECT_LT(std::abs(hermite(order, {z, -frequency})) * std::exp(-z * z / 2), 1e-17 * peak(psi))
          << "order " << order << ", frequency " << frequency;
      EXPECT_EQ(psi(z), 0);
      EXPECT_EQ(psi(-z), 0);
      EXPECT_GT(psi.cutoff(), 8);
      EXPECT_LT(psi.cutoff(), 25);
    }
}

TEST(AssociatedFunction, VanishesAtInfinityAndKeepsNaN) {
  const AssociatedFunction psi(1, std::numbers::pi, 4);
  EXPECT_EQ(psi(std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(psi(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(psi(1e300), 0);
  EXPECT_TRUE(std::isnan(psi(std::numeric_limits<double>::quiet_NaN())));
}

TEST(AssociatedFunction, IsProportionalToItsConstant) {
  const AssociatedFunction one(1, 1.1, 6), minus_three(-3, 1.1, 6);
  for (double z = -4; z < 4; z += 0.5) EXPECT_DOUBLE_EQ(minus_three(z), -3 * one(z));
  EXPECT_DOUBLE_EQ(minus_three.fourier_transform(0.8).imag(), -3 * one.fourier_transform(0.8).imag());
  EXPECT_EQ(minus_three.constant(), -3);
  EXPECT_EQ(minus_three.frequency(), 1.1);
  EXPECT_EQ(minus_three.order(), 6);
}

// E psi(z + t) by the trapezoidal rule, which is all but exact for such integrands.
TEST(AssociatedFunction, IsSmoothedByANormalInClosedForm) {
  for (const double frequency : {0.0, std::numbers::pi / 2})
    for (const int order : {2, 4, 6}) {
      const AssociatedFunction psi(0.7, frequency, order);
      for (const double variance : {0.0, 0.3, 9.0})
        for (const double z : {-2.5, 0.0, 0.4, 6.0}) {
          const double step = 0.01, sd = std::sqrt(variance);
          double expected = variance == 0 ? psi(z) : 0;
          for (double t = -9; variance > 0 && t <= 9; t += step)
            expected += step * std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi) * psi(z + sd * t);
          EXPECT_NEAR(psi.smoothed(z, variance), expected, 1e-12) << order << " " << variance << " " << z;
        }
    }
}

TEST(HermitePolynomials, AreThoseOfTheProbabilists) {
  for (const std::complex<double> z : {std::complex<double>(0.3, 0), {-1.7, 0.4}, {2.5, -std::numbers::pi}}) {
    const std::complex<double> z2 = z * z;
    EXPECT_EQ(hermite(0, z), 1.0);
    EXPECT_EQ(hermite(1, z), z);
    EXPECT_LT(std::abs(hermite(2, z) - (z2 - 1.0)), 1e-13);
    EXPECT_LT(std::abs(hermite(3, z) - (z2 * z - 3.0 * z)), 1e-13);
    EXPECT_LT(std::abs(hermite(4, z) - (z2 * z2 - 6.0 * z2 + 3.0)), 1e-12);
    EXPECT_LT(std::abs(hermite(6, z) - (z2 * z2 * z2 - 15.0 * z2 * z2 + 45.0 * z2 - 15.0)), 1e-10);
  }
}

}  // namespace
}  // namespace ridgelet
