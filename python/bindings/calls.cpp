#include "calls.hpp"

#include <pybind11/pybind11.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/threads.hpp"

namespace ridgelet::python {

namespace {

constexpr std::chrono::milliseconds between_looks(50);

/// While alive, the calling thread and the threads that it starts do not handle signals.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

/// One piece of work in a thread of its own.
class Worker {
 public:
  explicit Worker(const std::function<void()>& work) {
    const WithoutSignals masked;
    thread_ = std::thread([this, &work] { do_work(work); });
  }
  ~Worker() { thread_.join(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  bool finished_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return finished_; });
  }

  void cancel() { cancelled_ = true; }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return finished_; });
  }

  /// To be called once the work has finished.
  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void do_work(const std::function<void()>& work) {
    try {
      const ThreadScope threads(available_threads());
      const CancellationScope cancellation(&cancelled_);
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    finished_ = true;
    changed_.notify_one();
  }

  std::atomic<bool> cancelled_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool finished_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace

void run_work(const std::function<void()>& work) {
  namespace py = pybind11;
  std::optional<py::error_already_set> signalled;
  {
    const py::gil_scoped_release others_may_run;
    Worker worker(work);
    while (!signalled && !worker.finished_within(between_looks)) {
      const py::gil_scoped_acquire locked;
      if (PyErr_CheckSignals() == 0) continue;
      signalled.emplace();
      worker.cancel();
    }
    worker.wait();
    if (!signalled) return worker.rethrow_failure();
  }
  throw std::move(*signalled);
}

}  // namespace ridgelet::python
