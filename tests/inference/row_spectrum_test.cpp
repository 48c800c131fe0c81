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

TEST(RowSpectrum, SaysWhereSquaresLoseTheNoise) {
  const Data data = spectrum_data(20);
  GivenHidden given(spectrum_prior("se(amplitude=1e4, lengthscale=1.5)"), 1, 0);
  EXPECT_TRUE(squares_suffice(row_spectrum(given, data), Vector::Constant(2, 10)));
  EXPECT_FALSE(squares_suffice(row_spectrum(given, data), Vector::Constant(2, 0.1)));
  EXPECT_TRUE(squares_suffice(row_spectrum(given, data, {.by_root = true}), Vector::Constant(2, 0.1)));
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
