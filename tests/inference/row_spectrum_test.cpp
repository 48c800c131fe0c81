#include "ridgelet/inference/row_spectrum.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "expectations.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::relative_error;
using testing::tolerance::two_routes;

RidgeletPrior spectrum_prior(const std::string& kernel = "se(lengthscale=1.5)") {
  return RidgeletPrior({.target = {.kernel = parse_kernel(kernel), .mean = MeanFunction("0.3*x1")},
                        .nodes = grid(3, 3, 2, 3),
                        .units = 12,
                        .hidden = {.sigma_w = 1, .sigma_b = 2},
                        .op = {.name = "least-squares", .ridge = 1e-2}});
}

Data spectrum_data(Index rows) {
  return {.X = RandomStream{.seed = 5}.normals(rows, 2),
          .Y = RandomStream{.seed = 6}.normals(rows, 2),
          .noise = Vector{{0.3, 0.6}}};
}

/// The same by LinearGaussianPosterior, which knows nothing of spectra.
class AgainstLinearGaussian : public ::testing::TestWithParam<Index> {};

TEST_P(AgainstLinearGaussian, HasItsEvidenceItsMeanAndItsCovarianceByBothWays) {
  const RidgeletPrior prior = spectrum_prior();
  const Data data = spectrum_data(GetParam());
  GivenHidden given(prior, 1, 0);
  const Gaussian output = given.output(data.X);
  for (const bool by_root : {false, true}) {
    const RowSpectrum spectrum = row_spectrum(given, data, {.by_root = by_root});
    EXPECT_EQ(spectrum.by_root, by_root);
    for (Index k = 0; k < 2; ++k) {
      const LinearGaussianPosterior exact(output, data.Y.col(k), data.noise(k));
      EXPECT_NEAR(spectrum.log_evidence(k, data.noise(k)), exact.log_marginal_likelihood(), 1e-9);
      EXPECT_LT(relative_error(spectrum.mean(k, data.noise(k)), exact.coordinates_mean()), two_routes);
      const Matrix C = spectrum.root(data.noise(k));
      const Matrix G = output.factor, P = Matrix::Identity(G.cols(), G.cols()) +
                                          G.transpose() * G / (data.noise(k) * data.noise(k));
      EXPECT_LT(relative_error(C * C.transpose(), P.inverse()), two_routes);
    }
  }
}

// Fewer rows than coordinates, as many, and more.
INSTANTIATE_TEST_SUITE_P(Rows, AgainstLinearGaussian, ::testing::Values(1, 4, 9, 40));

TEST(RowSpectrum, OfAScaledNetworkIsThatOfAScaledKernel) {
  const Data data = spectrum_data(20);
  GivenHidden given(spectrum_prior(), 1, 0), larger(spectrum_prior("se(amplitude=3, lengthscale=1.5)"), 1, 0);
  const RowSpectrum scaled = row_spectrum(given, data).scaled(3), direct = row_spectrum(larger, data);
  EXPECT_NEAR(scaled.log_evidence(0, 0.3), direct.log_evidence(0, 0.3), 1e-9);
  EXPECT_NEAR(row_spectrum(given, data).log_evidence(0, 0.3, 3), direct.log_evidence(0, 0.3), 1e-9);
}

TEST(RowSpectrum, IsTheSameHoweverTheRowsAreCut) {
  const Data data = spectrum_data(23);
  GivenHidden given(spectrum_prior(), 1, 0);
  const RowSpectrum whole = row_spectrum(given, data);
  for (const Index block : {1, 2, 7, 22})
    for (const bool by_root : {false, true}) {
      const RowSpectrum cut = row_spectrum(given, data, {.row_block = block, .by_root = by_root});
      EXPECT_NEAR(cut.log_evidence(1, 0.4), whole.log_evidence(1, 0.4), 1e-9) << block;
      EXPECT_LT(relative_error(cut.mean(1, 0.4), whole.mean(1, 0.4)), two_routes) << block;
    }
}

TEST(RowSpectrum, IsTheSameForAnyNumberOfThreads) {
  const Data data = spectrum_data(300);
  const auto evidence = [&](int threads) {
    const ThreadScope scope(threads);
    GivenHidden given(spectrum_prior(), 1, 0);
    return row_spectrum(given, data, {.row_block = 64}).log_evidence(0, 0.3);
  };
  EXPECT_EQ(evidence(1), evidence(4));
}

/// How far the posterior by squares is from that by roots at the rows: means in sds, sds relative, and log p(y).
struct LostDigits {
  double mean, sd, log_evidence;
};

LostDigits lost_digits(GivenHidden& given, const Data& data) {
  const double s = data.noise(0);
  const RowSpectrum squares = row_spectrum(given, data), roots = row_spectrum(given, data, {.by_root = true});
  const Matrix G = given.output(data.X).factor;
  const auto sds = [&](const RowSpectrum& spectrum) -> Vector {
    return (G * spectrum.root(s)).rowwise().norm();
  };
  const Vector sd = sds(roots), change = G * (squares.mean(0, s) - roots.mean(0, s));
  return {.mean = change.cwiseQuotient(sd).cwiseAbs().maxCoeff(),
          .sd = (sds(squares).cwiseQuotient(sd).array() - 1).abs().maxCoeff(),
          .log_evidence = std::abs(squares.log_evidence(0, s) - roots.log_evidence(0, s))};
}

/// A wave with noise, seen by a network whose nodes are a grid: columns of G from long to short, some nearly parallel.
struct Wave {
  GivenHidden given;
  Data data;

