/// A file or directory that must not outlive the program, however the program ends.
///
/// It is registered before it is made, so that a program that is told to stop can remove it from any thread,
/// without allocating memory and without the help of the thread that made it.
#pragma once

#include <filesystem>
#include <system_error>

namespace ridgelet {

/// Where temporary files belong: the folder that TMPDIR names, or /tmp where it is empty or not set. Throws IoError if
/// there is no such folder.
std::filesystem::path temporary_folder();

class TemporaryPath {
 public:
  /// Registers the name; making the file or directory is up to the caller.
  explicit TemporaryPath(std::filesystem::path path);

  /// Removes what has that name (a directory must be empty by then), unless it was moved.
  ~TemporaryPath();
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Renames it to `place`, where it stays.
  std::error_code move_to(const std::filesystem::path& place);

  /// Removes everything that is registered, the latest first. Afterwards no path can be registered or moved
  /// (whoever tries waits for ever): call it only when the process is about to end.
  static void remove_all() noexcept;

 private:
  std::filesystem::path path_;
  bool moved_ = false;
  TemporaryPath* previous_;  ///< links of the list of all paths, so that removing allocates nothing
  TemporaryPath* next_ = nullptr;
};

}  // namespace ridgelet
