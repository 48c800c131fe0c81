#include "linalg/blas.hpp"

#include <mutex>

namespace ridgelet {

namespace {

std::mutex guard;
int users = 0;
int threads_outside = 1;

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  const std::lock_guard lock(guard);
  if (users++ > 0) return;
  threads_outside = openblas_get_num_threads();
  if (threads_outside != 1) openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  const std::lock_guard lock(guard);
  if (--users == 0 && threads_outside != 1) openblas_set_num_threads(threads_outside);
}

}  // namespace ridgelet
