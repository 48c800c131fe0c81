/// BLAS as this stage calls it: on one thread, whatever the caller's own code does with it.
///
/// Threads are ours (core/parallel.hpp): a product is cut into tiles of fixed size, each one call on one thread, so
/// that results do not depend on how many threads there are. OpenBLAS has one number of threads for the process: it is
/// 1 while any thread is inside a scope below, and the user's own number outside.
///
/// OpenBLAS maps a buffer for each thread that is inside it and keeps it. Where a limit on addresses (`ulimit -v`)
/// leaves no room for one, it asks again for ever. Therefore buffers for all threads are taken, or refused, before the
/// first call.
#pragma once

#include <cblas.h>
#include <lapack.h>

namespace ridgelet {

class SingleThreadedBlas {
 public:
  /// Throws OutOfMemory where the buffers of all threads do not fit.
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace ridgelet
