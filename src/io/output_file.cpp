#include "ridgelet/io/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "ridgelet/core/checksum.hpp"
#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

/// As many links as Linux follows.
constexpr int most_links = 40;

constexpr const char* another_writes = "another process is writing it";

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw IoError(fmt::format("cannot write '{}': {}", path.string(), reason));
}

/// A file that is being written has the sticky bit, which Linux knows of directories only and nobody sets by accident.
/// So what a process that was killed left is told from a file of somebody else's.
constexpr mode_t mark = S_ISVTX;

/// Opens what is there if that has our mark, and makes the file if nothing is; negative if the system refuses. Throws
/// IoError if what is there is somebody else's.
int open_marked(const std::filesystem::path& file, const std::filesystem::path& output) {
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  while (true) {
    int made = ::open(file.c_str(), flags | O_CREAT | O_EXCL, 0666 | mark);
    // A file system may have no such bit.
    if (made < 0 && errno != EEXIST) made = ::open(file.c_str(), flags | O_CREAT | O_EXCL, 0666);
    if (made >= 0 || errno != EEXIST) return made;
    struct stat there {};
    if (::lstat(file.c_str(), &there) == 0 && !(S_ISREG(there.st_mode) && (there.st_mode & mark)))
      fail(output,
           fmt::format("it is first written as '{}', and that is there and not a file of ridgelet's; move "
                       "it away, or choose another name for the output",
                       file.string()));
    const int found = ::open(file.c_str(), flags);
    if (found >= 0 || errno != ENOENT) return found;
  }
}

bool is_device_or_pipe(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
}

std::filesystem::path folder_of(const std::filesystem::path& place) {
  return place.has_parent_path() ? place.parent_path() : ".";
}

/// A name for the place that does not depend on how its folder was reached.
std::string kernel_name_of(const std::filesystem::path& place) {
  const std::string file = place.filename().string();
  struct stat where {};
  ::stat(folder_of(place).c_str(), &where);
  Checksum sum;
  sum.add(file.data(), file.size());
  return fmt::format("ridgelet-output-{:x}-{:x}-{:x}", where.st_dev, where.st_ino, sum.value());
}

/// The names that this process has, which the kernel does not tell from those of another.
struct OwnNames {
  std::mutex mutex;
  std::set<std::string> names;
};

OwnNames& own_names() {
  static OwnNames own;
  return own;
}

bool is_own_name(const std::string& name) {
  const std::lock_guard lock(own_names().mutex);
  return own_names().names.contains(name);
}

/// Throws IoError about `output` if another process has reserved the place. The name is asked for and given back at
/// once: whoever reserves the place from now on finds the claim of the file that we write.
void require_unreserved(const std::filesystem::path& output, const std::filesystem::path& place) {
  const std::string name = kernel_name_of(place);
  if (!is_own_name(name) && !KernelName(name).ours()) fail(output, another_writes);
}

}  // namespace

KernelName::KernelName(std::string name) : name_(std::move(name)) {
  socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) return;  // then nothing is reserved, but the file itself still has only one writer
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  name_.copy(address.sun_path + 1, sizeof address.sun_path - 1);  // a name that begins with 0 is no file
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name_.size());
  const bool bound = ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) == 0;
  ours_ = bound || errno != EADDRINUSE;
  if (!ours_) return;
  const std::lock_guard lock(own_names().mutex);
  own_names().names.insert(name_);
}

KernelName::~KernelName() {
  if (socket_ < 0) return;
  if (ours_) {
    const std::lock_guard lock(own_names().mutex);
    own_names().names.erase(name_);
  }
  ::close(socket_);
}

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

std::filesystem::path partial_name(const std::filesystem::path& path) {
  return follow_links(path) += ".partial";
}

FileClaim::FileClaim(const std::filesystem::path& file, const std::filesystem::path& output) {
  while (true) {
    descriptor_ = open_marked(file, output);
    if (descriptor_ < 0) fail(output, std::strerror(errno));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(descriptor_);
      fail(output, another_writes);
    }
    // Whoever had the claim may have renamed or removed the file after we opened it.
    struct stat ours, there;
    if (::fstat(descriptor_, &ours) == 0 && ::stat(file.c_str(), &there) == 0 && ours.st_ino == there.st_ino)
      return;
    ::close(descriptor_);
  }
}

void FileClaim::unmark() {
  struct stat ours {};
  if (::fstat(descriptor_, &ours) == 0) ::fchmod(descriptor_, ours.st_mode & 07777 & ~mark);
}

FileClaim::~FileClaim() {
  ::close(descriptor_);
}

void keep_on_disk(const std::filesystem::path& file_or_folder, const std::filesystem::path& output) {
  const int descriptor = ::open(file_or_folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  const int reason = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (reason != 0 && reason != EINVAL && reason != ENOTSUP && reason != EROFS && reason != ENOSYS)
    fail(output, std::strerror(reason));
}

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)), place_(path_) {
  if (path_.empty()) fail(path_, "the name is empty");
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored)) fail(path_, "it is a directory");
  // What a link to a pipe points to has no name.
  if (!is_device_or_pipe(path_)) {
    place_ = follow_links(path_);
    const std::filesystem::path partial = partial_name(path_);
    // Before, so as not to be in the way of who has the place; after, since it may have been reserved in between.
    require_unreserved(path_, place_);
    claim_.emplace(partial, path_);
    temporary_.emplace(partial);
    require_unreserved(path_, place_);
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
  keep_on_disk(temporary_->path(), path_);
  if (const std::error_code error = temporary_->move_to(place_)) fail(path_, error.message());
  claim_->unmark();
  keep_on_disk(folder_of(place_), path_);
}

ReservedOutput::ReservedOutput(const std::filesystem::path& path) {
  { const OutputFile writable(path); }
  if (is_device_or_pipe(path)) return;
  name_.emplace(kernel_name_of(follow_links(path)));
  if (!name_->ours()) fail(path, another_writes);
  // One that began to write before the name was ours has the file's claim by now.
  const OutputFile still_free(path);
}

}  // namespace ridgelet
