#include "ridgelet/core/without_signals.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace ridgelet {
namespace {

volatile std::sig_atomic_t signals_seen = 0;

TEST(WithoutSignals, ASignalWaitsUntilTheEndAndThreadsStartedMeanwhileHandleNone) {
  const auto before = std::signal(SIGUSR1, [](int) { signals_seen = signals_seen + 1; });
  {
    const WithoutSignals masked;
    std::raise(SIGUSR1);
    EXPECT_EQ(signals_seen, 0);
    std::thread([] {
      sigset_t blocked;
      pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
      EXPECT_EQ(sigismember(&blocked, SIGTERM), 1);
    }).join();
  }
  EXPECT_EQ(signals_seen, 1);
  std::signal(SIGUSR1, before);
}

}  // namespace
}  // namespace ridgelet
