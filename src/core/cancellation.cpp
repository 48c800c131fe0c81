#include "ridgelet/core/cancellation.hpp"

#include <utility>

namespace ridgelet {

namespace {

thread_local const std::atomic<bool>* current_flag = nullptr;

}  // namespace

CancellationScope::CancellationScope(const std::atomic<bool>* flag)
    : before_(std::exchange(current_flag, flag)) {}

CancellationScope::~CancellationScope() {
  current_flag = before_;
}

const std::atomic<bool>* cancellation_flag() {
  return current_flag;
}

void throw_if_cancelled() {
  if (current_flag && current_flag->load(std::memory_order_relaxed)) throw Cancelled();
}

}  // namespace ridgelet
