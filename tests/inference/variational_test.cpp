#include "ridgelet/inference/variational.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "densities.hpp"
#include "expectations.hpp"
#include "network_chain.hpp"
#include "numbers.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/latent_density.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::borrowed;
using testing::complaint_of;
using testing::GaussianData;
using testing::numbers;
using testing::relative_error;
using testing::SmoothGaussianData;
using testing::tolerance::central_differences;
using testing::tolerance::standard_errors;
using testing::tolerance::two_routes;

VariationalGaussian some_gaussian(Index n, Index rank) {
  return {.mean = numbers(n, 1, 1), .log_sd = 0.5 * numbers(n, 1, 2), .directions = numbers(n, rank, 3)};
}

Matrix covariance(const VariationalGaussian& q) {
  Matrix all = q.directions * q.directions.transpose();
  all.diagonal().array() += (2 * q.log_sd).array().exp();
  return all;
}

/// All numbers of q in a row, and back.
Vector packed(const VariationalGaussian& q) {
  Vector all(2 * q.dimension() + q.directions.size());
  all << q.mean, q.log_sd, q.directions.reshaped();
  return all;
}

VariationalGaussian unpacked(const Vector& all, Index n, Index rank) {
  return {
      .mean = all.head(n), .log_sd = all.segment(n, n), .directions = all.tail(n * rank).reshaped(n, rank)};
}

template <class Function>
Vector differences(const VariationalGaussian& q, Function&& function) {
  const Vector here = packed(q);
  Vector slopes(here.size());
  for (Index i = 0; i < here.size(); ++i) {
    const auto at = [&](double move) {
      Vector moved = here;
      moved(i) += move;
      return function(unpacked(moved, q.dimension(), q.rank()));
    };
    slopes(i) = (at(1e-5) - at(-1e-5)) / 2e-5;
  }
  return slopes;
}

TEST(VariationalGaussian, DivergesFromThePriorAsTheDenseFormulaSays) {
  for (const Index rank : {0, 1, 3}) {
    const VariationalGaussian q = some_gaussian(5, rank);
    const Matrix Sigma = covariance(q);
    const double expected = 0.5 * (q.mean.squaredNorm() + Sigma.trace() - 5 - std::log(Sigma.determinant()));
    EXPECT_NEAR(q.divergence(), expected, two_routes * expected);
  }
}

// E_q[ log q - log prior ] by a grid over four standard deviations either way and more.
TEST(VariationalGaussian, DivergesFromThePriorAsQuadratureSays) {
  const VariationalGaussian q = some_gaussian(2, 1);
  const Matrix Sigma = covariance(q), P = Sigma.inverse();
  double integral = 0;
  const double h = 0.02;
  for (double x = -12; x <= 12; x += h)
    for (double y = -12; y <= 12; y += h) {
      const Vector xi{{x, y}}, from = xi - q.mean;
      const double log_q = -0.5 * (from.dot(P * from) + std::log(Sigma.determinant()));
      integral += h * h * std::exp(log_q) / (2 * M_PI) * (log_q + 0.5 * xi.squaredNorm());
    }
  EXPECT_NEAR(q.divergence(), integral, 1e-6);
}

TEST(VariationalGaussian, DoesNotDivergeFromThePriorWhereItIsThePrior) {
  EXPECT_EQ(VariationalGaussian::prior(7).divergence(), 0);
}

TEST(VariationalGaussian, HasTheGradientOfItsDivergence) {
  for (const Index rank : {0, 1, 3}) {
    const VariationalGaussian q = some_gaussian(5, rank);
    EXPECT_LT(relative_error(packed(q.divergence_gradient()),
                             differences(q, [](const VariationalGaussian& at) { return at.divergence(); })),
              central_differences);
  }
}

TEST(VariationalGaussian, HasTheSlopeOfADensityAtItsDraws) {
  const GaussianData data{.H = numbers(4, 5, 8), .y = numbers(4, 1, 9), .noise = 0.5};
  for (const Index rank : {0, 1, 3}) {
    const VariationalGaussian q = some_gaussian(5, rank);
    const Vector normals = numbers(5 + rank, 1, 4);
    Vector g;
    SmoothGaussianData(data).value_and_gradient(q.draw(normals), g);
    VariationalGaussian slope{
        .mean = Vector::Zero(5), .log_sd = Vector::Zero(5), .directions = Matrix::Zero(5, rank)};
    q.add_slope(slope, normals, g, 1);
    EXPECT_LT(
        relative_error(packed(slope),
                       differences(q, [&](const VariationalGaussian& at) { return data(at.draw(normals)); })),
        central_differences);
  }
}

