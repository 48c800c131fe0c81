#include "ridgelet/core/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <limits>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;

TEST(AvailableMemory, IsAPositiveFiniteNumberOfBytes) {
  EXPECT_GT(available_memory(), 1e6);
  EXPECT_LT(available_memory(), 1e16);
}

TEST(AvailableMemory, IsWhatALimitOnTheAddressSpaceLeaves) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const double used = pages * static_cast<double>(::sysconf(_SC_PAGESIZE)), left = 1e8;
  const rlimit limited{.rlim_cur = static_cast<rlim_t>(used + left), .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &limited), 0);
  const double available = available_memory(), addresses = available_addresses();
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_LE(available, left);
  EXPECT_GE(available, left - 1e7);
  EXPECT_LE(addresses, left);
  EXPECT_GE(addresses, left - 1e7);
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
