#include "ridgelet/assess/mmd.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "golden.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

Matrix draws(Index count, const Matrix& factor, std::uint64_t seed) {
  return RandomStream{.seed = seed}.normals(count, factor.cols()) * factor.transpose();
}

Matrix smooth_factor(Index inputs, double amplitude) {
  Matrix K(inputs, inputs);
  for (Index i = 0; i < inputs; ++i)
    for (Index j = 0; j < inputs; ++j) {
      const double r = 10 * static_cast<double>(i - j) / static_cast<double>(inputs - 1) / 1.5;
      K(i, j) = amplitude * amplitude * std::exp(-r * r / 2) + (i == j ? 1e-10 : 0);
    }
  return K.llt().matrixL();
}

TEST(GaussianMmd, AgreesWithTheReferenceValue) {
  const auto& entry = testing::golden().at("gaussian_mmd2");
  const double expected = entry.at("value");
  const double value = gaussian_mmd2(testing::as_matrix(entry.at("S1")), testing::as_matrix(entry.at("S2")),
                                     entry.at("inverse_alpha_squared"));
  EXPECT_NEAR(value, expected, testing::tolerance::golden_values * expected);
}

// In one dimension e(S) = (1 + 2 S / alpha^2)^{-1/2}.
TEST(GaussianMmd, HasItsClosedFormInOneDimension) {
  const auto e = [](double S) { return 1 / std::sqrt(1 + 2 * S * 0.3); };
  const double expected = e(2 * 1.5) - 2 * e(1.5 + 4) + e(2 * 4);
  EXPECT_NEAR(gaussian_mmd2(Matrix::Constant(1, 1, 1.5), Matrix::Constant(1, 1, 4.0), 0.3), expected, 1e-15);
}

TEST(GaussianMmd, IsZeroForEqualDistributionsAndSymmetric) {
  const Matrix F = RandomStream{.seed = 1}.normals(6, 6), G = RandomStream{.seed = 2}.normals(6, 3);
  const Matrix S1 = F * F.transpose(), S2 = G * G.transpose();
  EXPECT_NEAR(gaussian_mmd2(S1, S1, 0.1), 0, 1e-15);
  EXPECT_GT(gaussian_mmd2(S1, S2, 0.1), 1e-3);
  EXPECT_NEAR(gaussian_mmd2(S1, S2, 0.1), gaussian_mmd2(S2, S1, 0.1), 1e-15);
}

TEST(GaussianMmd, OfFactoredGaussiansWithoutMeansIsThatOfTheirCovariances) {
  const Matrix F = RandomStream{.seed = 1}.normals(6, 4), G = RandomStream{.seed = 2}.normals(6, 3);
  const Vector none = Vector::Zero(6);
  EXPECT_NEAR(gaussian_mmd2(Gaussian{none, F}, Gaussian{none, G}, 0.1),
              gaussian_mmd2(F * F.transpose(), G * G.transpose(), 0.1), 1e-15);
}

// N(0, s) and N(delta, t) in one dimension: E K = (1 + 2 (s + t) / alpha^2)^{-1/2} times
// exp(-delta^2 / (alpha^2 + 2 (s + t))).
TEST(GaussianMmd, KnowsMeans) {
  const double scale = 0.3, s = 1.5, t = 4, delta = 0.8;
  const auto e = [&](double S) { return 1 / std::sqrt(1 + 2 * S * scale); };
  const double cross = e(s + t) * std::exp(-delta * delta / (1 / scale + 2 * (s + t)));
  const Gaussian one{Vector::Zero(1), Matrix::Constant(1, 1, std::sqrt(s))},
      other{Vector::Constant(1, delta), Matrix::Constant(1, 1, std::sqrt(t))};
  EXPECT_NEAR(gaussian_mmd2(one, other, scale), e(2 * s) - 2 * cross + e(2 * t), 1e-15);
}