TEST(VariationalGaussian, DrawsHaveItsMeanAndCovariance) {
  const VariationalGaussian q = some_gaussian(3, 2);
  const Index draws = 40'000;
  Matrix x(3, draws);
  for (Index i = 0; i < draws; ++i)
    x.col(i) = q.draw(RandomStream{.seed = 5, .replicate = static_cast<std::uint32_t>(i)}.normals(5));
  const Matrix Sigma = covariance(q), centred = x.colwise() - q.mean;
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(centred.row(i).mean(), 0, standard_errors * std::sqrt(Sigma(i, i) / draws));
    for (Index j = 0; j <= i; ++j)
      EXPECT_NEAR(
          centred.row(i).dot(centred.row(j)) / draws, Sigma(i, j),
          standard_errors * std::sqrt((Sigma(i, i) * Sigma(j, j) + Sigma(i, j) * Sigma(i, j)) / draws));
  }
}

/// log E exp(L) over the prior, for data that are Gaussian in xi.
double log_evidence(const GaussianData& data) {
  const Index n = data.y.size();
  const Matrix C = data.H * data.H.transpose() / (data.noise * data.noise) + Matrix::Identity(n, n);
  return -0.5 * (data.y.dot(C.inverse() * data.y) / (data.noise * data.noise) + std::log(C.determinant()));
}

std::vector<std::shared_ptr<DifferentiableLogDensity>> workspaces(const GaussianData& data, int count = 1) {
  std::vector<std::shared_ptr<DifferentiableLogDensity>> all;
  for (int i = 0; i < count; ++i) all.push_back(std::make_shared<SmoothGaussianData>(data));
  return all;
}

// The closest q with independent coordinates has the posterior's mean and, for each, its precision given the others.
TEST(FitVariational, FindsTheClosestNormalDistributionWithIndependentCoordinates) {
  const GaussianData data{.H = numbers(6, 4, 8), .y = 2 * numbers(6, 1, 9), .noise = 0.8};
  const VariationalFit fit = fit_variational(workspaces(data), {.draws = 16, .steps = 4000});
  const Matrix P = data.covariance().inverse();
  const Vector sds = P.diagonal().array().rsqrt();
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(fit.q.mean(i), data.mean()(i), 0.1 * sds(i));
    EXPECT_NEAR(fit.q.log_sd(i), std::log(sds(i)), 0.1);
  }
  const double best =
      log_evidence(data) - 0.5 * (P.diagonal().array().log().sum() - std::log(P.determinant()));
  EXPECT_NEAR(fit.elbo.value, best, 0.05 + standard_errors * fit.elbo.standard_error);
  EXPECT_TRUE(fit.settled);
}

// Two coordinates that are closely correlated: one direction makes q as good as the posterior itself.
TEST(FitVariational, ReachesTheEvidenceWhereDirectionsCarryWhatMovesTogether) {
  const GaussianData data{.H = Matrix{{2, 2}}, .y = Vector{{3}}, .noise = 0.5};
  const double evidence = log_evidence(data);
  const VariationalFit diagonal = fit_variational(workspaces(data), {.draws = 16, .steps = 4000});
  const VariationalFit directed = fit_variational(workspaces(data), {.rank = 1, .draws = 16, .steps = 4000});
  EXPECT_LT(diagonal.elbo.value, evidence - 0.5);
  EXPECT_NEAR(directed.elbo.value, evidence, 0.1);
}

// Coordinates that are independent in the posterior, where directions can only disturb, and others that are not.
TEST(FitVariational, IsNeverWorseForDirectionsThanWithoutThem) {
  for (const Matrix& H : {Matrix(2 * Matrix::Identity(12, 12)), numbers(8, 12, 8)}) {
    const GaussianData data{.H = H, .y = 2 * numbers(H.rows(), 1, 9), .noise = 0.8};
    for (const std::uint64_t seed : {0, 1, 2}) {
      const VariationalFit diagonal = fit_variational(workspaces(data), {.seed = seed});
      for (const Index rank : {1, 3}) {
        const VariationalFit directed = fit_variational(workspaces(data), {.rank = rank, .seed = seed});
        EXPECT_GE(directed.elbo.value, diagonal.elbo.value - diagonal.elbo.standard_error);
        EXPECT_LE(directed.trace.size(), VariationalOptions{}.steps);
      }
    }
  }
}

/// One unit on one input, so that the posterior has two coordinates.
struct TinyNetwork {
  RidgeletPrior prior{{.target = {.kernel = parse_kernel("se(lengthscale=2)")},
                       .nodes = grid(3, 6, 1, 3),
                       .units = 1,
                       .hidden = {.sigma_w = 1, .sigma_b = 1.5},
                       .op = {.name = "least-squares", .ridge = 0.1}}};
  Data data{.X = Vector::LinSpaced(5, -2, 2),
            .Y = Vector::LinSpaced(5, -1.5, 1.5),
            .noise = Vector::Constant(1, 0.3)};

  /// Counts at the same inputs.
  LatentData counts{.likelihood = parse_likelihood("poisson"),
                    .X = Vector::LinSpaced(5, -2, 2),
                    .Y = Vector{{0, 0, 2, 6, 14}},
                    .offset = Vector::Zero(5)};

  std::shared_ptr<DifferentiableLogDensity> density() const {
    return std::make_shared<CollapsedDensity>(borrowed(prior), borrowed(data));
  }
  std::shared_ptr<DifferentiableLogDensity> density_of_counts() const {
    return std::make_shared<LaplaceDensity>(borrowed(prior), borrowed(counts));
  }
};

