// Is the posterior the posterior? Two tests of the whole pipeline that need no reference values, and the same
// tests of pipelines that are wrong on purpose, which they must refuse.
//
// Simulation-based calibration (Talts et al. 2018): a truth from the prior, data from the truth, a chain from
// the data; the truth's rank among the chain's draws is uniform.
// Successive-conditional simulation (Geweke 2004): data given parameters and parameters given data, in turn;
// the parameters have the prior's moments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "batch_means.hpp"
#include "network_chain.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/inference/closed_form_posterior.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::borrowed;
using testing::Estimate;
using testing::NetworkChain;
using testing::tolerance::standard_errors;

constexpr double noise = 0.3;
const Matrix X = Vector{{-1.7, -0.8, 0.0, 0.6, 1.5}};
const Matrix held_out = Vector{{-1.1, 0.3, 2.1}};

PriorOptions calibrated_options(const std::string& op, Index nodes) {
  return {.target = {.kernel = parse_kernel("se(lengthscale=1.2)"), .mean = MeanFunction("0.8*x1 + 0.5")},
          .nodes = grid(2.5, nodes, 1, 2.5),
          .units = 3,
          .hidden = {.sigma_w = 1, .sigma_b = 1.5},
          .op = {.name = op, .ridge = 0.1}};
}

/// A wrong likelihood: the noise's standard deviation is twice what it should be.
struct WrongNoise : NetworkChain {
  WrongNoise(const LayerPrior& prior, const Data& data, std::uint64_t seed, std::uint32_t index)
      : WrongNoise(prior, data, std::make_shared<Data>(data), seed, index) {}

  void resume(const VectorView& position, std::uint32_t iteration) {
    wrong->Y = right.Y;
    NetworkChain::resume(position, iteration);
  }

 private:
  WrongNoise(const LayerPrior& prior, const Data& data, std::shared_ptr<Data> copy, std::uint64_t seed,
             std::uint32_t index)
      : NetworkChain(prior, (copy->noise *= 2, *copy), seed, index), right(data), wrong(std::move(copy)) {}

  const Data& right;
  std::shared_ptr<Data> wrong;
};

/// A wrong prior: its mean is counted twice.
struct DoubledMean : LayerPrior {
  struct Output final : ConditionalOutput {
    std::unique_ptr<ConditionalOutput> right;
    explicit Output(std::unique_ptr<ConditionalOutput> output) : right(std::move(output)) {}
    Index rank() const override { return right->rank(); }
    bool condition(const HiddenLayers& layers) override { return right->condition(layers); }
    void evaluate(const Matrix& at, MatrixSpan values) override {
      right->evaluate(at, values);
      values.col(0) *= 2;
    }
    void start_pull_back() override { right->start_pull_back(); }
    void pull_back(const MatrixView& values_bar) override {
      Matrix doubled = values_bar;
      doubled.col(0) *= 2;
      right->pull_back(doubled);
    }
    const HiddenLayers& finish_pull_back() override { return right->finish_pull_back(); }
    const HiddenLayers& layers() const override { return right->layers(); }
    const std::vector<Matrix>& bridges() const override { return right->bridges(); }
    bool skip() const override { return right->skip(); }
    std::optional<Matrix> heads() const override { return right->heads(); }
    Matrix weights_at(const MatrixView& Z) const override { return right->weights_at(Z); }
  };

  const LayerPrior& right;
  explicit DoubledMean(const LayerPrior& prior) : right(prior) {}
  Index dimension() const override { return right.dimension(); }
  HiddenLayers allocate() const override { return right.allocate(); }
  void at(const VectorView& xi, HiddenLayers& layers) const override { right.at(xi, layers); }
  const Activation& activation() const override { return right.activation(); }
  std::string name() const override { return right.name(); }
  Index rank() const override { return right.rank(); }
  double output_bytes() const override { return right.output_bytes(); }
  double pull_back_bytes(Index rows) const override { return right.pull_back_bytes(rows); }
  void pull_back(const VectorView& xi, const HiddenLayers& layers_bar,
                 Eigen::Ref<Vector> xi_bar) const override {
    right.pull_back(xi, layers_bar, xi_bar);
  }
  std::unique_ptr<ConditionalOutput> make_output() const override {
    return std::make_unique<Output>(right.make_output());
  }
};

struct MeanCountedTwice : private DoubledMean, public NetworkChain {
  MeanCountedTwice(const LayerPrior& prior, const Data& data, std::uint64_t seed, std::uint32_t index)
      : DoubledMean(prior), NetworkChain(static_cast<const DoubledMean&>(*this), data, seed, index) {}
};

