/// A disk that a test commands: `fsync` of the program that the tests of this stage make up asks it.
#pragma once

#include <filesystem>
#include <functional>
#include <utility>

namespace ridgelet::testing {

/// Called with the file or folder that is to be on the disk; returns an error number, or 0. None: the system's own
/// disk.
inline std::function<int(const std::filesystem::path&)> disk;

/// The disk of a scope.
struct StandInDisk {
  explicit StandInDisk(std::function<int(const std::filesystem::path&)> stand_in) {
    disk = std::move(stand_in);
  }
  ~StandInDisk() { disk = nullptr; }
};

}  // namespace ridgelet::testing
