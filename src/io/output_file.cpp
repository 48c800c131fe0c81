#include "ridgelet/io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

/// As many as Linux follows.
constexpr int most_links = 40;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw IoError(fmt::format("cannot write '{}': {}", path.string(), reason));
}

bool is_device_or_pipe(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

std::filesystem::path follow_links(const std::filesystem::path& path) {
  std::filesystem::path place = path;
  std::error_code none;
  for (int links = 0; std::filesystem::is_symlink(place, none); ++links) {
    if (links == most_links) fail(path, "its symbolic links lead in a circle, or there are too many");
    // A relative link is relative to where it lies; an absolute one replaces the whole path.
    place = place.parent_path() / std::filesystem::read_symlink(place, none);
    if (none) fail(path, none.message());
  }
  return place;
}

FileClaim::FileClaim(const std::filesystem::path& file, const std::filesystem::path& output) {
  while (true) {
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor_ < 0) fail(output, std::strerror(errno));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(descriptor_);
      fail(output, "another process is writing it");
    }
    // Whoever had the claim may have renamed or removed the file after we opened it.
    struct stat ours, there;
    if (::fstat(descriptor_, &ours) == 0 && ::stat(file.c_str(), &there) == 0 && ours.st_ino == there.st_ino)
      return;
    ::close(descriptor_);
  }
}

FileClaim::~FileClaim() {
  ::close(descriptor_);
}

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)), place_(path_) {
  if (path_.empty()) fail(path_, "the name is empty");
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored)) fail(path_, "it is a directory");
  // What a link to a pipe points to has no name.
  if (!is_device_or_pipe(path_)) {
    place_ = follow_links(path_);
    const std::filesystem::path partial = std::filesystem::path(place_) += ".partial";
    claim_.emplace(partial, path_);
    temporary_.emplace(partial);
  }
  stream_.open(temporary_ ? temporary_->path() : path_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail(path_, std::strerror(errno));
}

void OutputFile::commit() {
  errno = 0;
  stream_.flush();
  if (stream_) stream_.close();
  if (!stream_) fail(path_, errno != 0 ? std::strerror(errno) : "the disk may be full");
  if (!temporary_) return;
  if (const std::error_code error = temporary_->move_to(place_)) fail(path_, error.message());
}

ReservedOutput::ReservedOutput(const std::filesystem::path& path) {
  { const OutputFile writable(path); }
  if (is_device_or_pipe(path)) return;
  const std::filesystem::path reserved = follow_links(path) += ".reserved";
  claim_.emplace(reserved, path);
  temporary_.emplace(reserved);
}

}  // namespace ridgelet