// One amplitude times a rank-one factor in two dimensions: det(I + 2 S / alpha^2) = 1 + 2 |F|^2 / alpha^2.
TEST(GaussianMmd, OfFactoredGaussiansSurvivesLargeAmplitudes) {
  const Vector F{{3e9, 4e9}}, none = Vector::Zero(2);
  const double c = paper_inverse_alpha_squared;
  const auto e = [&](double squared) { return 1 / std::sqrt(1 + 2 * c * squared); };
  const double expected = e(2 * 25e18) - 2 * e(25e18 + 1e-6 * 25e18) + e(2 * 1e-6 * 25e18);
  EXPECT_NEAR(gaussian_mmd2(Gaussian{none, F}, Gaussian{none, 1e-3 * F}, c) / expected, 1, 1e-9);
  const Matrix wide = 1e9 * smooth_factor(40, 1);
  const Vector zeros = Vector::Zero(40);
  EXPECT_NEAR(gaussian_mmd2(Gaussian{zeros, wide}, Gaussian{zeros, wide}, c), 0, 1e-15);
  EXPECT_NEAR(gaussian_mmd2(Matrix(wide * wide.transpose()), Matrix(wide * wide.transpose()), c), 0, 1e-15);
}

TEST(GaussianMmd, RefusesWhatIsNoCovariance) {
  const Matrix I = Matrix::Identity(2, 2);
  const auto complaint = [](const Matrix& S1, const Matrix& S2, double scale) {
    return complaint_of([&] { gaussian_mmd2(S1, S2, scale); });
  };
  Matrix skew = I;
  skew(0, 1) = 0.5;
  EXPECT_EQ(complaint(skew, I, 1), "S1: must be symmetric");
  EXPECT_EQ(complaint(I, skew, 1), "S2: must be symmetric");
  EXPECT_EQ(complaint(Matrix::Zero(2, 3), I, 1), "S1: must be square, got 2 x 3");
  EXPECT_EQ(complaint(I, Matrix::Identity(3, 3), 1), "S2: must have 2 rows, got 3");
  EXPECT_EQ(complaint(-5 * I, I, 1), "S1: must be positive semi-definite");
  EXPECT_EQ(complaint(I, -0.1 * I, 1), "S2: must be positive semi-definite");
  EXPECT_EQ(complaint(Matrix(0, 0), Matrix(0, 0), 1),
            "S1: must have at least one row and one column, got 0 x 0");
  EXPECT_EQ(complaint(I, Matrix(0, 0), 1), "S2: must have at least one row and one column, got 0 x 0");
  EXPECT_EQ(complaint_of([] { gaussian_mmd2(Gaussian{}, Gaussian{}, 1); }),
            "one: must have at least one row and one column, got 0 x 1");
  EXPECT_EQ(complaint(I, I, 0), "inverse_alpha_squared: must be positive and finite, got 0");
  EXPECT_EQ(complaint(Matrix::Constant(2, 2, std::nan("")), I, 1),
            "S1: must be finite, got nan in row 1, column 1");
}

// (1/n^2) sum K(y,y') - (2/nm) sum K(y,z) + (1/m^2) sum K(z,z').
TEST(SampleMmd, IsTheMeanOverAllPairs) {
  const Matrix Y = draws(7, Matrix::Identity(3, 3), 1), Z = draws(5, 2 * Matrix::Identity(3, 3), 2);
  const auto mean_kernel = [](const Matrix& A, const Matrix& B) {
    double sum = 0;
    for (Index i = 0; i < A.rows(); ++i)
      for (Index j = 0; j < B.rows(); ++j) sum += std::exp(-0.2 * (A.row(i) - B.row(j)).squaredNorm());
    return sum / static_cast<double>(A.rows() * B.rows());
  };
  EXPECT_NEAR(sample_mmd2(Y, Z, 0.2), mean_kernel(Y, Y) - 2 * mean_kernel(Y, Z) + mean_kernel(Z, Z), 1e-14);
}

TEST(SampleMmd, OfEqualSamplesIsZero) {
  const Matrix Y = draws(50, Matrix::Identity(4, 4), 3);
  EXPECT_NEAR(sample_mmd2(Y, Y, 0.1), 0, 1e-15);
  EXPECT_NEAR(sample_mmd2(Y, Y.colwise().reverse(), 0.1), 0, 1e-15);
}

