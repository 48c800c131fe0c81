#include "ridgelet/inference/chains.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "batch_means.hpp"
#include "densities.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/parallel.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet {
namespace {

using testing::DensityOf;
using testing::expect_mean;
using testing::flat;
using testing::GaussianData;
using testing::impossible;
using testing::shared;
using testing::Window;
using testing::tolerance::standard_errors;

const GaussianData three_coordinates{
    .H = Matrix{{1, 0.5, 0}, {0, 2, -1}}, .y = Vector{{1, -0.5}}, .noise = 0.4};

std::vector<Chain> make_chains(std::uint32_t count, std::uint64_t seed = 1) {
  std::vector<Chain> chains;
  for (std::uint32_t i = 0; i < count; ++i) chains.emplace_back(shared(three_coordinates.density()), seed, i);
  return chains;
}

const auto ignore = [](const Chain&, int) {};
const auto never = [] { return false; };

TEST(Chain, StartsAtADrawOfThePrior) {
  // Positions over many chains are standard normal: 15 coordinates of 400 chains.
  double sum = 0, squares = 0;
  const std::uint32_t count = 400;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Chain chain(shared(flat(15)), 1, i);
    ASSERT_EQ(chain.position().size(), 15);
    sum += chain.position().sum();
    squares += chain.position().squaredNorm();
  }
  const double n = 15.0 * count;
  EXPECT_NEAR(sum / n, 0, standard_errors / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, standard_errors * std::sqrt(2 / n));
}

// One draw of the prior in 6 is possible.
TEST(Chain, StartsWhereTheDensityIsPossible) {
  for (std::uint32_t i = 0; i < 50; ++i) {
    const Chain chain(shared(Window{.lower = 1, .upper = 9}.density(2)), 1, i);
    EXPECT_GT(chain.position()(0), 1);
    EXPECT_EQ(chain.log_density(), 0);
  }
}

TEST(Chain, SaysWhenNoStartIsPossible) {
  const Chain chain(shared(DensityOf(2, [](const Vector&) { return impossible; })), 1, 0);
  EXPECT_EQ(chain.log_density(), impossible);
}

TEST(Chain, IsWhereItSaysItIs) {
  Chain chain(shared(three_coordinates.density()), 1, 0);
  for (std::uint32_t step = 0; step < 20; ++step) {
    EXPECT_EQ(chain.iteration(), step);
    EXPECT_EQ(chain.log_density(), three_coordinates(chain.position()));
    EXPECT_GE(chain.step(), 1);
  }
}

TEST(Chain, HasTheConjugatePosteriorOfGaussianData) {
  Chain chain(shared(three_coordinates.density()), 1, 0);
  const Index steps = 100'000;
  Matrix x(steps, 3);
  for (Index i = 0; i < steps; ++i) {
    chain.step();
    x.row(i) = chain.position().transpose();
  }
  for (Index k = 0; k < 3; ++k)
    expect_mean(x.col(k), three_coordinates.mean()(k), "mean " + std::to_string(k));
}

TEST(Chain, GoesOnFromWhereAnotherStoppedAsIfNothingHadHappened) {
  Chain whole(shared(three_coordinates.density()), 9, 3), resumed(shared(three_coordinates.density()), 9, 3);
  for (int i = 0; i < 7; ++i) whole.step();
  resumed.resume(Vector(whole.position()), whole.iteration());
  EXPECT_EQ(resumed.log_density(), whole.log_density());
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(resumed.step(), whole.step());
    EXPECT_EQ(resumed.position(), whole.position());
    EXPECT_EQ(resumed.iteration(), whole.iteration());
  }
}

TEST(Chain, StaysWhereItWasIfItsDensityThrows) {
  bool fails = false;
  const auto fragile = DensityOf(3, [&](const Vector& x) {
    if (fails) throw std::runtime_error("no");
    return three_coordinates(x);
  });
  Chain chain(shared(fragile), 1, 0), other(shared(three_coordinates.density()), 1, 0);
  chain.step();
  other.step();
  fails = true;
  EXPECT_THROW(chain.step(), std::runtime_error);
  fails = false;
  EXPECT_EQ(chain.iteration(), 1u);
  EXPECT_EQ(chain.position(), other.position());
  EXPECT_EQ(chain.step(), other.step());
  EXPECT_EQ(chain.position(), other.position());
}