  Wave(const std::string& kernel, double noise, Index rows = 400)
      : given(RidgeletPrior({.target = {.kernel = parse_kernel(kernel)},
                             .nodes = grid(3, 6, 2, 3),
                             .units = 80,
                             .hidden = {.sigma_w = 1, .sigma_b = 2},
                             .op = {.name = "least-squares", .ridge = 1e-6}}),
              1, 0),
        data{.X = RandomStream{.seed = 5}.normals(rows, 2), .Y = {}, .noise = Vector::Constant(1, noise)} {
    data.Y = data.X.col(0).array().sin().matrix() + noise * RandomStream{.seed = 6}.normals(rows, 1);
  }
  bool squares_suffice() { return ridgelet::squares_suffice(row_spectrum(given, data), data.noise); }
};

TEST(RowSpectrum, KeepsItsDigitsBySquaresWhereItSaysSo) {
  for (const char* kernel :
       {"se(lengthscale=1.5)", "se(amplitude=1e4, lengthscale=1.5)", "matern32(lengthscale=1)",
        "se(lengthscale=2) + linear(amplitude=1000)", "se(lengthscale=2) + linear(amplitude=1e6)",
        "se(amplitude=100, lengthscale=4) + se(amplitude=0.1, lengthscale=0.7)"})
    for (const double noise : {1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      Wave wave(kernel, noise);
      if (!wave.squares_suffice()) continue;
      const LostDigits lost = lost_digits(wave.given, wave.data);
      EXPECT_LT(lost.mean, 1e-5) << kernel << ", noise " << noise;
      EXPECT_LT(lost.sd, 1e-6) << kernel << ", noise " << noise;
      EXPECT_LT(lost.log_evidence, 1e-4) << kernel << ", noise " << noise;
    }
}

TEST(RowSpectrum, NeedsNoRootsForColumnsThatAreLong) {
  // |G|^2 is more than 1e8 times the noise's square.
  Wave wave("se(amplitude=1e4, lengthscale=1.5)", 0.1);
  EXPECT_GT(row_spectrum(wave.given, wave.data).squares.maxCoeff(), 1e8 * 0.01);
  EXPECT_TRUE(wave.squares_suffice());
}

TEST(RowSpectrum, NeedsRootsWhereATermIsFarLargerThanTheNoise) {
  Wave wave("se(lengthscale=2) + linear(amplitude=1e6)", 1e-5);
  EXPECT_FALSE(wave.squares_suffice());
  EXPECT_GT(lost_digits(wave.given, wave.data).mean, 1e-4);
  EXPECT_TRUE(squares_suffice(row_spectrum(wave.given, wave.data, {.by_root = true}), wave.data.noise));
}

TEST(RowSpectrum, NeedsRootsWhereTheNoiseIsFarBelowTheResponse) {
  EXPECT_TRUE(Wave("se(lengthscale=1.5)", 1e-3).squares_suffice());
  EXPECT_FALSE(Wave("se(lengthscale=1.5)", 1e-6).squares_suffice());
}

TEST(PolishedScales, HaveNoNeighbourWithMoreEvidence) {
  const Data data = spectrum_data(60);
  GivenHidden given(spectrum_prior(), 1, 0);
  const std::vector<RowSpectrum> spectra = {row_spectrum(given, data)};
  const PolishedScales best = polish_scales(spectra, data.noise, {});
  const auto evidence = [&](double amplitude, double first, double second) {
    return spectra[0].log_evidence(0, first, amplitude) + spectra[0].log_evidence(1, second, amplitude);
  };
  const double here = evidence(best.amplitude, best.noise(0), best.noise(1));
  for (const double step : {0.98, 1.02}) {
    EXPECT_LT(evidence(step * best.amplitude, best.noise(0), best.noise(1)), here);
    EXPECT_LT(evidence(best.amplitude, step * best.noise(0), best.noise(1)), here);
    EXPECT_LT(evidence(best.amplitude, best.noise(0), step * best.noise(1)), here);
  }
}

TEST(PolishedScales, LeaveAloneWhatIsGiven) {
  const Data data = spectrum_data(60);
  GivenHidden given(spectrum_prior(), 1, 0);
  const std::vector<RowSpectrum> spectra = {row_spectrum(given, data)};
  const PolishedScales noise_only = polish_scales(spectra, data.noise, {.amplitude = false});
  EXPECT_EQ(noise_only.amplitude, 1);
  EXPECT_NE(noise_only.noise, data.noise);
  const PolishedScales amplitude_only = polish_scales(spectra, data.noise, {.noise = false});
  EXPECT_EQ(amplitude_only.noise, data.noise);
  EXPECT_NE(amplitude_only.amplitude, 1);
}

TEST(PolishedScales, StayAboveTheLeastNoise) {
  // Rows that the network fits exactly ask for no noise at all.
  Data data = spectrum_data(3);
  data.Y.setZero();
  GivenHidden given(RidgeletPrior({.target = {.kernel = parse_kernel("se(lengthscale=1.5)")},
                                   .nodes = grid(3, 3, 2, 3),
                                   .units = 12,
                                   .hidden = {.sigma_w = 1, .sigma_b = 2}}),
                    1, 0);
  const PolishedScales scales =
      polish_scales({row_spectrum(given, data)}, data.noise, {.least_noise = Vector{{0.1, 0.2}}});
  EXPECT_NEAR(scales.noise(0), 0.1, 1e-6);
  EXPECT_NEAR(scales.noise(1), 0.2, 1e-6);
}

}  // namespace
}  // namespace ridgelet
