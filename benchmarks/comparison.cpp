#include "comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "cores.hpp"
#include "ridgelet/core/threads.hpp"

extern "C" {
void openblas_set_num_threads(int threads);
}

namespace ridgelet::benchmarks {

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

/// A turn takes at least this long, and at most `largest_batch` evaluations.
constexpr double shortest_turn_ms = 40;
constexpr Index largest_batch = 1000;

/// By then OpenBLAS's threads have stopped waiting for more work, see release_blas_threads_soon.
constexpr std::chrono::milliseconds until_blas_sleeps{5};

/// Runs `body` with all cores given to one kind of threads, and those of the other kind out of the way.
template <class Body>
void with_threads(Threads threads, Body&& body) {
  const int cores = available_threads();
  const ThreadScope scope(cores);
  if (threads == Threads::blas) {
    openblas_set_num_threads(cores);
  } else {
    std::this_thread::sleep_for(until_blas_sleeps);
  }
  body();
}

/// Evaluates problems first, first + 1, ... and returns the mean time of one.
double milliseconds_each(const Side& side, Index first, Index count) {
  const Clock::time_point start = Clock::now();
  for (Index i = 0; i < count; ++i) side.evaluate(first + i);
  return Milliseconds(Clock::now() - start).count() / static_cast<double>(count);
}

/// The number of evaluations in a turn: as many as fill the shortest turn.
Index batch_size(const Side& side) {
  double once = 0;
  with_threads(side.threads, [&] {
    side.evaluate(0);
    once = milliseconds_each(side, 1, 1);
  });
  return std::clamp(static_cast<Index>(std::ceil(shortest_turn_ms / once)), Index{1}, largest_batch);
}

double turn(const Side& side, Index first, Index batch) {
  double milliseconds = 0;
  with_threads(side.threads, [&] {
    if (batch > 1) side.evaluate(first + batch);
    milliseconds = milliseconds_each(side, first, batch);
  });
  return milliseconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

void require_agreement(double difference, double tolerance, const std::string& what) {
  if (!(difference <= tolerance))
    throw Disagreement(fmt::format("{} differ by {:.2g}, more than {:.2g}", what, difference, tolerance));
}

std::vector<double> median_milliseconds(const std::vector<Side>& sides, int turns) {
  std::vector<Index> batches;
  for (const Side& side : sides) batches.push_back(batch_size(side));
  std::vector<std::vector<double>> times(sides.size());
  for (int t = 0; t < turns; ++t)
    for (std::size_t s = 0; s < sides.size(); ++s)
      times[s].push_back(turn(sides[s], t * batches[s], batches[s]));
  std::vector<double> medians;
  for (const auto& each : times) medians.push_back(median(each));
  return medians;
}

Measurement compare_sides(const std::vector<Side>& sides, int turns, double difference) {
  const std::vector<double> times = median_milliseconds(sides, turns);
  Measurement measurement{.value = times[1] / times[0], .detail = {}};
  for (std::size_t s = 0; s < sides.size(); ++s)
    measurement.detail.emplace_back(sides[s].name + "_ms", times[s]);
  measurement.detail.emplace_back("repeats", turns);
  measurement.detail.emplace_back("difference", difference);
  return measurement;
}

}  // namespace ridgelet::benchmarks
