#include "ridgelet/inference/nuts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "batch_means.hpp"
#include "densities.hpp"
#include "expectations.hpp"
#include "network_chain.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

using testing::Estimate;
using testing::expect_mean;
using testing::GaussianData;
using testing::impossible;
using testing::SmoothGaussianData;
using testing::tolerance::standard_errors;

/// Any function with its gradient.
class Smooth final : public DifferentiableLogDensity {
 public:
  using Function = std::function<double(const Vector& xi, Vector& gradient)>;
  Smooth(Index dimension, Function function) : dimension_(dimension), function_(std::move(function)) {}
  Index dimension() const override { return dimension_; }
  double operator()(const Vector& xi) override {
    Vector gradient(xi.size());
    return function_(xi, gradient);
  }
  double value_and_gradient(const Vector& xi, Vector& gradient) override { return function_(xi, gradient); }

 private:
  Index dimension_;
  Function function_;
};

std::shared_ptr<Smooth> smooth(Index dimension, Smooth::Function function) {
  return std::make_shared<Smooth>(dimension, std::move(function));
}

std::shared_ptr<Smooth> flat(Index dimension) {
  return smooth(dimension, [](const Vector&, Vector& gradient) {
    gradient.setZero();
    return 0.0;
  });
}

NutsRandomness randomness(std::uint32_t iteration, std::uint64_t seed = 1) {
  return {.momentum = {.seed = seed, .purpose = Purpose::chain_momentum, .iteration = iteration},
          .tree = {.seed = seed, .purpose = Purpose::chain_tree, .iteration = iteration}};
}

/// Positions after each of `steps` trajectories, one in each row.
Matrix path(std::shared_ptr<DifferentiableLogDensity> density, const Vector& start, double step,
            Index steps) {
  Nuts nuts(std::move(density));
  nuts.move_to(start);
  Matrix visited(steps, start.size());
  for (Index i = 0; i < steps; ++i) {
    nuts.move(step, randomness(static_cast<std::uint32_t>(i)));
    visited.row(i) = nuts.position().transpose();
  }
  return visited;
}

