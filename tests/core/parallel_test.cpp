#include "ridgelet/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "ridgelet/core/threads.hpp"

namespace ridgelet {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnce) {
  const ThreadScope threads(4);
  std::vector<std::atomic<int>> visits(1000);
  parallel_for(1000, [&](Index i) { ++visits[static_cast<std::size_t>(i)]; });
  for (const auto& visit : visits) EXPECT_EQ(visit, 1);
}

TEST(ParallelFor, ThrowsWhatAPieceThrewAfterAllThreadsAreDone) {
  const ThreadScope threads(4);
  const auto piece = [](Index i) {
    if (i == 17) throw std::runtime_error("piece 17");
  };
  EXPECT_THROW(parallel_for(100, piece), std::runtime_error);
}

TEST(ParallelFor, ThrowsWhatAWorkspaceThrew) {
  const ThreadScope threads(4);
  const auto make = []() -> int { throw std::runtime_error("no workspace"); };
  std::atomic<int> visits = 0;
  EXPECT_THROW(parallel_for(100, make, [&](int, Index) { ++visits; }), std::runtime_error);
  EXPECT_EQ(visits, 0);
}

TEST(ParallelFor, GivesEachThreadItsOwnWorkspace) {
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

}  // namespace
}  // namespace ridgelet
