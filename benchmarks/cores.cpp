#include "cores.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>

namespace ridgelet::benchmarks {

void release_blas_threads_soon(char** argv) {
  constexpr const char* name = "OPENBLAS_THREAD_TIMEOUT";
  if (std::getenv(name) != nullptr) return;
  setenv(name, "16", 1);
  execv("/proc/self/exe", argv);  // returns only if it fails; then the program goes on without the setting
}

double OtherProcesses::cores() const {
  const double machine = machine_seconds() - machine_at_start_, ours = our_seconds() - ours_at_start_;
  return std::max(0.0, machine - ours) / (now() - since_);
}

/// Seconds that all cores together were not idle, from the first line of /proc/stat. Its fourth and fifth numbers are
/// idle and waiting for disks; the numbers from the ninth are of guests, and are counted elsewhere too.
double OtherProcesses::machine_seconds() {
  std::ifstream stat("/proc/stat");
  std::string cpu;
  stat >> cpu;
  double ticks = 0, each = 0;
  for (int i = 0; i < 8 && stat >> each; ++i)
    if (i != 3 && i != 4) ticks += each;
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double OtherProcesses::our_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double OtherProcesses::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace ridgelet::benchmarks
