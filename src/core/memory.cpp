#include "ridgelet/core/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

/// In bytes. Asking the system what is available takes longer than using so little.
constexpr double never_refused = 1e6;

/// The number beside `wanted` in a file of lines "key number", or `absent`.
double number_beside(const char* wanted, const char* path, double absent) {
  std::ifstream file(path);
  std::string key, unit;
  double number = 0;
  while (file >> key >> number) {
    std::getline(file, unit);
    if (key == wanted) return number;
  }
  return absent;
}

double machine_available() {
  return 1024 * number_beside("MemAvailable:", "/proc/meminfo", std::numeric_limits<double>::infinity());
}

double read_number(const char* path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : std::numeric_limits<double>::infinity();
}

/// Control group v2; without a limit the first file says "max", which is not a number. Files that the system keeps in
/// memory only as long as nobody needs the room count as used there, and are not.
double control_group_available() {
  const double limit = read_number("/sys/fs/cgroup/memory.max");
  return limit == std::numeric_limits<double>::infinity()
             ? limit
             : limit - read_number("/sys/fs/cgroup/memory.current") +
                   number_beside("inactive_file", "/sys/fs/cgroup/memory.stat", 0);
}

}  // namespace

double available_addresses() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double available_memory() {
  return std::max(0.0, std::min({machine_available(), control_group_available(), available_addresses()}));
}

std::string readable_bytes(double bytes) {
  constexpr std::array units = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  // From 999.5 on, three digits would round to 1000.
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return bytes < 999.5 ? fmt::format("{:.3g} {}", bytes, units[unit])
                       : fmt::format("{:.3e} {}", bytes, units[unit]);
}

void require_memory(double bytes, const std::string& argument, const std::string& what) {
  if (bytes < never_refused) return;
  const double available = available_memory();
  if (bytes > available)
    throw InvalidArgument(argument, fmt::format("{} would take {}; {} of memory are available", what,
                                                readable_bytes(bytes), readable_bytes(available)));
}

}  // namespace ridgelet
