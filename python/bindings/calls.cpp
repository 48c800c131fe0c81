#include "calls.hpp"

#include <pybind11/pybind11.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>

#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/core/without_signals.hpp"

namespace ridgelet::python {

namespace {

constexpr std::chrono::milliseconds between_looks(50);

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

/// Whether an option has no value on the command line: in Python it is True.
bool is_switch(std::string_view name) {
  return name == "force" || name == "standardise" || name == "learn" || name == "network_mean";
}

}  // namespace

std::string in_words_of_python(const std::string& message) {
  std::string words;
  std::size_t at = 0;
  for (std::size_t dashes = message.find("--"); dashes != std::string::npos;
       dashes = message.find("--", at)) {
    const std::size_t begin = dashes + 2;
    const std::size_t end =
        std::min(message.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", begin), message.size());
    const bool is_option = (dashes == 0 || message[dashes - 1] == ' ') && begin < end;
    words += message.substr(at, (is_option ? dashes : end) - at);
    if (is_option) {
      std::string name = message.substr(begin, end - begin);
      std::ranges::replace(name, '-', '_');
      words += name + (is_switch(name) ? "=True" : "");
    }
    at = end;
  }
  return words + message.substr(at);
}

std::vector<std::string> in_words_of_python(const std::vector<std::string>& messages) {
  std::vector<std::string> words;
  for (const std::string& message : messages) words.push_back(in_words_of_python(message));
  return words;
}

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
