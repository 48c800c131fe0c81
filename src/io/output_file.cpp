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

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw IoError(fmt::format("cannot write '{}': {}", path.string(), reason));
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  if (path_.empty()) fail(path_, "the name is empty");
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored)) fail(path_, "it is a directory");
  const bool special =
      std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored);
  // What a link to a pipe points to has no name.
  if (!special && std::filesystem::is_symlink(path_, ignored))
    path_ = std::filesystem::weakly_canonical(path_, ignored);
  temporary_ = path_;
  if (!special) temporary_ += fmt::format(".{}.partial", ::getpid());
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail(path_, std::strerror(errno));
}

OutputFile::~OutputFile() {
  if (committed_ || temporary_ == path_) return;
  stream_.close();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void OutputFile::commit() {
  errno = 0;
  stream_.flush();
  if (stream_) stream_.close();
  if (!stream_) fail(path_, errno != 0 ? std::strerror(errno) : "the disk may be full");
  if (temporary_ != path_) {
    std::error_code error;
    std::filesystem::rename(temporary_, path_, error);
    if (error) fail(path_, error.message());
  }
  committed_ = true;
}

}  // namespace ridgelet
