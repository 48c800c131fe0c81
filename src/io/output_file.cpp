#include "ridgelet/io/output_file.hpp"

#include <fmt/format.h>
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

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)), place_(path_) {
  if (path_.empty()) fail(path_, "the name is empty");
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored)) fail(path_, "it is a directory");
  const bool special =
      std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored);
  // What a link to a pipe points to has no name.
  if (!special) {
    place_ = follow_links(path_);
    temporary_.emplace(std::filesystem::path(place_) += fmt::format(".{}.partial", ::getpid()));
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

}  // namespace ridgelet