TEST(Nuts, LeavesThePriorInvariantWhenTheLikelihoodIsFlat) {
  for (const double step : {0.3, 1.5}) {
    const Matrix x = path(flat(3), Vector::Zero(3), step, 50'000);
    for (Index i = 0; i < 3; ++i) {
      const Eigen::ArrayXd xi = x.col(i);
      expect_mean(xi, 0, "mean");
      expect_mean(xi.square(), 1, "variance");
      expect_mean(xi.square().square(), 3, "fourth moment");
      expect_mean(xi * x.col((i + 1) % 3).array(), 0, "covariance");
    }
  }
}

TEST(Nuts, HasNoEnergyErrorWhenTheLikelihoodIsFlatInAnyNumberOfDimensions) {
  Nuts nuts(flat(2000));
  nuts.move_to(RandomStream{.seed = 2}.normals(2000));
  for (std::uint32_t i = 0; i < 20; ++i) EXPECT_NEAR(nuts.move(0.7, randomness(i)).acceptance, 1, 1e-9);
}

TEST(Nuts, HasTheConjugatePosteriorOfGaussianDataWithStepsOfAnySize) {
  const GaussianData data{.H = RandomStream{.seed = 8}.normals(4, 3),
                          .y = RandomStream{.seed = 9}.normals(4).array() + 0.5,
                          .noise = 0.5};
  for (const double step : {0.05, 0.2, 0.5}) {
    const Matrix x = path(std::make_shared<SmoothGaussianData>(data), data.mean(), step, 40'000);
    for (Index i = 0; i < 3; ++i) {
      expect_mean(x.col(i), data.mean()(i), "mean");
      for (Index j = 0; j <= i; ++j)
        expect_mean((x.col(i).array() - data.mean()(i)) * (x.col(j).array() - data.mean()(j)),
                    data.covariance()(i, j), "covariance");
    }
  }
}

// Steps of about 0.7 of the largest that is stable, so that the states of a trajectory differ much in energy, and a
// draw that took them for equals, or weighed them by a part of the trajectory only, would have another spread.
TEST(Nuts, WeighsTheStatesOfATrajectoryByTheirEnergy) {
  for (const double noise : {0.3, 0.2}) {
    const GaussianData data{.H = Matrix{{1}}, .y = Vector{{1}}, .noise = noise};
    const double sd = std::sqrt(data.covariance()(0, 0));
    const Matrix x = path(std::make_shared<SmoothGaussianData>(data), data.mean(), 1.4 * sd, 400'000);
    const Eigen::ArrayXd standard = (x.col(0).array() - data.mean()(0)) / sd;
    expect_mean(standard, 0, "mean");
    expect_mean(standard.square(), 1, "variance");
    expect_mean(standard.square().square(), 3, "fourth moment");
  }
}

// A log likelihood that is not quadratic: -log(1 + e^{3 xi}), a smooth wall to the right. The moments of the posterior
// come from quadrature.
TEST(Nuts, HasTheMomentsOfAPosteriorThatIsNotNormal) {
  const auto wall = [](const Vector& xi, Vector& gradient) {
    gradient.setConstant(1, -3 / (1 + std::exp(-3 * xi(0))));
    return -std::log1p(std::exp(3 * xi(0)));
  };
  double mass = 0, first = 0, second = 0;
  for (double x = -8; x <= 8; x += 0.001) {
    const double density = std::exp(-x * x / 2) / (1 + std::exp(3 * x));
    mass += density;
    first += density * x;
    second += density * x * x;
  }
  const Matrix x = path(smooth(1, wall), Vector::Zero(1), 0.6, 100'000);
  expect_mean(x.col(0), first / mass, "mean");
  expect_mean(x.col(0).array().square(), second / mass, "second moment");
}

TEST(Nuts, StaysWhereTheDensityIsPossibleAndCallsTheRestDivergence) {
  for (const double outside : {impossible, std::nan("")}) {
    const auto half = smooth(2, [=](const Vector& xi, Vector& gradient) {
      gradient.setZero();
      return xi(0) > 0 ? 0.0 : outside;
    });
    Nuts nuts(half);
    nuts.move_to(Vector::Ones(2));
    int divergences = 0;
    Vector series(20'000);
    for (Index i = 0; i < series.size(); ++i) {
      divergences += nuts.move(0.1, randomness(static_cast<std::uint32_t>(i))).diverged;
      series(i) = nuts.position()(0);
    }
    EXPECT_GT(series.minCoeff(), 0);
    EXPECT_GT(divergences, 1000);
    expect_mean(series, std::sqrt(2 / M_PI), "mean of a half normal");
  }
}

TEST(Nuts, DivergesWhereStepsAreFarTooLarge) {
  const GaussianData narrow{.H = Matrix::Identity(2, 2), .y = Vector::Zero(2), .noise = 1e-4};
  Nuts nuts(std::make_shared<SmoothGaussianData>(narrow));
  nuts.move_to(Vector::Constant(2, 1e-4));
  const Vector before = nuts.position();
  const Trajectory made = nuts.move(0.5, randomness(0));
  EXPECT_TRUE(made.diverged);
  EXPECT_EQ(made.evaluations, 1);
  EXPECT_LT(made.acceptance, 1e-9);
  EXPECT_EQ(nuts.position(), before);
}

TEST(Nuts, MakesAtMostTenDoublings) {
  Nuts nuts(flat(2));
  nuts.move_to(Vector::Ones(2));
  const Trajectory made = nuts.move(1e-9, randomness(0));
  EXPECT_EQ(made.doublings, 10);
  EXPECT_EQ(made.evaluations, 1023);
  EXPECT_EQ(nuts.options().most_steps(), 1023);
  Nuts shorter(flat(2), {.most_doublings = 3});
  shorter.move_to(Vector::Ones(2));
  EXPECT_EQ(shorter.move(1e-9, randomness(0)).evaluations, 7);
}

// Half a turn of the circle that xi and p move on: about pi / 0.1 steps, and never many more.
TEST(Nuts, EndsATrajectoryAboutWhereItTurnsBack) {
  Nuts nuts(flat(50));
  nuts.move_to(RandomStream{.seed = 2}.normals(50));
  for (std::uint32_t i = 0; i < 100; ++i) {
    const int made = nuts.move(0.1, randomness(i)).evaluations;
    EXPECT_GE(made, 15);
    EXPECT_LE(made, 63);
  }
}

TEST(Nuts, IsAFunctionOfItsStreamsAndPosition) {
  const GaussianData data{.H = Matrix::Identity(2, 2), .y = Vector::Constant(2, 1), .noise = 0.5};
  const auto density = std::make_shared<SmoothGaussianData>(data);
  EXPECT_EQ(path(density, Vector::Zero(2), 0.3, 50), path(density, Vector::Zero(2), 0.3, 50));
  Nuts one(density), other(density);
  one.move_to(Vector::Zero(2));
  other.move_to(Vector::Zero(2));
  one.move(0.3, randomness(0));
  other.move(0.3, randomness(0, 2));
  EXPECT_NE(one.position(), other.position());
}

TEST(Nuts, KnowsTheDensityWhereItIs) {
  const GaussianData data{.H = Matrix::Identity(2, 2), .y = Vector::Constant(2, 1), .noise = 0.5};
  Nuts nuts(std::make_shared<SmoothGaussianData>(data));
  nuts.move_to(Vector::Zero(2));
  for (std::uint32_t i = 0; i < 50; ++i) {
    nuts.move(0.3, randomness(i));
    EXPECT_EQ(nuts.log_density(), data(nuts.position()));
  }
}

TEST(Nuts, StaysWhereItWasIfItsDensityThrows) {
  const GaussianData data{.H = Matrix::Identity(2, 2), .y = Vector::Constant(2, 1), .noise = 0.5};
  int left = 3;
  const auto fragile = smooth(2, [&](const Vector& xi, Vector& gradient) {
    if (--left == 0) throw std::runtime_error("no");
    return SmoothGaussianData(data).value_and_gradient(xi, gradient);
  });
  Nuts nuts(fragile), steady(std::make_shared<SmoothGaussianData>(data));
  nuts.move_to(Vector::Zero(2));
  steady.move_to(Vector::Zero(2));
  EXPECT_THROW(nuts.move(0.1, randomness(0)), std::runtime_error);
  EXPECT_EQ(nuts.position(), Vector::Zero(2));
  left = 1'000'000;
  nuts.move(0.1, randomness(0));
  steady.move(0.1, randomness(0));
  EXPECT_EQ(nuts.position(), steady.position());
}

TEST(StepSize, IsLearnedSoThatTrajectoriesHaveTheAcceptanceWanted) {
  for (const double noise : {0.02, 0.3}) {
    const GaussianData data{.H = RandomStream{.seed = 8}.normals(30, 20),
                            .y = RandomStream{.seed = 9}.normals(30),
                            .noise = noise};
    Chain chain(std::make_shared<SmoothGaussianData>(data), 1, 0, {}, 500);
    for (int i = 0; i < 500; ++i) chain.step();
    const StepSize learned = chain.step_size();
    Nuts nuts(std::make_shared<SmoothGaussianData>(data));
    nuts.move_to(chain.position());
    double sum = 0;
    for (std::uint32_t i = 0; i < 500; ++i) sum += nuts.move(learned.settled(), randomness(i)).acceptance;
    EXPECT_NEAR(sum / 500, 0.8, 0.12) << "noise " << noise;
    chain.step();
    EXPECT_EQ(chain.step_size().settled(), learned.settled()) << "learned after the warm-up too";
  }
}

TEST(StepSize, GrowsToItsBoundWhereNothingIsRejected) {
  Chain chain(flat(5), 1, 0, {}, 200);
  for (int i = 0; i < 200; ++i) chain.step();
  EXPECT_NEAR(chain.step_size().settled(), NutsOptions{}.largest_step, 0.02);
}

TEST(ChainOfTrajectories, GoesOnFromWhereAnotherStoppedAsIfNothingHadHappened) {
  const GaussianData data{.H = Matrix{{1, 0.5, 0}, {0, 2, -1}}, .y = Vector{{1, -0.5}}, .noise = 0.4};
  const auto make = [&] { return Chain(std::make_shared<SmoothGaussianData>(data), 9, 3, {}, 10); };
  for (const int stop : {0, 1, 7, 10, 15}) {
    Chain whole = make(), resumed = make();
    for (int i = 0; i < stop; ++i) whole.step();
    resumed.resume(Vector(whole.position()), whole.iteration(), whole.step_size());
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(resumed.step(), whole.step());
      EXPECT_EQ(resumed.position(), whole.position());
      EXPECT_EQ(resumed.log_density(), whole.log_density());
      EXPECT_EQ(resumed.step_size().current(), whole.step_size().current());
    }
  }
}

TEST(ChainOfTrajectories, StartsWhereAChainOfSlicesDoes) {
  const GaussianData data{.H = Matrix::Identity(3, 3), .y = Vector::Ones(3), .noise = 0.4};
  const auto density = std::make_shared<SmoothGaussianData>(data);
  const Chain slices(density, 9, 3), trajectories(density, 9, 3, {}, 10);
  EXPECT_EQ(trajectories.position(), slices.position());
  EXPECT_EQ(trajectories.log_density(), slices.log_density());
}

/// What is watched of a network under either sampler: its log likelihood, its function at a point, and the square of a
/// coordinate.
Matrix watched(Chain& chain, CollapsedDensity& density, Index warmup, Index draws) {
  Matrix series(draws, 3);
  const Matrix X = Matrix::Constant(1, 1, 0.8);
  for (Index i = -warmup; i < draws; ++i) {
    chain.step();
    if (i < 0) continue;
    density.move_to(chain.position());
    Matrix values(1, 1 + density.rank());
    density.output().evaluate(X, values);
    const double f =
        values(0, 0) +
        values.rightCols(density.rank()).row(0).dot(density.likelihood().coordinates(0).coordinates_mean());
    series.row(i) << chain.log_density(), f, chain.position()(0) * chain.position()(0);
  }
  return series;
}

TEST(ChainOfTrajectories, HasThePosteriorOfAChainOfSlicesForNetworksOfAnyDepth) {
  const ThreadScope one_thread(1);
  for (const std::string op : {"ridgelet", "least-squares"})
    for (const Index layers : {1, 2}) {
      if (op == "ridgelet" && layers == 2) continue;  // its trajectories are as long as they may be
      const RidgeletPrior prior({.target = {.kernel = parse_kernel("se(lengthscale=1.2)")},
                                 .nodes = grid(3, 8, 1, 3),
                                 .units = 6,
                                 .layers = layers,
                                 .hidden = {.sigma_w = 1, .sigma_b = 1.5},
                                 .op = {.name = op, .ridge = 0.1},
                                 .layer_scale = op == "ridgelet" ? 0.1 : 3,
                                 .layer_bias = 1});
      const Data data{.X = RandomStream{.seed = 5}.normals(6, 1),
                      .Y = RandomStream{.seed = 6}.normals(6, 1),
                      .noise = Vector::Constant(1, 1)};
      const auto density =
          std::make_shared<CollapsedDensity>(testing::borrowed(prior), testing::borrowed(data));
      Chain slices(density, 1, 0), trajectories(density, 2, 0, {}, 300);
      const Matrix by_slices = watched(slices, *density, 300, 5'000);
      const Matrix by_trajectories = watched(trajectories, *density, 300, 800);
      for (Index k = 0; k < 3; ++k) {
        const Estimate one(by_slices.col(k)), other(by_trajectories.col(k));
        EXPECT_LT(one.distance(other), standard_errors) << op << ", " << layers << " layers, quantity " << k;
      }
    }
}

}  // namespace
}  // namespace ridgelet