/// Wrong steps: the slice's level without log u, or from the proposal, which then always passes.
enum class Level { without_log_u, of_the_proposal };

template <Level wrong>
struct WrongLevel : NetworkChain {
  WrongLevel(const LayerPrior& prior, const Data& data, std::uint64_t seed, std::uint32_t index)
      : NetworkChain(prior, data, seed, index), numbers{.seed = seed ^ 0xabcdef, .replicate = index} {}

  int step() {
    const double level = log_density();
    const std::uint32_t next = iteration() + 1;
    numbers.iteration = next;
    const Vector here = position(), ellipse = numbers.normals(here.size());
    std::uint64_t used = 1000;
    double angle = 2 * M_PI * numbers.uniform(used++);
    double lower = angle - 2 * M_PI, upper = angle;
    for (int evaluations = 1;; ++evaluations) {
      resume(std::cos(angle) * here + std::sin(angle) * ellipse, next);
      const double u = numbers.uniform(used++);
      const double asked = wrong == Level::without_log_u ? level : log_density() + std::log(u);
      // A climb may never succeed near a maximum: it stops when the bracket is small.
      if (log_density() > asked || upper - lower < 0.01) return evaluations;
      (angle < 0 ? lower : upper) = angle;
      angle = lower + (upper - lower) * numbers.uniform(used++);
    }
  }

 private:
  RandomStream numbers;
};

/// Independent standard normals for each address.
Vector normals(std::uint32_t replicate, std::uint32_t iteration, Index size) {
  return RandomStream{.seed = 99, .replicate = replicate, .iteration = iteration}.normals(size);
}

/// The right model: data from parameters, and what is looked at.
struct World {
  Data data{.X = X, .Y = Matrix::Zero(X.rows(), 1), .noise = Vector::Constant(1, noise)};
  CollapsedLikelihood likelihood;

  explicit World(const LayerPrior& prior) : likelihood(prior, data) {}

  Index rank() { return likelihood.output().rank(); }

  Vector function_at(const Matrix& at, const Vector& z) {
    Matrix values(at.rows(), 1 + rank());
    likelihood.output().evaluate(at, values);
    return values.col(0) + values.rightCols(rank()) * z;
  }

  void draw_data(const HiddenLayers& layer, const Vector& z, const Vector& errors) {
    ASSERT_TRUE(likelihood.output().condition(layer));
    data.Y = function_at(X, z) + noise * errors;
  }

  /// f at the three points, and log p(y | layer), which sees errors in the layer that f hides.
  Vector statistics(const HiddenLayers& layer, const Vector& z) {
    Vector all(4);
    const double log_likelihood = likelihood(layer);
    all << function_at(held_out, z), log_likelihood;
    return all;
  }
};

constexpr Index rank_values = 30;

/// How far the empirical distribution function of n ranks 0 .. 29 is from that of uniform ranks: the largest
/// distance over its steps, in standard deviations of each step.
double ecdf_distance(const Vector& counts) {
  const double n = counts.sum();
  double below = 0, largest = 0;
  for (Index k = 0; k + 1 < rank_values; ++k) {
    below += counts(k) / n;
    const double expected = static_cast<double>(k + 1) / static_cast<double>(rank_values);
    largest = std::max(largest, std::abs(below - expected) / std::sqrt(expected * (1 - expected) / n));
  }
  return largest;
}

/// The half-width of the simultaneous band that 1999 of 2000 samples of n uniform ranks stay in (Saeilynoja,
/// Buerkner and Vehtari, Statistics and Computing 2022), by simulation.
double ecdf_band(int n) {
  constexpr std::uint32_t samples = 2000;
  std::vector<double> distances;
  for (std::uint32_t sample = 0; sample < samples; ++sample) {
    const RandomStream stream{.seed = 4, .replicate = sample};
    Vector counts = Vector::Zero(rank_values);
    for (int i = 0; i < n; ++i)
      counts(static_cast<Index>(stream.uniform(static_cast<std::uint64_t>(i)) * rank_values)) += 1;
    distances.push_back(ecdf_distance(counts));
  }
  std::ranges::sort(distances);
  return distances[samples - 2];
}

/// The largest distance of ranks from uniform, over the statistics, which are columns, in half-widths of the band.
double miscalibration_of(const Matrix& counts) {
  double largest = 0;
  for (Index s = 0; s < counts.cols(); ++s) largest = std::max(largest, ecdf_distance(counts.col(s)));
  return largest / ecdf_band(static_cast<int>(counts.col(0).sum()));
}

