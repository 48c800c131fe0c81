#include "ridgelet/core/stopwatch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace ridgelet {
namespace {

TEST(Stopwatch, CountsSecondsAndNeverRunsBackwards) {
  const Stopwatch watch;
  const double before = watch.seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(before, 0);
  EXPECT_GE(watch.seconds(), before + 0.02);
}

}  // namespace
}  // namespace ridgelet