/// log E exp(L) over the prior of two coordinates.
double log_evidence(DifferentiableLogDensity& L) {
  double sum = 0;
  const double h = 0.1;
  for (double x = -7; x <= 7; x += h)
    for (double y = -7; y <= 7; y += h)
      sum += h * h * std::exp(L(Vector{{x, y}}) - 0.5 * (x * x + y * y)) / (2 * M_PI);
  return std::log(sum);
}

TEST(FitVariational, NeverHasAnElboAboveTheEvidenceAndGainsOnThePrior) {
  const ThreadScope one_thread(1);
  const TinyNetwork network;
  for (const auto& density : {network.density(), network.density_of_counts()}) {
    const double evidence = log_evidence(*density);
    for (const Index rank : {0, 1}) {
      const VariationalFit fit =
          fit_variational({density}, {.rank = rank, .steps = 800, .final_draws = 2000});
      EXPECT_LT(fit.elbo.value, evidence + standard_errors * fit.elbo.standard_error);
      EXPECT_LT(fit.prior_elbo.value, evidence);
      EXPECT_GT(fit.elbo.value, fit.prior_elbo.value + 1);
    }
  }
}

// The hidden layers of the draws have the moments of q, and are the same on any number of threads.
TEST(DrawPosterior, HasTheHiddenLayersOfIndependentDrawsOfQ) {
  const TinyNetwork network;
  const VariationalGaussian q{
      .mean = Vector{{0.5, -0.3}}, .log_sd = Vector{{-1, -0.5}}, .directions = Matrix{{0.2}, {0.4}}};
  const auto drawn = [&](int threads) {
    const ThreadScope scope(threads);
    return draw_posterior(q, borrowed<LayerPrior>(network.prior), borrowed(network.data), 4000, 3,
                          {.paths = Vector::LinSpaced(2, -1, 1)});
  };
  const PosteriorDraws draws = drawn(1);
  EXPECT_EQ(draws.chains, 1);
  EXPECT_EQ(drawn(4).layers, draws.layers);
  EXPECT_EQ(drawn(4).functions, draws.functions);
  // W = sigma_w xi_0 and b = sigma_b xi_1.
  const Vector scales{{1, 1.5}};
  const Matrix xi = draws.layers * scales.cwiseInverse().asDiagonal(), Sigma = covariance(q);
  for (Index i = 0; i < 2; ++i) {
    EXPECT_NEAR(xi.col(i).mean(), q.mean(i), standard_errors * std::sqrt(Sigma(i, i) / 4000));
    EXPECT_NEAR((xi.col(i).array() - q.mean(i)).square().mean(), Sigma(i, i),
                standard_errors * Sigma(i, i) * std::sqrt(2.0 / 4000));
  }
  for (const Index row : {0, 17}) {
    HiddenLayers layers = network.prior.allocate();
    layers.unpack(draws.layers.row(row).transpose());
    EXPECT_EQ(CollapsedLikelihood(network.prior, network.data)(layers), draws.log_likelihood(row));
  }
}

TEST(FitVariational, KeepsThePriorWhereThereIsNothingToGain) {
  const GaussianData nothing{.H = Matrix::Zero(1, 3), .y = Vector::Zero(1), .noise = 1};
  const VariationalFit fit = fit_variational(workspaces(nothing), {.steps = 500});
  EXPECT_EQ(fit.q.divergence(), 0);
  EXPECT_EQ(fit.elbo.value, 0);
  EXPECT_LT(fit.trace.size(), 500);
}

TEST(FitVariational, DoesNotDependOnWorkspacesOrThreads) {
  const GaussianData data{.H = numbers(6, 4, 8), .y = numbers(6, 1, 9), .noise = 0.8};
  const auto with = [&](int count, int threads) {
    const ThreadScope scope(threads);
    return fit_variational(workspaces(data, count), {.rank = 2, .draws = 5, .steps = 50, .final_draws = 20});
  };
  const VariationalFit alone = with(1, 1);
  for (const int count : {2, 3, 7})
    for (const int threads : {1, 4}) {
      const VariationalFit fit = with(count, threads);
      EXPECT_EQ(packed(fit.q), packed(alone.q));
      EXPECT_EQ(fit.trace, alone.trace);
      EXPECT_EQ(fit.elbo.value, alone.elbo.value);
    }
}

TEST(FitVariational, ChecksItsOptions) {
  const auto complaint = [](const VariationalOptions& options) {
    return complaint_of([&] { validate(options); });
  };
  EXPECT_EQ(complaint({}), "");
  EXPECT_EQ(complaint({.rank = -1}).substr(0, 5), "rank:");
  EXPECT_EQ(complaint({.draws = 0}).substr(0, 6), "draws:");
  EXPECT_EQ(complaint({.window = 1}).substr(0, 7), "window:");
  EXPECT_EQ(complaint({.step = 0}).substr(0, 5), "step:");
}

}  // namespace
}  // namespace ridgelet
