/// A line of progress on standard error, only on a terminal and only for work that takes more than a second.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "ridgelet/core/types.hpp"

namespace ridgelet::app {

class Progress {
 public:
  /// `unit` is what is counted: "replicates".
  Progress(std::string unit, bool quiet);

  /// Clears the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(Index done, Index total);

 private:
  std::string unit_;
  bool shown_;
  bool written_ = false;
  std::optional<Index> first_;  ///< what a resumed run had done before
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace ridgelet::app
