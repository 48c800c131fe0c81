/// How many threads work, and who owns them.
///
/// OpenMP threads are ours: they run over replicates, or over panels of one large product, never both (nested
/// regions run on the thread that opens them). OpenBLAS works single-threaded inside them. Results do not
/// depend on the number of threads: work is cut into pieces of fixed size and sums are taken in a fixed
/// order.
#pragma once

namespace ridgelet {

/// Threads that OpenMP would use now: the cores of this process, unless OMP_NUM_THREADS says otherwise.
int available_threads();

/// While alive: OpenMP uses `threads`, OpenBLAS one; on destruction both are as before. Made once at the edge
/// (a command's main, a call from Python), outside of any parallel region.
class ThreadScope {
 public:
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int openmp_before_;
  int blas_before_;
};

}  // namespace ridgelet
