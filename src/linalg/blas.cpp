#include "linalg/blas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <vector>

#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/out_of_memory.hpp"
#include "ridgelet/core/threads.hpp"

// OpenBLAS has these functions but declares them in no header; another BLAS behind the same interface may lack them.
extern "C" {
[[gnu::weak]] void* blas_memory_alloc(int);
[[gnu::weak]] void blas_memory_free(void*);
}

namespace ridgelet {

namespace {

std::mutex guard;
int threads_inside = 0;
int threads_outside = 1;  ///< of OpenBLAS, as the user has set them
int buffers = 0;          ///< that OpenBLAS has or can have
thread_local int depth = 0;

/// Bytes of addresses that a buffer of OpenBLAS 0.3 takes (its BUFFER_SIZE); hardly any of them are ever touched.
constexpr double buffer_bytes = 32 << 22;

void require_addresses(int threads) {
  const double needed = threads * buffer_bytes, left = available_addresses();
  if (needed <= left) return;
  const char* const several = threads > 1 ? " or use fewer threads" : "";
  throw OutOfMemory(fmt::format(
      "OpenBLAS takes {} of addresses for {} thread{}, and the limit on them (ulimit -v) leaves {}; "
      "raise the limit{}",
      readable_bytes(needed), threads, threads > 1 ? "s" : "", readable_bytes(left), several));
}

/// Has OpenBLAS map a buffer for each of so many threads, all at once, before other work takes the addresses.
void take_buffers(int threads) {
  if (!blas_memory_alloc || !blas_memory_free) return;
  std::vector<void*> taken(static_cast<std::size_t>(threads));
  std::ranges::generate(taken, [] { return blas_memory_alloc(0); });
  std::ranges::for_each(taken, [](void* buffer) { blas_memory_free(buffer); });
}

void ensure_buffers(int threads) {
  if (threads <= buffers) return;
  const int all = std::max(threads, most_threads());
  if (available_addresses() < std::numeric_limits<double>::infinity()) {
    require_addresses(all);
    take_buffers(all);
  }
  buffers = all;
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  if (depth++ > 0) return;
  try {
    const std::lock_guard lock(guard);
    ensure_buffers(threads_inside + 1);
    if (threads_inside++ > 0) return;
    threads_outside = openblas_get_num_threads();
    if (threads_outside != 1) openblas_set_num_threads(1);
  } catch (...) {
    --depth;
    throw;
  }
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (--depth > 0) return;
  const std::lock_guard lock(guard);
  if (--threads_inside == 0 && threads_outside != 1) openblas_set_num_threads(threads_outside);
}

}  // namespace ridgelet
