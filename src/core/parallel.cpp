#include "ridgelet/core/parallel.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/without_signals.hpp"

namespace ridgelet {

namespace {

/// One parallel_for, on the stack of the thread that opened it.
struct Region {
  Index count;
  detail::TeamBody body;
  void* context;
  const std::atomic<bool>* cancelled;
  int threads;  ///< of the whole team
  int members;
  std::atomic<Index> next{0};
  std::mutex failing{};
  Index failed_item = 0;
  std::exception_ptr failure{};

  void fail(Index item) {
    const std::lock_guard lock(failing);
    if (failure && failed_item < item) return;
    failure = std::current_exception();
    failed_item = item;
  }

  /// What each member does: items until none is left.
  void work(int member) {
    const ThreadScope share(std::max(1, threads / members + (member < threads % members ? 1 : 0)));
    const CancellationScope inherited(cancelled);
    for (Index item = next++; item < count; item = next++) {
      try {
        throw_if_cancelled();
        body(context, member, item);
      } catch (...) {
        fail(item);
        next = count;
      }
    }
  }
};

/// Tells the core that its thread only waits.
void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waiting begins by looking again and again for about 50 microseconds, since the next region usually follows soon.
template <class Ready>
void spin_until(Ready&& ready, bool worthwhile) {
  constexpr int looks = 2000;
  for (int i = 0; worthwhile && i < looks && !ready(); ++i) relax();
}

/// A thread of the pool: asleep until it is given a region.
struct Worker {
  std::atomic<Region*> region{nullptr};
  int member = 0;
  Worker* next = nullptr;  ///< in a list of workers, which needs no memory of its own

  [[noreturn]] void live(bool spins) {
    for (;;) {
      spin_until([this] { return region.load(std::memory_order_acquire) != nullptr; }, spins);
      region.wait(nullptr, std::memory_order_acquire);
      region.load(std::memory_order_acquire)->work(member);
      region.store(nullptr, std::memory_order_release);
      region.notify_all();
    }
  }

  void give(Region& work, int as_member) {
    member = as_member;
    region.store(&work, std::memory_order_release);
    region.notify_all();
  }

  void await(Region& work, bool spins) {
    spin_until([&] { return region.load(std::memory_order_acquire) != &work; }, spins);
    region.wait(&work, std::memory_order_acquire);
  }
};

/// Workers that have nothing to do. The pool is never destroyed: its threads end with the process.
class Pool {
 public:
  static Pool& instance() {
    static std::once_flag once;
    std::call_once(once, [] {
      current = new Pool;
      pthread_atfork([] { current->mutex_.lock(); }, [] { current->mutex_.unlock(); },
                     // The threads of the parent do not exist in the child: it starts with none.
                     [] { current = new Pool; });
    });
    return *current;
  }

  /// As many workers as there are or can be started, at most `count`.
  Worker* take(int count) {
    const std::lock_guard lock(mutex_);
    Worker* taken = nullptr;
    for (int i = 0; i < count && (idle_ || start()); ++i) move_first(idle_, taken);
    return taken;
  }

  void give_back(Worker* workers) {
    const std::lock_guard lock(mutex_);
    while (workers) move_first(workers, idle_);
  }

  /// With more threads than cores, a thread that keeps looking would keep another from working.
  bool spins() const { return workers_ + 1 <= available_threads(); }

 private:
  static void move_first(Worker*& from, Worker*& to) {
    Worker* const worker = from;
    from = worker->next;
    worker->next = to;
    to = worker;
  }

  /// False if the system has no thread, or no memory, for another worker.
  bool start() {
    const WithoutSignals in_the_new_thread;
    ++workers_;
    try {
      auto worker = std::make_unique<Worker>();
      std::thread([each = worker.get(), looks = spins()] { each->live(looks); }).detach();
      worker->next = idle_;
      idle_ = worker.release();
      return true;
    } catch (const std::exception&) {
      --workers_;
      return false;
    }
  }

  static Pool* current;
  std::mutex mutex_;
  Worker* idle_ = nullptr;
  std::atomic<int> workers_ = 0;
};

Pool* Pool::current = nullptr;

}  // namespace

int team_size(Index count) {
  return static_cast<int>(std::clamp<Index>(count, 1, team_threads()));
}

void detail::run_team(Index count, TeamBody body, void* context) {
  const int threads = team_threads();
  Region region{.count = count,
                .body = body,
                .context = context,
                .cancelled = cancellation_flag(),
                .threads = threads,
                .members = team_size(count)};
  if (region.members == 1) {
    for (Index i = 0; i < count; ++i) {
      throw_if_cancelled();
      body(context, 0, i);
    }
    return;
  }
  Pool& pool = Pool::instance();
  Worker* const workers = pool.take(region.members - 1);
  int member = 0;
  for (Worker* worker = workers; worker; worker = worker->next) worker->give(region, ++member);
  region.work(0);
  for (Worker* worker = workers; worker; worker = worker->next) worker->await(region, pool.spins());
  pool.give_back(workers);
  if (region.failure) std::rethrow_exception(region.failure);
}

}  // namespace ridgelet
