/// A disk that a test controls: in the program of these tests, `fsync` asks this disk.
#pragma once

#include <filesystem>
#include <functional>
#include <utility>

namespace ridgelet::testing {

/// Called with the file or folder that is to be on the disk; returns an error number, or 0. If it is empty, the
/// system's own disk is used.
inline std::function<int(const std::filesystem::path&)> disk;

/// Stands in for the disk within a scope.
struct StandInDisk {
  explicit StandInDisk(std::function<int(const std::filesystem::path&)> stand_in) {
    disk = std::move(stand_in);
  }
  ~StandInDisk() { disk = nullptr; }
};

}  // namespace ridgelet::testing
