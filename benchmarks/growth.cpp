#include "growth.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>

namespace ridgelet::benchmarks {

namespace {

/// Sets the peak that VmHWM reports back to what the process holds now (proc(5), clear_refs).
void forget_peak_memory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) * 1024 / 1e6;
  throw std::runtime_error("/proc/self/status has no VmHWM");
}

/// The slope of the line through (x, y) by least squares.
double slope(const Vector& x, const Vector& y) {
  const Vector centred = x.array() - x.mean();
  return centred.dot(y) / centred.squaredNorm();
}

}  // namespace

Measurement time_slope(const Job& job, Index first, Index last) {
  std::vector<double> sizes, times;
  Measurement measurement;
  for (Index size = first; size <= last; size *= 10) {
    const int turns = size <= last / 10 ? 3 : 1;
    const Side side{.name = "ours", .threads = Threads::ours, .evaluate = [&](Index) { job(size); }};
    sizes.push_back(std::log(static_cast<double>(size)));
    times.push_back(median_milliseconds({side}, turns).front());
    measurement.detail.emplace_back(fmt::format("ms_at_{}", size), times.back());
  }
  const auto count = static_cast<Index>(sizes.size());
  measurement.value = slope(Vector::Map(sizes.data(), count), Vector::Map(times.data(), count).array().log());
  return measurement;
}

Measurement peak_memory(const Job& job, Index size) {
  forget_peak_memory();
  const double before = peak_megabytes();
  job(size);
  return {.value = peak_megabytes(), .detail = {{"size", static_cast<double>(size)}, {"before", before}}};
}

}  // namespace ridgelet::benchmarks
