#include "ridgelet/core/threads.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <stdexcept>
#include <thread>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

TEST(AvailableThreads, IsAtLeastOne) {
  EXPECT_GE(available_threads(), 1);
}

TEST(AvailableThreads, FollowsTheVariableThatOtherProgramsUseToo) {
  const int before = available_threads();
  setenv("OMP_NUM_THREADS", "7", 1);
  EXPECT_EQ(available_threads(), 7);
  setenv("OMP_NUM_THREADS", "nonsense", 1);
  EXPECT_GE(available_threads(), 1);
  unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(available_threads(), before);
}

TEST(AvailableThreads, IsTheNumberOfCoresThatThisThreadMayUse) {
  unsetenv("OMP_NUM_THREADS");
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(available_threads(), CPU_COUNT(&all));
  std::size_t first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(available_threads(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

TEST(ThreadScope, SetsTheThreadsOfTheCallingThreadAlone) {
  const ThreadScope scope(5);
  EXPECT_EQ(team_threads(), 5);
  int elsewhere = 0;
  std::thread([&] { elsewhere = team_threads(); }).join();
  EXPECT_EQ(elsewhere, available_threads());
}

TEST(MostThreads, IsTheLargestNumberThatAnyScopeHasAllowed) {
  const int before = most_threads();
  EXPECT_GE(before, 1);
  std::thread([&] { const ThreadScope scope(before + 100); }).join();
  EXPECT_EQ(most_threads(), before + 100);
  { const ThreadScope smaller(1); }
  EXPECT_EQ(most_threads(), before + 100);
}

TEST(ThreadScope, PutsTheNumberBackAtItsEnd) {
  const int before = team_threads();
  {
    const ThreadScope outer(3);
    {
      const ThreadScope inner(2);
      EXPECT_EQ(team_threads(), 2);
    }
    EXPECT_EQ(team_threads(), 3);
  }
  EXPECT_EQ(team_threads(), before);
}

TEST(ThreadScope, PutsItBackWhenAnErrorLeavesTheScope) {
  const int before = team_threads();
  try {
    const ThreadScope scope(before + 1);
    throw std::runtime_error("an error");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(team_threads(), before);
}

TEST(ThreadScope, NeedsAThread) {
  EXPECT_EQ(complaint_of([] { ThreadScope scope(0); }), "threads: must be at least 1, got 0");
}

}  // namespace
}  // namespace ridgelet
