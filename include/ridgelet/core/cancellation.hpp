/// Ending long work from outside: whoever starts it holds a flag, and the work looks at it between pieces.
///
/// Every team of core/parallel.hpp inherits the flag of the thread that opened it and looks at it before each item, so
/// work that is cut into pieces can be cancelled without any code of its own.
#pragma once

#include <atomic>
#include <exception>

namespace ridgelet {

/// Thrown by work that was cancelled. Nothing was wrong with it.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

/// While it is alive, the work of the calling thread, and of teams that the thread opens, ends once the flag is true.
/// The flag must outlive the scope.
class CancellationScope {
 public:
  explicit CancellationScope(const std::atomic<bool>* flag);
  ~CancellationScope();
  CancellationScope(const CancellationScope&) = delete;
  CancellationScope& operator=(const CancellationScope&) = delete;

 private:
  const std::atomic<bool>* before_;
};

/// The flag of the calling thread, or null.
const std::atomic<bool>* cancellation_flag();

/// Throws Cancelled if the calling thread's work was cancelled.
void throw_if_cancelled();

}  // namespace ridgelet
