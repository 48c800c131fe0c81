/// A file that appears whole or not at all: written beside its place as NAME.partial, then renamed. Its content is on
/// the disk before it gets its name, so this holds even if the power fails. While one process writes the file, or has
/// reserved its place, another is refused; what a killed process left behind is overwritten, and a NAME.partial of
/// somebody else's is refused.
///
/// A link keeps pointing at its file, which is replaced, or made if it does not exist yet. A device or pipe
/// (/dev/stdout) is written to directly.
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

/// The name beside that file under which it is written first.
std::filesystem::path partial_name(const std::filesystem::path& path);

/// The right to write a file, which at most one process has at a time. It is given up when the process ends, however
/// that happens.
class FileClaim {
 public:
  /// Makes the file if there is none, with a mark by which a later claim knows it. Throws IoError about `output`, the
  /// file for whose sake `file` is written, also if there is a file without that mark: it is somebody else's.
  FileClaim(const std::filesystem::path& file, const std::filesystem::path& output);
  ~FileClaim();
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

  /// Takes the mark off a file that is whole.
  void unmark();

 private:
  int descriptor_;
};

/// Waits until the disk has what was written to the file, or the names in the folder. A file system that cannot say
/// when, and a folder that may not be read, are left to the kernel. Throws IoError about `output` if the disk fails.
/// Cost: about 4 ms.
void keep_on_disk(const std::filesystem::path& file_or_folder, const std::filesystem::path& output);

class OutputFile {
 public:
  /// Opens the temporary file at once, so that an unwritable place is known before any work is done.
  /// Throws IoError.
  explicit OutputFile(std::filesystem::path path);

  /// The destructor removes the temporary file unless commit() was called.
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ofstream& stream() { return stream_; }
  const std::filesystem::path& path() const { return path_; }

  /// Flushes, closes, waits for the disk and renames into place. Throws IoError if one of these fails (a full disk).
  void commit();

 private:
  std::filesystem::path path_;              ///< as it was given
  std::filesystem::path place_;             ///< where its links lead
  std::optional<FileClaim> claim_;          ///< none for a device or pipe; given up last
  std::optional<TemporaryPath> temporary_;  ///< likewise
  std::ofstream stream_;                    ///< after temporary_, so that it is closed before that is removed
};

/// A name that the kernel keeps for one process on this machine (an abstract socket), so nothing is left behind, however
/// the process ends.
class KernelName {
 public:
  explicit KernelName(std::string name);
  ~KernelName();
  KernelName(const KernelName&) = delete;
  KernelName& operator=(const KernelName&) = delete;

  /// False if it was taken. True also where the kernel has no such names.
  bool ours() const { return ours_; }

 private:
  std::string name_;
  int socket_ = -1;
  bool ours_ = true;
};

/// The place of an output, reserved for this process from before the work until its result is written: another process
/// on this machine that wants it, for an `OutputFile` too, is refused before it has worked in vain.
class ReservedOutput {
 public:
  /// Throws IoError if the place cannot be written, or another process has it.
  explicit ReservedOutput(const std::filesystem::path& path);
  ReservedOutput(const ReservedOutput&) = delete;
  ReservedOutput& operator=(const ReservedOutput&) = delete;

 private:
  std::optional<KernelName> name_;  ///< none for a device or pipe
};

}  // namespace ridgelet
