// Is the posterior of classes and counts the posterior? Simulation-based calibration (Talts et al. 2018) of chains over
// hidden layers and functions, and the same test of densities that are wrong on purpose, which it must refuse; and for
// two classes another sampler altogether (Polson, Scott and Windle, Bayesian inference for logistic models using
// Polya-Gamma latent variables, JASA 2013).
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "expectations.hpp"
#include "fixed_output.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/chains.hpp"
#include "ridgelet/inference/latent_density.hpp"
#include "ridgelet/inference/latent_posterior.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::FixedOutput;
using testing::tolerance::standard_errors;

const Matrix X = Vector{{-1.9, -1.5, -1.1, -0.6, -0.2, 0.1, 0.4, 0.9, 1.3, 1.8}};
const Matrix Xs = Vector{{-1.3, 0.3, 2.0}};

std::shared_ptr<const RidgeletPrior> small_prior() {
  return std::make_shared<const RidgeletPrior>(
      PriorOptions{.target = {.kernel = parse_kernel("se(amplitude=1.5, lengthscale=1.2)")},
                   .nodes = grid(2.5, 5, 1, 2.5),
                   .units = 3,
                   .hidden = {.sigma_w = 1, .sigma_b = 1.5},
                   .op = {.name = "least-squares", .ridge = 0.1}});
}

std::shared_ptr<LatentData> data_for(const LikelihoodPointer& likelihood) {
  return std::make_shared<LatentData>(LatentData{.likelihood = likelihood,
                                                 .X = X,
                                                 .Y = Matrix::Zero(X.rows(), 1),
                                                 .offset = Matrix::Constant(X.rows(), 1, 0.3)});
}

/// The same density written plainly, for one function, with `steps` whole steps of Newton's method: right, or wrong in
/// one of two ways.
struct PlainDensity final : LogDensity {
  enum class Error { none, warm_start, no_determinant };

  std::shared_ptr<const RidgeletPrior> prior;
  std::shared_ptr<const LatentData> data;
  Error error;
  int steps;
  std::unique_ptr<ConditionalOutput> output;
  HiddenLayers layers;
  Vector mode, z;

  PlainDensity(std::shared_ptr<const RidgeletPrior> of, std::shared_ptr<const LatentData> given, Error wrong,
               int newton_steps)
      : prior(std::move(of)),
        data(std::move(given)),
        error(wrong),
        steps(newton_steps),
        output(prior->make_output()),
        layers(prior->allocate()),
        mode(Vector::Zero(prior->rank())) {}

  Index dimension() const override { return layers.parameters() + prior->rank(); }

  double operator()(const Vector& place) override {
    prior->at(place.head(layers.parameters()), layers);
    if (!output->condition(layers)) return -std::numeric_limits<double>::infinity();
    const Index R = prior->rank();
    Matrix values(X.rows(), 1 + R);
    output->evaluate(X, values);
    const Matrix G = values.rightCols(R);
    const Vector start = values.col(0) + data->offset.col(0);
    // Wrong: from the coordinates of the last evaluation.
    mode = error == Error::warm_start && z.size() == R ? z : Vector::Zero(R);
    Matrix A, slope(X.rows(), 1), d(X.rows(), 1);
    const auto expand = [&] {
      const Matrix f = start + G * mode;
      data->likelihood->derivatives(data->Y, f, slope, d);
      A = Matrix::Identity(R, R) + G.transpose() * d.col(0).asDiagonal() * G;
    };
    expand();
    for (int step = 0; step < steps; ++step) {
      mode += A.llt().solve(G.transpose() * slope.col(0) - mode);
      expand();
    }
    const Eigen::LLT<Matrix> factor(A);
    const Vector u = place.tail(R);
    z = mode + factor.matrixU().solve(u);
    const double log_root = factor.matrixLLT().diagonal().array().log().sum();
    return data->likelihood->log_density(data->Y, Matrix(start + G * z)) - 0.5 * z.squaredNorm() +
           0.5 * u.squaredNorm() - (error == Error::no_determinant ? 0 : log_root);
  }
};

