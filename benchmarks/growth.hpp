/// How time and memory grow with the size of a problem.
#pragma once

#include <functional>
#include <vector>

#include "comparison.hpp"

namespace ridgelet::benchmarks {

/// Does the whole job at one size; what it takes to set it up is part of the job.
using Job = std::function<void(Index size)>;

/// Sizes between which growth is measured, of units and of rows.
inline constexpr Index few = 1'000, many = 1'000'000;

/// The slope of log time against log size, by least squares over sizes a factor of ten apart from `first` to `last`;
/// 1 is proportional growth. The detail has the time of each size; for sizes that take a short time it is the median of
/// several runs, after one that is not timed.
Measurement time_slope(const Job& job, Index first, Index last);

/// The most memory, in units of 10^6 bytes, that the process held while the job ran at this size: this includes what it
/// held before, but not what earlier measurements have freed.
Measurement peak_memory(const Job& job, Index size);

}  // namespace ridgelet::benchmarks