/// The miscalibration of the truth's ranks among the draws of a chain.
template <class Sampler>
double miscalibration(const LayerPrior& prior, int simulations, int thinning) {
  const ThreadScope one_thread(1);
  const Index size = prior.allocate().parameters(), draws = rank_values - 1;
  Matrix counts = Matrix::Zero(rank_values, 4);
  World world(prior);
  HiddenLayers layer = prior.allocate();
  for (int simulation = 0; simulation < simulations; ++simulation) {
    const auto replicate = static_cast<std::uint32_t>(simulation);
    prior.at(normals(replicate, 0, size), layer);
    const Vector z = normals(replicate, 1, world.rank());
    world.draw_data(layer, z, normals(replicate, 2, X.rows()));
    const Eigen::ArrayXd truth = world.statistics(layer, z);
    Sampler chain(prior, world.data, 7, replicate);
    Eigen::ArrayXd rank = Eigen::ArrayXd::Zero(4);
    for (Index draw = -2; draw < draws; ++draw) {
      for (int i = 0; i < thinning; ++i) chain.step();
      if (draw < 0) continue;
      const Eigen::ArrayXd drawn = world.statistics(chain.layers(), chain.draw_coordinates().col(0));
      rank += (drawn < truth).template cast<double>();
    }
    for (Index s = 0; s < 4; ++s) counts(static_cast<Index>(rank(s)), s) += 1;
  }
  return miscalibration_of(counts);
}

/// The miscalibration of the truth's ranks among functions of the posterior in closed form, whose hidden layers are the
/// truth's. The noise that it believes in may be wrong.
double miscalibration_of_fixed_layers(const RidgeletPrior& prior, double believed_noise = noise) {
  const ThreadScope one_thread(1);
  constexpr int truths = 1000;
  Matrix counts = Matrix::Zero(rank_values, held_out.rows());
  World world(prior);
  HiddenLayers layers = prior.allocate();
  const Vector believed = Vector::Constant(1, believed_noise);
  for (std::uint32_t truth = 0; truth < truths; ++truth) {
    prior.at(normals(truth, 10, layers.parameters()), layers);
    const Vector z = normals(truth, 11, world.rank());
    world.draw_data(layers, z, normals(truth, 12, X.rows()));
    const RowSpectrum spectrum = row_spectrum(world.likelihood.output(), world.data);
    const ClosedFormPosterior posterior(borrowed(prior), believed, MeanFunction("0"),
                                        {closed_form_network(layers, spectrum, believed)});
    const Matrix drawn = posterior.functions(held_out, rank_values - 1, truth);
    const Vector expected = world.function_at(held_out, z);
    for (Index s = 0; s < held_out.rows(); ++s) counts((drawn.col(s).array() < expected(s)).count(), s) += 1;
  }
  return miscalibration_of(counts);
}

/// The largest distance of successive-conditional moments from those of independent draws of parameters and
/// data, in standard errors.
template <class Sampler>
double drift(const LayerPrior& prior, Index steps) {
  const ThreadScope one_thread(1);
  const Index size = prior.allocate().parameters();
  World world(prior), other(prior);
  Matrix successive(2 * (size + 4), steps), independent = successive;
  Sampler chain(prior, world.data, 8, 0);
  HiddenLayers layer = prior.allocate();
  Vector z = normals(1, 0, world.rank());
  for (Index i = 0; i < steps; ++i) {
    const auto iteration = static_cast<std::uint32_t>(i);
    world.draw_data(chain.layers(), z, normals(2, iteration, X.rows()));
    chain.resume(Vector(chain.position()), chain.iteration());
    chain.step();
    z = chain.draw_coordinates().col(0);
    const Vector seen = world.statistics(chain.layers(), z);
    successive.col(i) << chain.position(), chain.position().cwiseAbs2(), seen, seen.cwiseAbs2();

    const Vector xi = normals(3, iteration, size), coordinates = normals(4, iteration, world.rank());
    prior.at(xi, layer);
    other.draw_data(layer, coordinates, normals(5, iteration, X.rows()));
    const Vector expected = other.statistics(layer, coordinates);
    independent.col(i) << xi, xi.cwiseAbs2(), expected, expected.cwiseAbs2();
  }
  double largest = 0;
  for (Index s = 0; s < successive.rows(); ++s)
    largest = std::max(largest, Estimate(successive.row(s)).distance(Estimate(independent.row(s))));
  return largest;
}