// E = (2/S)(1 - E K) with E K = e(2 Sigma); the mean over pairs of samples is within its Monte Carlo error.
TEST(SampleMmd, OfTwoSamplesOfOneProcessHasTheSizeOfTheNull) {
  const ThreadScope threads(1);
  const Index S = 200, pairs = 60;
  const Matrix F = smooth_factor(50, 1), Sigma = F * F.transpose();
  const double scale = paper_inverse_alpha_squared;
  const double expected_kernel = 1 / std::sqrt((Matrix::Identity(50, 50) + 4 * scale * Sigma).determinant());
  const double expected = 2.0 / static_cast<double>(S) * (1 - expected_kernel);
  Vector values(pairs);
  for (Index i = 0; i < pairs; ++i) {
    const auto seed = static_cast<std::uint64_t>(2 * i);
    values(i) = sample_mmd2(draws(S, F, seed), draws(S, F, seed + 1), scale);
  }
  const double n = static_cast<double>(pairs);
  const double standard_error = std::sqrt((values.array() - values.mean()).square().sum() / (n - 1) / n);
  EXPECT_NEAR(values.mean(), expected, testing::tolerance::standard_errors * standard_error);
  EXPECT_LT(standard_error, 0.2 * expected);
}

// The V-statistic exceeds the closed form by (1/S)(2 - E K(Y,Y') - E K(Z,Z')) on average.
TEST(SampleMmd, OfABigSampleAgreesWithTheClosedForm) {
  const ThreadScope threads(1);
  const Matrix F = smooth_factor(12, 1), G = smooth_factor(12, 1.6);
  const Matrix S1 = F * F.transpose(), S2 = G * G.transpose();
  const double scale = 0.05;
  const Index S = 1000, pairs = 12;
  const Matrix I = Matrix::Identity(12, 12);
  const double EY = 1 / std::sqrt((I + 4 * scale * S1).determinant());
  const double EZ = 1 / std::sqrt((I + 4 * scale * S2).determinant());
  const double expected = gaussian_mmd2(S1, S2, scale) + (2 - EY - EZ) / static_cast<double>(S);
  Vector values(pairs);
  for (Index i = 0; i < pairs; ++i) {
    const auto seed = static_cast<std::uint64_t>(2 * i);
    values(i) = sample_mmd2(draws(S, F, seed), draws(S, G, seed + 1), scale);
  }
  const double n = static_cast<double>(pairs);
  const double standard_error = std::sqrt((values.array() - values.mean()).square().sum() / (n - 1) / n);
  EXPECT_NEAR(values.mean(), expected, testing::tolerance::standard_errors * standard_error);
  EXPECT_LT(standard_error, 0.1 * expected);
}

// 1000 draws at 50 inputs: with the inputs as points of R^1000 a process against itself scores about 0.12.
TEST(SampleMmd, TakesDrawsAndNotInputsAsPoints) {
  const Matrix F = smooth_factor(50, 1);
  const Matrix Y = draws(1000, F, 1), Z = draws(1000, F, 2);
  EXPECT_LT(sample_mmd2(Y, Z, paper_inverse_alpha_squared), 0.001);
  EXPECT_GT(sample_mmd2(Y.transpose(), Z.transpose(), paper_inverse_alpha_squared), 0.05);
  EXPECT_NO_THROW(sample_mmd2(Y.topRows(10), Z, paper_inverse_alpha_squared));
}

TEST(SampleMmd, GivesTheSameBitsForAnyNumberOfThreads) {
  const Matrix Y = draws(301, smooth_factor(20, 1), 1), Z = draws(217, smooth_factor(20, 2), 2);
  const auto value = [&](int threads) {
    const ThreadScope scope(threads);
    return sample_mmd2(Y, Z, 0.01);
  };
  EXPECT_EQ(value(1), value(2));
  EXPECT_EQ(value(1), value(4));
}

TEST(SampleMmd, RefusesSamplesThatCannotBeCompared) {
  const Matrix Y = Matrix::Zero(4, 3);
  EXPECT_EQ(complaint_of([&] { sample_mmd2(Y, Matrix::Zero(4, 2), 1); }),
            "Z: must have 3 columns, one for each input, got 2");
  EXPECT_EQ(complaint_of([&] { sample_mmd2(Matrix(0, 3), Y, 1); }), "Y: must be at least 1, got 0");
  EXPECT_EQ(complaint_of([&] { sample_mmd2(Y, Matrix(0, 3), 1); }), "Z: must be at least 1, got 0");
  EXPECT_EQ(complaint_of([&] { sample_mmd2(Y, Y, -1); }),
            "inverse_alpha_squared: must be positive and finite, got -1");
}

}  // namespace
}  // namespace ridgelet