struct RightDensity {
  std::shared_ptr<LatentDensity> density;
  RightDensity(const std::shared_ptr<const RidgeletPrior>& prior,
               const std::shared_ptr<const LatentData>& data)
      : density(std::make_shared<LatentDensity>(prior, data)) {}
  Vector coordinates(const Vector& place) {
    density->move_to(place);
    return density->coordinates().col(0);
  }
};

template <PlainDensity::Error error>
struct WrongDensity {
  std::shared_ptr<PlainDensity> density;
  WrongDensity(const std::shared_ptr<const RidgeletPrior>& prior,
               const std::shared_ptr<const LatentData>& data)
      : density(std::make_shared<PlainDensity>(prior, data, error, 1)) {}
  Vector coordinates(const Vector& place) {
    (*density)(place);
    return density->z;
  }
};

TEST(LatentDensity, IsThePlainFormulaWithStepsToTheMode) {
  for (const char* name : {"bernoulli", "poisson"}) {
    const auto prior = small_prior();
    const auto data = data_for(parse_likelihood(name));
    data->Y.topRows(4).setOnes();
    LatentDensity density(prior, data);
    PlainDensity plain(prior, data, PlainDensity::Error::none, 30);
    for (std::uint32_t i = 0; i < 5; ++i) {
      const Vector place = RandomStream{.seed = 12, .replicate = i}.normals(density.dimension());
      EXPECT_NEAR(density(place), plain(place), 1e-7) << name;
    }
  }
}

constexpr Index kept = 29, thinning = 3, warmup = 15;

/// Ranks of what a truth says among what its chain says: f at three inputs, and log p(y | f).
template <class Density>
Matrix ranks(const std::string& name, Index truths) {
  const LikelihoodPointer likelihood = parse_likelihood(name);
  Matrix all(4, truths);
  parallel_for(truths, [&](Index truth) {
    const auto prior = small_prior();
    const auto data = data_for(likelihood);
    const std::unique_ptr<ConditionalOutput> output = prior->make_output();
    HiddenLayers layers = prior->allocate();
    const auto statistics = [&](const Vector& xi, const Vector& z) {
      prior->at(xi, layers);
      if (!output->condition(layers)) throw std::logic_error("an impossible layer");
      const auto at = [&](const Matrix& points) -> Vector {
        Matrix values(points.rows(), 1 + prior->rank());
        output->evaluate(points, values);
        return values.col(0) + values.rightCols(prior->rank()) * z;
      };
      Vector found(4);
      const Matrix f = at(X) + data->offset.col(0);
      found << at(Xs), likelihood->log_density(data->Y, f);
      return std::pair(found, f);
    };
    const RandomStream stream{.seed = 21, .replicate = static_cast<std::uint32_t>(truth)};
    const Index parameters = layers.parameters();
    const Vector xi = stream.normals(parameters),
                 z = stream.normals(prior->rank(), 1, static_cast<std::uint64_t>(parameters));
    const Vector f = statistics(xi, z).second;
    for (Index i = 0; i < f.size(); ++i)
      likelihood->draw(&f(i), stream.uniform(static_cast<std::uint64_t>(1000 + i)), &data->Y(i, 0));
    const Vector of_truth = statistics(xi, z).first;
    Density density(prior, data);
    Chain chain(density.density, 31, static_cast<std::uint32_t>(truth));
    Vector below = Vector::Zero(4);
    for (Index step = 0; step < warmup + kept * thinning; ++step) {
      chain.step();
      if (step < warmup || (step - warmup) % thinning != 0) continue;
      const Vector at_z = density.coordinates(chain.position());
      below += (statistics(chain.position().head(parameters), at_z).first.array() < of_truth.array())
                   .template cast<double>()
                   .matrix();
    }
    all.col(truth) = below;
  });
  return all;
}

/// The largest distance of the ranks' distribution function from that of uniform ranks, in standard deviations.
double distance_from_uniform(const Matrix& all) {
  double largest = 0;
  const auto n = static_cast<double>(all.cols());
  for (Index q = 0; q < all.rows(); ++q)
    for (Index k = 0; k < kept; ++k) {
      const double expected = static_cast<double>(k + 1) / static_cast<double>(kept + 1);
      const double below = static_cast<double>((all.row(q).array() <= static_cast<double>(k)).count()) / n;
      largest = std::max(largest, std::abs(below - expected) / std::sqrt(expected * (1 - expected) / n));
    }
  return largest;
}

