#include "ridgelet/core/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

/// 0 where the variable is not set to a positive number.
int threads_from_environment() {
  const char* text = std::getenv("OMP_NUM_THREADS");
  int threads = 0;
  if (text) std::from_chars(text, text + std::strlen(text), threads);
  return threads;
}

int cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());
}

/// 0 where no scope has set a number.
thread_local int own_threads = 0;
std::atomic<int> most_allowed = 0;

}  // namespace

int available_threads() {
  const int wanted = threads_from_environment();
  return wanted > 0 ? wanted : std::max(1, cores());
}

int team_threads() {
  return own_threads > 0 ? own_threads : available_threads();
}

int most_threads() {
  const int most = most_allowed;
  return most > 0 ? most : available_threads();
}

ThreadScope::ThreadScope(int threads) : before_(own_threads) {
  require_at_least(threads, 1, "threads");
  own_threads = threads;
  for (int most = most_allowed; most < threads && !most_allowed.compare_exchange_weak(most, threads);) {
  }
}

ThreadScope::~ThreadScope() {
  own_threads = before_;
}

}  // namespace ridgelet
