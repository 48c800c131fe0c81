#include "ridgelet/core/parallel.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/threads.hpp"

namespace {

/// While true, this thread gets no memory from `new`.
thread_local bool starved = false;

}  // namespace

// Not inlined: the compiler would see free() after a `new` of its own.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* const memory = starved ? nullptr : std::malloc(bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}

// That of std::stable_sort, whose memory is given back by the same delete.
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return starved ? nullptr : std::malloc(bytes);
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace ridgelet {
namespace {

TEST(ParallelFor, GoesOnWithoutMemoryForAnotherThreadAndLeavesSignalsAsTheyWere) {
  sigset_t before, after;
  sigemptyset(&before);
  sigaddset(&before, SIGUSR2);
  sigset_t outside;
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &before, &outside), 0);
  std::atomic<Index> sum = 0;
  {
    const ThreadScope two(2);  // the pool itself must be there
    parallel_for(2, [&](Index) { sum = 0; });
  }
  const ThreadScope threads(50);  // more than any test has started
  starved = true;
  try {
    parallel_for(50, [&](Index i) { sum += i; });
  } catch (...) {
    starved = false;
    ADD_FAILURE() << "it threw";
  }
  starved = false;
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &outside, &after), 0);
  EXPECT_EQ(sum, 49 * 50 / 2);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) EXPECT_EQ(sigismember(&after, signal), 0) << signal;
  EXPECT_EQ(sigismember(&after, SIGUSR2), 1);
}

TEST(ParallelFor, VisitsEveryIndexOnce) {
  const ThreadScope threads(4);
  std::vector<std::atomic<int>> visits(1000);
  parallel_for(1000, [&](Index i) { ++visits[static_cast<std::size_t>(i)]; });
  for (const auto& visit : visits) EXPECT_EQ(visit, 1);
}

TEST(ParallelFor, DoesNothingForNoItems) {
  const ThreadScope threads(4);
  parallel_for(0, [](Index) { FAIL(); });
}

TEST(ParallelFor, ThrowsWhatAnItemThrewAfterAllMembersAreDone) {
  const ThreadScope threads(4);
  std::atomic<int> inside = 0;
  const auto item = [&](Index i) {
    ++inside;
    if (i == 17) {
      --inside;
      throw std::runtime_error("item 17");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --inside;
  };
  try {
    parallel_for(100, item);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "item 17");
  }
  EXPECT_EQ(inside, 0);
}

TEST(ParallelFor, ThrowsWhatAWorkspaceThrew) {
  const ThreadScope threads(4);
  const auto make = []() -> int { throw std::runtime_error("no workspace"); };
  std::atomic<int> visits = 0;
  EXPECT_THROW(parallel_for(100, make, [&](int, Index) { ++visits; }), std::runtime_error);
  EXPECT_EQ(visits, 0);
}

TEST(ParallelFor, GivesEachMemberItsOwnWorkspace) {
  const ThreadScope threads(2);
  std::atomic<int> made = 0;
  Vector sums = Vector::Zero(1000);
  parallel_for(
      1000, [&] { return std::vector<int>{++made}; },
      [&](std::vector<int>& own, Index i) { sums(i) = own.front(); });
  EXPECT_LE(made, 2);
  EXPECT_LE(sums.maxCoeff(), made);
  EXPECT_GE(sums.minCoeff(), 1);
}

TEST(ParallelFor, NumbersItsMembersWithoutSharingANumber) {
  const ThreadScope threads(4);
  ASSERT_EQ(team_size(1000), 4);
  ASSERT_EQ(team_size(3), 3);
  std::vector<std::atomic<int>> inside(4);
  std::atomic<bool> shared = false;
  parallel_for_members(1000, [&](int member, Index) {
    if (++inside[static_cast<std::size_t>(member)] > 1) shared = true;
    --inside[static_cast<std::size_t>(member)];
  });
  EXPECT_FALSE(shared);
}

/// Waits until all of a team's items have begun: that happens only if they run at the same time.
void meet(std::atomic<int>& arrived, int expected) {
  ++arrived;
  while (arrived < expected) std::this_thread::yield();
}

TEST(ParallelFor, RunsAsManyItemsAtOnceAsThereAreThreads) {
  const ThreadScope threads(5);
  std::atomic<int> arrived = 0;
  parallel_for(5, [&](Index) { meet(arrived, 5); });
  EXPECT_EQ(arrived, 5);
}

TEST(ParallelFor, HandsThreadsDownToTeamsInsideItsItems) {
  for (const auto& [threads, items, expected] :
       {std::tuple{8, 4, std::multiset<int>{2, 2, 2, 2}}, std::tuple{5, 4, std::multiset<int>{1, 1, 1, 2}},
        std::tuple{2, 4, std::multiset<int>{1, 1, 1, 1}}, std::tuple{6, 1, std::multiset<int>{6}}}) {
    const ThreadScope scope(threads);
    std::vector<int> inside(static_cast<std::size_t>(items));
    std::atomic<int> arrived = 0;
    parallel_for(items, [&](Index i) {
      inside[static_cast<std::size_t>(i)] = team_threads();
      meet(arrived, std::min(items, threads));
    });
    EXPECT_EQ(std::multiset<int>(inside.begin(), inside.end()), expected) << threads << " threads";
  }
}

TEST(ParallelFor, NestsWithBothLevelsAtWork) {
  const ThreadScope threads(4);
  std::atomic<int> arrived = 0;
  parallel_for(2, [&](Index) { parallel_for(2, [&](Index) { meet(arrived, 4); }); });
  EXPECT_EQ(arrived, 4);
}

TEST(ParallelFor, EndsEarlyWhenItIsCancelled) {
  for (int count : {1, 4}) {
    const ThreadScope threads(count);
    std::atomic<bool> flag = false;
    const CancellationScope scope(&flag);
    std::atomic<int> visits = 0;
    const auto item = [&](Index) {
      if (++visits == 10) flag = true;
    };
    EXPECT_THROW(parallel_for(1'000'000, item), Cancelled);
    EXPECT_LT(visits, 1000);
  }
}

TEST(ParallelFor, IsCancelledInsideTeamsOfTeams) {
  const ThreadScope threads(4);
  std::atomic<bool> flag = true;
  const CancellationScope scope(&flag);
  bool reached = false;
  EXPECT_THROW(parallel_for(2, [&](Index) { reached = true; }), Cancelled);
  EXPECT_FALSE(reached);
}

TEST(ParallelFor, WorksInAForkedChildAfterItWasUsedInTheParent) {
  const ThreadScope threads(4);
  std::atomic<int> sum = 0;
  parallel_for(100, [&](Index) { ++sum; });
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // a child that hangs is killed, and the test fails
    std::atomic<int> own = 0;
    parallel_for(100, [&](Index) { ++own; });
    _exit(own == 100 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  parallel_for(100, [&](Index) { ++sum; });
  EXPECT_EQ(sum, 200);
}

TEST(ParallelFor, CanBeCalledFromSeveralThreadsAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<int> sum = 0;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&] {
      const ThreadScope threads(3);
      for (int k = 0; k < 200; ++k) parallel_for(10, [&](Index) { ++sum; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 4 * 200 * 10);
}

}  // namespace
}  // namespace ridgelet
