/// What a comparison is, and how two ways to one answer are timed fairly.
///
/// The sides take turns, so that a machine that slows down slows all of them; each runs on all cores, ours
/// with threads of our own and the textbook with BLAS threads, never both at once; a side's time is the median
/// over the turns. Before any of that the answers are compared, and if they differ no times are reported.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet::benchmarks {

/// One number under a key of the report, such as the ratio of two times, and the numbers behind it.
struct Measurement {
  double value = 0;
  std::vector<std::pair<std::string, double>> detail;
};

/// Which side of its aim a value should be on: ratios and rates are good when large, slopes and memory when small.
enum class Aim { at_least, at_most };

/// A line of the registry (compare.cpp).
struct Comparison {
  const char* key;
  const char* what;
  Aim direction;
  double aim;
  Measurement (*measure)();
};

/// Two sides have different answers.
class Disagreement : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Disagreement unless difference <= tolerance (a NaN is a difference too).
void require_agreement(double difference, double tolerance, const std::string& what);

/// Whose threads use the cores: ours, with one BLAS thread each, or those of BLAS.
enum class Threads { ours, blas };

/// One way to the answer. `evaluate(i)` does the whole work on the i-th problem; consecutive calls have
/// consecutive i.
struct Side {
  std::string name;
  Threads threads;
  std::function<void(Index)> evaluate;
};

/// Median milliseconds of one evaluation of each side over `turns` turns. A turn of a side whose evaluations
/// are short is a batch of them, after one that is not timed.
std::vector<double> median_milliseconds(const std::vector<Side>& sides, int turns);

/// The first side is ours and the second the textbook's: the value is the ratio of their times, and the
/// detail has the times, `turns` as "repeats", and `difference`, that of the answers.
Measurement compare_sides(const std::vector<Side>& sides, int turns, double difference);

}  // namespace ridgelet::benchmarks