TEST(Calibration, OfClassesAndCountsHasUniformRanks) {
  for (const char* name : {"bernoulli", "poisson"})
    EXPECT_LT(distance_from_uniform(ranks<RightDensity>(name, 400)), standard_errors) << name;
}

TEST(Calibration, RefusesAStartFromTheChainsPast) {
  using Wrong = WrongDensity<PlainDensity::Error::warm_start>;
  EXPECT_GT(distance_from_uniform(ranks<Wrong>("poisson", 1500)), standard_errors);
}

TEST(Calibration, RefusesAMissingDeterminant) {
  using Wrong = WrongDensity<PlainDensity::Error::no_determinant>;
  EXPECT_GT(distance_from_uniform(ranks<Wrong>("poisson", 400)), standard_errors);
}

/// A draw of the Polya-Gamma distribution PG(1, c), by its series of exponentials; the rest of the series has its mean.
double polya_gamma(double c, const RandomStream& stream, std::uint64_t first) {
  constexpr int terms = 200;
  const double pi2 = std::numbers::pi * std::numbers::pi;
  double sum = 0, mean = 0;
  for (int k = 1; k <= terms; ++k) {
    const double weight = 1 / ((k - 0.5) * (k - 0.5) + c * c / (4 * pi2)) / (2 * pi2);
    sum -= weight * std::log(stream.uniform(first + static_cast<std::uint64_t>(k)));
    mean += weight;
  }
  const double whole = std::abs(c) < 1e-6 ? 0.25 : std::tanh(c / 2) / (2 * c);
  return sum + whole - mean;
}

TEST(LatentNetwork, OfTwoClassesAgreesWithPolyaGammaSampling) {
  constexpr Index n = 15, R = 4, draws = 4000;
  const Matrix values = RandomStream{.seed = 14}.normals(n, 1 + R);
  LatentData data{.likelihood = parse_likelihood("bernoulli"),
                  .X = FixedOutput::rows(n),
                  .Y = Matrix::Zero(n, 1),
                  .offset = Matrix::Zero(n, 1)};
  for (Index i = 0; i < n; i += 2) data.Y(i, 0) = 1;
  FixedOutput output(values);
  const LatentNetwork network = latent_network(
      output, data, {.draws = draws, .proposals = draws, .by = LatentDrawOptions::By::chains, .seed = 5});
  const Matrix G = values.rightCols(R);
  Vector z = Vector::Zero(R), sum = Vector::Zero(R), squares = Vector::Zero(R);
  for (std::uint32_t s = 0; s < draws; ++s) {
    const Vector f = values.col(0) + G * z;
    const RandomStream stream{.seed = 41, .iteration = s};
    Vector omega(n);
    for (Index i = 0; i < n; ++i) omega(i) = polya_gamma(f(i), stream, static_cast<std::uint64_t>(1000 * i));
    const Matrix P = Matrix::Identity(R, R) + G.transpose() * omega.asDiagonal() * G;
    const Eigen::LLT<Matrix> factor(P);
    const Vector right =
        G.transpose() * ((data.Y.col(0).array() - 0.5).matrix() - omega.cwiseProduct(values.col(0)));
    z = factor.solve(right) + factor.matrixU().solve(RandomStream{.seed = 42, .iteration = s}.normals(R));
    sum += z;
    squares += z.cwiseAbs2();
  }
  const Vector mean = sum / draws, sd = (squares / draws - mean.cwiseAbs2()).cwiseSqrt();
  const Vector ours = network.coordinates.rowwise().mean();
  const Matrix centred = network.coordinates.colwise() - ours;
  const Vector our_sd = (centred.rowwise().squaredNorm() / draws).cwiseSqrt();
  // Both chains have short memory: their draws are worth at least a quarter as many independent ones.
  const double error = standard_errors * std::sqrt(2.0 / (draws / 4.0));
  for (Index i = 0; i < R; ++i) {
    EXPECT_NEAR(ours(i), mean(i), error * sd(i));
    EXPECT_NEAR(our_sd(i), sd(i), error * sd(i));
  }
}

}  // namespace
}  // namespace ridgelet
