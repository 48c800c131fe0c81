/// How many threads work, and who may use them.
///
/// Threads are handed down: a thread that may use T of them and opens a team of n members (core/parallel.hpp) gives
/// each member its share of T, at least one. Chains side by side with several threads each, and replicates with one
/// thread each, both follow from that rule. Results do not depend on T: work is cut into pieces of fixed size, and sums
/// are taken in a fixed order.
#pragma once

namespace ridgelet {

/// The cores that this process may run on, or OMP_NUM_THREADS where that is set.
int available_threads();

/// How many threads the calling thread may use now: available_threads() unless a ThreadScope or a team says
/// otherwise.
int team_threads();

/// The most threads that a ThreadScope of any thread has allowed so far; available_threads() before the first.
int most_threads();

/// While it is alive, the calling thread may use `threads` threads; afterwards as many as before. No code needs such a
/// scope to be correct or fast: it is for those who want fewer threads than there are cores.
class ThreadScope {
 public:
  /// Throws InvalidArgument about "threads" unless there is at least one.
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_;
};

}  // namespace ridgelet