// Five data: more than the coordinates of the first, fewer than those of the second.
const RidgeletPrior least_squares(calibrated_options("least-squares", 4)),
    ridgelet_operator(calibrated_options("ridgelet", 6));

constexpr int simulations = 400, few = 150, thinning = 8;
constexpr Index steps = 40'000, fewer_steps = 20'000;

TEST(Calibration, RanksOfTheTruthAreUniform) {
  EXPECT_LT(miscalibration<NetworkChain>(least_squares, simulations, thinning), 1);
  EXPECT_LT(miscalibration<NetworkChain>(ridgelet_operator, simulations, thinning), 1);
}

TEST(Calibration, RanksOfTheTruthAreUniformInADeepNetwork) {
  PriorOptions two_layers = calibrated_options("least-squares", 4);
  two_layers.layers = 2;
  EXPECT_LT(miscalibration<NetworkChain>(RidgeletPrior(two_layers), simulations, thinning), 1);
}

TEST(Calibration, RanksOfTheTruthAreUniformWithTheIidPrior) {
  const IidPrior iid({.units = 4, .hidden = {.sigma_w = 1, .sigma_b = 1.5}, .sigma_out = 0.6});
  EXPECT_LT(miscalibration<NetworkChain>(iid, simulations, thinning), 1);
}

TEST(Calibration, RanksOfTheTruthAreUniformWhereHiddenLayersAreFixed) {
  PriorOptions two_layers = calibrated_options("least-squares", 4);
  two_layers.layers = 2;
  EXPECT_LT(miscalibration_of_fixed_layers(least_squares), 1);
  EXPECT_LT(miscalibration_of_fixed_layers(ridgelet_operator), 1);
  EXPECT_LT(miscalibration_of_fixed_layers(RidgeletPrior(two_layers)), 1);
}

TEST(Calibration, RanksSeeAWrongNoiseWhereHiddenLayersAreFixed) {
  PriorOptions two_layers = calibrated_options("least-squares", 4);
  two_layers.layers = 2;
  EXPECT_GT(miscalibration_of_fixed_layers(least_squares, 2 * noise), 1.5);
  EXPECT_GT(miscalibration_of_fixed_layers(RidgeletPrior(two_layers), 2 * noise), 1.5);
}

TEST(Calibration, RanksSeeAWrongNoise) {
  EXPECT_GT(miscalibration<WrongNoise>(least_squares, few, thinning), 1.5);
}

TEST(Calibration, RanksSeeAMeanCountedTwice) {
  EXPECT_GT(miscalibration<MeanCountedTwice>(least_squares, few, thinning), 1.5);
}

TEST(Calibration, RanksSeeAWrongLevel) {
  EXPECT_GT(miscalibration<WrongLevel<Level::without_log_u>>(least_squares, few, thinning), 1.5);
  EXPECT_GT(miscalibration<WrongLevel<Level::of_the_proposal>>(least_squares, few, thinning), 1.5);
}

TEST(Calibration, SuccessiveConditionalsHaveThePriorsMoments) {
  EXPECT_LT(drift<NetworkChain>(least_squares, steps), standard_errors);
  EXPECT_LT(drift<NetworkChain>(ridgelet_operator, steps), standard_errors);
}

TEST(Calibration, SuccessiveConditionalsOfADeepNetworkHaveThePriorsMoments) {
  PriorOptions two_layers = calibrated_options("least-squares", 4);
  two_layers.layers = 2;
  EXPECT_LT(drift<NetworkChain>(RidgeletPrior(two_layers), steps), standard_errors);
}

TEST(Calibration, SuccessiveConditionalsSeeAWrongNoise) {
  EXPECT_GT(drift<WrongNoise>(least_squares, fewer_steps), 2 * standard_errors);
}

TEST(Calibration, SuccessiveConditionalsSeeAMeanCountedTwice) {
  EXPECT_GT(drift<MeanCountedTwice>(least_squares, fewer_steps), 2 * standard_errors);
}

TEST(Calibration, SuccessiveConditionalsSeeAWrongLevel) {
  EXPECT_GT(drift<WrongLevel<Level::without_log_u>>(least_squares, fewer_steps), 2 * standard_errors);
  EXPECT_GT(drift<WrongLevel<Level::of_the_proposal>>(least_squares, fewer_steps), 2 * standard_errors);
}

}  // namespace
}  // namespace ridgelet
