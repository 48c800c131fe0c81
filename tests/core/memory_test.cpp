#include "ridgelet/core/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

TEST(AvailableMemory, IsAPositiveFiniteNumberOfBytes) {
  EXPECT_GT(available_memory(), 1e6);
  EXPECT_LT(available_memory(), 1e16);
}

/// Whether what is said to be available is within a tenth of the `left` bytes that a limit on the address space leaves.
bool a_limit_leaves(double left) {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = static_cast<rlim_t>(pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) + left);
  if (::setrlimit(RLIMIT_AS, &limit) != 0) return false;
  const double memory = available_memory(), addresses = available_addresses();
  std::cerr << "a limit leaves " << left << " B: memory " << memory << ", addresses " << addresses << '\n';
  return std::abs(memory - left) < left / 10 && std::abs(addresses - left) < left / 10;
}

/// In a child, whose limit is its own and which has one thread: others take and return addresses at any time.
TEST(AvailableMemory, IsWhatALimitOnTheAddressSpaceLeaves) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(a_limit_leaves(1e8) ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(ReadableBytes, UsesDecimalUnitsAndThreeFigures) {
  EXPECT_EQ(readable_bytes(0), "0 B");
  EXPECT_EQ(readable_bytes(512), "512 B");
  EXPECT_EQ(readable_bytes(1000), "1 kB");
  EXPECT_EQ(readable_bytes(1600), "1.6 kB");
  EXPECT_EQ(readable_bytes(2.5e6), "2.5 MB");
  EXPECT_EQ(readable_bytes(12.84e9), "12.8 GB");
  EXPECT_EQ(readable_bytes(3e12), "3 TB");
  EXPECT_EQ(readable_bytes(7e15), "7 PB");
}

TEST(RequireMemory, LetsWorkThatFitsPass) {
  EXPECT_NO_THROW(require_memory(0, "points", "a grid of 200 nodes"));
  EXPECT_NO_THROW(require_memory(1000, "points", "a grid of 200 nodes"));
}

TEST(RequireMemory, RefusesWorkThatDoesNotFitWithBothNumbers) {
  const std::string complaint =
      complaint_of([] { require_memory(5e15, "points", "a grid of 25000000 nodes"); });
  EXPECT_TRUE(complaint.starts_with("points: a grid of 25000000 nodes would take 5 PB; ")) << complaint;
  EXPECT_TRUE(complaint.ends_with("B of memory are available")) << complaint;
}

TEST(RequireMemory, RefusesWhatOverflowsToInfinity) {
  const double bytes = std::numeric_limits<double>::infinity();
  EXPECT_THROW(require_memory(bytes, "points", "a grid"), InvalidArgument);
}

}  // namespace
}  // namespace ridgelet
