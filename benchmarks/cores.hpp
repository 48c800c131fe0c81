/// Who is on the cores: OpenBLAS's threads, which the textbook's side uses, ours, and other processes.
///
/// Threads of OpenBLAS spin when their work is done, in case there is more, and so take the cores from threads that
/// work.
#pragma once

namespace ridgelet::benchmarks {

/// Makes OpenBLAS's idle threads sleep after 2^16 cycles instead of 2^28 (about 0.1 s). OpenBLAS reads this
/// from the environment when it is loaded, so the program starts again, once. Call it first in main.
void release_blas_threads_soon(char** argv);

/// Watches how busy other processes keep the machine while it lives.
class OtherProcesses {
 public:
  OtherProcesses() : machine_at_start_(machine_seconds()), ours_at_start_(our_seconds()), since_(now()) {}

  /// The number of cores that others used, on average since the start.
  double cores() const;

 private:
  static double machine_seconds();
  static double our_seconds();
  static double now();

  double machine_at_start_;
  double ours_at_start_;
  double since_;
};

}  // namespace ridgelet::benchmarks
