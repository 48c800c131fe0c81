/// A file that appears whole or not at all: written beside its place under another name, then renamed.
///
/// A link keeps pointing at its file, which is replaced, or made if it does not exist yet. A device or pipe
/// (/dev/stdout) is written to as it is.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "ridgelet/io/temporary_path.hpp"

namespace ridgelet {

/// The file that `path` names once its links are followed, whether or not that file exists. Throws IoError
/// if the links lead in a circle.
std::filesystem::path follow_links(const std::filesystem::path& path);

class OutputFile {
 public:
  /// Opens the temporary file at once, so that an unwritable place is known before any work is done.
  /// Throws IoError.
  explicit OutputFile(std::filesystem::path path);

  /// The temporary file is removed with it unless commit() was called.
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ofstream& stream() { return stream_; }
  const std::filesystem::path& path() const { return path_; }

  /// Flushes, closes and renames into place. Throws IoError if any of it fails (a full disk, say).
  void commit();

 private:
  std::filesystem::path path_;              ///< as it was given
  std::filesystem::path place_;             ///< where its links lead
  std::optional<TemporaryPath> temporary_;  ///< none for a device or pipe
  std::ofstream stream_;                    ///< after the name, so that it is closed before that is removed
};

}  // namespace ridgelet
