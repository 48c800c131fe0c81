#include "ridgelet/inference/chains.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "expectations.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/cubature/grid.hpp"
#include "ridgelet/prior/iid_prior.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {
namespace {

RidgeletPrior example(Index units = 5, const std::string& op = "least-squares") {
  return RidgeletPrior(
      {.target = {.kernel = parse_kernel("se(lengthscale=1)"), .mean = MeanFunction("0.2*x1")},
       .nodes = grid(3, 4, 2, 3),
       .units = units,
       .hidden = {.sigma_w = 1, .sigma_b = 2},
       .op = {.name = op, .ridge = 1e-2}});
}

Data random_data(Index rows) {
  return {.X = RandomStream{.seed = 5}.normals(rows, 2),
          .Y = RandomStream{.seed = 6}.normals(rows, 2),
          .noise = Vector::LinSpaced(2, 0.3, 0.5)};
}

std::vector<Chain> make_chains(const LayerPrior& prior, const Data& data, std::uint32_t count,
                               std::uint64_t seed = 1) {
  std::vector<Chain> chains;
  for (std::uint32_t i = 0; i < count; ++i) chains.emplace_back(prior, data, seed, i);
  return chains;
}

const auto ignore = [](Chain&, int) {};
const auto never = [] { return false; };

TEST(Chain, KeepsItsNetworkWhenItIsMoved) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = example();
  const Data data = random_data(6);
  Chain chain(prior, data, 1, 0);
  const Index columns = 1 + chain.likelihood().output().rank();
  Matrix before(6, columns), after(6, columns);
  chain.likelihood().output().evaluate(data.X, before);
  Chain moved = std::move(chain);
  moved.likelihood().output().evaluate(data.X, after);
  EXPECT_EQ(before, after);
}

TEST(Chain, StartsAtADrawOfThePrior) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = example();
  const Data data = random_data(6);
  // Positions over many chains are standard normal: 15 coordinates of 400 chains.
  double sum = 0, squares = 0;
  const std::uint32_t count = 400;
  for (Chain& chain : make_chains(prior, data, count)) {
    ASSERT_EQ(chain.position().size(), 15);
    sum += chain.position().sum();
    squares += chain.position().squaredNorm();
  }
  const double n = 15.0 * count;
  EXPECT_NEAR(sum / n, 0, testing::tolerance::standard_errors / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, testing::tolerance::standard_errors * std::sqrt(2 / n));
}

TEST(Chain, IsWhereItSaysItIs) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = example();
  const Data data = random_data(6);
  Chain chain(prior, data, 1, 0);
  for (std::uint32_t step = 0; step < 20; ++step) {
    EXPECT_EQ(chain.iteration(), step);
    const Eigen::Map<const Matrix> W(chain.position().data(), 5, 2);
    EXPECT_EQ(chain.layers().first().W, 1.0 * W);
    EXPECT_EQ(chain.layers().first().b, 2.0 * chain.position().tail(5));
    EXPECT_EQ(chain.log_likelihood(), CollapsedLikelihood(prior, data)(chain.layers()));
    EXPECT_GE(chain.step(), 1);
  }
}

TEST(Chain, DrawsCoordinatesOfItsLayer) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = example();
  const Data data = random_data(6);
  Chain chain(prior, data, 1, 0);
  chain.step();
  const Matrix z = chain.draw_coordinates();
  EXPECT_EQ(z.rows(), prior.rank());
  EXPECT_EQ(z.cols(), 2);
  EXPECT_EQ(z, chain.draw_coordinates());
  EXPECT_NE(z.col(0), z.col(1));
  chain.step();
  EXPECT_NE(z, chain.draw_coordinates());
}

TEST(Chain, GoesOnFromWhereAnotherStoppedAsIfNothingHadHappened) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = example();
  for (const Index rows : {6, 40}) {
    const Data data = random_data(rows);
    Chain whole(prior, data, 9, 3), resumed(prior, data, 9, 3);
    for (int i = 0; i < 7; ++i) whole.step();
    resumed.resume(Vector(whole.position()), whole.iteration());
    EXPECT_EQ(resumed.log_likelihood(), whole.log_likelihood());
    EXPECT_EQ(resumed.draw_coordinates(), whole.draw_coordinates());
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(resumed.step(), whole.step());
      EXPECT_EQ(resumed.position(), whole.position());
      EXPECT_EQ(resumed.iteration(), whole.iteration());
      EXPECT_EQ(resumed.draw_coordinates(), whole.draw_coordinates());
    }
  }
}

TEST(Chain, DiffersFromOtherChainsAndOtherSeeds) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = example();
  const Data data = random_data(6);
  Chain chain(prior, data, 1, 0), other_index(prior, data, 1, 1), other_seed(prior, data, 2, 0);
  EXPECT_NE(chain.position(), other_index.position());
  EXPECT_NE(chain.position(), other_seed.position());
  // From the same place, different numbers lead to different places.
  other_index.resume(Vector(chain.position()), 0);
  other_seed.resume(Vector(chain.position()), 0);
  chain.step();
  other_index.step();
  other_seed.step();
  EXPECT_NE(chain.position(), other_index.position());
  EXPECT_NE(chain.position(), other_seed.position());
}

