/// A file that appears whole or not at all: written beside its place under another name, then renamed. A link
/// keeps pointing at its file, which is replaced; a device or pipe (/dev/stdout) is written to as it is.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace ridgelet {

class OutputFile {
 public:
  /// Opens the temporary file at once, so that an unwritable place is known before any work is done.
  /// Throws IoError.
  explicit OutputFile(std::filesystem::path path);

  /// Removes the temporary file unless commit() was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ofstream& stream() { return stream_; }
  const std::filesystem::path& path() const { return path_; }

  /// Flushes, closes and renames into place. Throws IoError if any of it fails (a full disk, say).
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::ofstream stream_;
  bool committed_ = false;
};

}  // namespace ridgelet