TEST(Chain, DiffersFromOtherChainsAndOtherSeeds) {
  Chain chain(shared(three_coordinates.density()), 1, 0),
      other_index(shared(three_coordinates.density()), 1, 1),
      other_seed(shared(three_coordinates.density()), 2, 0);
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

TEST(RunChains, StepsEachChainAsItWouldStepAloneOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 4, 7}) {
    const ThreadScope scope(threads);
    std::vector<Chain> chains = make_chains(3);
    run_chains(chains, 10, ignore, never);
    run_chains(chains, 25, ignore, never);
    for (std::uint32_t i = 0; i < 3; ++i) {
      Chain alone(shared(three_coordinates.density()), 1, i);
      for (int step = 0; step < 25; ++step) alone.step();
      EXPECT_EQ(chains[i].iteration(), 25u);
      EXPECT_EQ(chains[i].position(), alone.position());
      EXPECT_NE(chains[i].position(), chains[(i + 1) % 3].position());
    }
  }
}

/// Waits for `count` threads to be here at once; false if they do not come within ten seconds.
class Meeting {
 public:
  explicit Meeting(int count) : missing_(count) {}

  bool attend() {
    std::unique_lock lock(mutex_);
    --missing_;
    everybody_.notify_all();
    return everybody_.wait_for(lock, std::chrono::seconds(10), [&] { return missing_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable everybody_;
  int missing_;
};

// With eight threads four chains are at their first evaluation at the same time, each with two threads inside.
TEST(RunChains, RunsChainsSideBySideWithThreadsInsideEach) {
  const ThreadScope scope(8);
  Meeting of_chains(4), of_threads(8);
  std::atomic<bool> running = false, first[4] = {true, true, true, true};
  std::atomic<int> met = 0;
  std::vector<Chain> chains;
  for (std::uint32_t i = 0; i < 4; ++i)
    chains.emplace_back(shared(DensityOf(1,
                                         [&, i](const Vector&) {
                                           if (!running || !first[i].exchange(false)) return 0.0;
                                           met += of_chains.attend();
                                           parallel_for(2, [&](Index) { met += of_threads.attend(); });
                                           return 0.0;
                                         })),
                        1, i);
  running = true;
  run_chains(chains, 1, ignore, never);
  EXPECT_EQ(met, 4 + 8);
}

TEST(RunChains, TellsTheHandlerOfEveryStep) {
  std::vector<Chain> chains = make_chains(3);
  std::vector<std::vector<std::uint32_t>> told(3);
  run_chains(
      chains, 5,
      [&](const Chain& chain, int evaluations) {
        EXPECT_GE(evaluations, 1);
        told[chain.index()].push_back(chain.iteration());
      },
      never);
  for (const auto& own : told) EXPECT_EQ(own, (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
}

TEST(RunChains, StopsBetweenSteps) {
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    std::vector<Chain> chains = make_chains(2);
    std::atomic<int> handled = 0;
    run_chains(
        chains, 1000, [&](const Chain&, int) { ++handled; }, [] { return true; });
    EXPECT_EQ(handled, 0);
    EXPECT_EQ(chains[0].iteration() + chains[1].iteration(), 0u);

    run_chains(
        chains, 1000, [&](const Chain&, int) { ++handled; }, [&] { return handled >= 7; });
    // A chain that asked just before the seventh step ended makes one more.
    EXPECT_GE(handled, 7);
    EXPECT_LT(handled, 7 + threads);
    EXPECT_EQ(chains[0].iteration() + chains[1].iteration(), static_cast<std::uint32_t>(handled));
    // A chain that was stopped is in a proper state and can go on.
    run_chains(chains, 20, ignore, never);
    Chain alone(shared(three_coordinates.density()), 1, 1);
    for (int step = 0; step < 20; ++step) alone.step();
    EXPECT_EQ(chains[1].position(), alone.position());
  }
}

TEST(RunChains, EndsWhenItIsCancelled) {
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    std::atomic<bool> cancelled = false;
    const CancellationScope cancellation(&cancelled);
    std::vector<Chain> chains = make_chains(2);
    EXPECT_THROW(run_chains(
                     chains, 1'000'000'000, [&](const Chain&, int) { cancelled = true; }, never),
                 Cancelled);
  }
}

TEST(RunChains, PassesOnWhatAHandlerThrows) {
  for (const int threads : {1, 2, 4}) {
    const ThreadScope scope(threads);
    std::vector<Chain> chains = make_chains(2);
    const auto fail = [](const Chain& chain, int) {
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