/// Positions, likelihoods and coordinates of every step of every chain.
std::vector<std::vector<Vector>> visited(const LayerPrior& prior, const Data& data, std::uint32_t count,
                                         int threads) {
  const ThreadScope scope(threads);
  std::vector<Chain> chains = make_chains(prior, data, count);
  std::vector<std::vector<Vector>> all(count);
  run_chains(
      chains, 6,
      [&](Chain& chain, int evaluations) {
        auto& own = all[chain.index()];
        own.push_back(chain.position());
        own.push_back(chain.draw_coordinates().reshaped());
        own.push_back(Vector::Constant(1, chain.log_likelihood()));
        own.push_back(Vector::Constant(1, evaluations));
      },
      never);
  return all;
}

// One chain has the threads inside its likelihood, four have a thread each; 300 units are two blocks.
TEST(RunChains, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const std::uint32_t count : {1u, 4u}) {
    for (const Index rows : {6, 600}) {
      const Data data = random_data(rows);
      const RidgeletPrior ridgelet = example(300, "ridgelet"), least_squares = example(300);
      const IidPrior iid({.units = 70, .dimension = 2, .sigma_out = 0.1});
      for (const LayerPrior* prior :
           {static_cast<const LayerPrior*>(&ridgelet), static_cast<const LayerPrior*>(&least_squares),
            static_cast<const LayerPrior*>(&iid)}) {
        const auto one = visited(*prior, data, count, 1);
        EXPECT_EQ(one.front().size(), 24u);
        EXPECT_TRUE(one == visited(*prior, data, count, 2)) << prior->name() << ", " << rows << " rows";
        EXPECT_TRUE(one == visited(*prior, data, count, 4)) << prior->name() << ", " << rows << " rows";
      }
    }
  }
}

TEST(RunChains, StepsEachChainAsItWouldStepAlone) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = example();
  const Data data = random_data(6);
  std::vector<Chain> chains = make_chains(prior, data, 3);
  run_chains(chains, 10, ignore, never);
  run_chains(chains, 25, ignore, never);
  for (std::uint32_t i = 0; i < 3; ++i) {
    Chain alone(prior, data, 1, i);
    for (int step = 0; step < 25; ++step) alone.step();
    EXPECT_EQ(chains[i].iteration(), 25u);
    EXPECT_EQ(chains[i].position(), alone.position());
    EXPECT_NE(chains[i].position(), chains[(i + 1) % 3].position());
  }
}

TEST(RunChains, TellsTheHandlerOfEveryStep) {
  const ThreadScope one_thread(1);
  const RidgeletPrior prior = example();
  const Data data = random_data(6);
  std::vector<Chain> chains = make_chains(prior, data, 3);
  std::vector<std::vector<std::uint32_t>> told(3);
  run_chains(
      chains, 5,
      [&](Chain& chain, int evaluations) {
        EXPECT_GE(evaluations, 1);
        told[chain.index()].push_back(chain.iteration());
      },
      never);
  for (const auto& own : told) EXPECT_EQ(own, (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
}

TEST(RunChains, StopsBetweenSteps) {
  const RidgeletPrior prior = example();
  const Data data = random_data(6);
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    std::vector<Chain> chains = make_chains(prior, data, 2);
    std::atomic<int> handled = 0;
    run_chains(
        chains, 1000, [&](Chain&, int) { ++handled; }, [] { return true; });
    EXPECT_EQ(handled, 0);
    EXPECT_EQ(chains[0].iteration() + chains[1].iteration(), 0u);

    run_chains(
        chains, 1000, [&](Chain&, int) { ++handled; }, [&] { return handled >= 7; });
    // A chain that asked just before the seventh step ended makes one more.
    EXPECT_GE(handled, 7);
    EXPECT_LT(handled, 7 + threads);
    EXPECT_EQ(chains[0].iteration() + chains[1].iteration(), static_cast<std::uint32_t>(handled));
    // Whoever was stopped is in a proper state and goes on.
    run_chains(chains, 20, ignore, never);
    Chain alone(prior, data, 1, 1);
    for (int step = 0; step < 20; ++step) alone.step();
    EXPECT_EQ(chains[1].position(), alone.position());
  }
}

TEST(RunChains, PassesOnWhatAHandlerThrows) {
  const RidgeletPrior prior = example();
  const Data data = random_data(6);
  for (const int threads : {1, 2, 4}) {
    const ThreadScope scope(threads);
    std::vector<Chain> chains = make_chains(prior, data, 2);
    const auto fail = [](Chain& chain, int) {
      if (chain.index() == 1 && chain.iteration() == 3) throw std::runtime_error("the disk is full");
    };
    try {
      run_chains(chains, 10, fail, never);
      FAIL() << "nothing was thrown with " << threads << " threads";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "the disk is full");
    }
    EXPECT_EQ(chains[1].iteration(), 3u);
  }
}

}  // namespace
}  // namespace ridgelet
