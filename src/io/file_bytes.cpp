#include "file_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

namespace {

/// Calls read() again if a signal interrupted it.
template <class Read>
ssize_t unless_interrupted(Read&& read) {
  for (;;) {
    const ssize_t count = read();
    if (count >= 0 || errno != EINTR) return count;
  }
}

}  // namespace

FileBytes::FileBytes(const std::filesystem::path& path) : name_(path.string()) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail(errno == ENOENT ? "it does not exist" : std::strerror(errno));
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0) fail(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail("it is a directory");
  if (S_ISREG(status.st_mode))
    size_ = static_cast<std::size_t>(status.st_size);
  else
    take_into_memory();
}

FileBytes::FileBytes(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  size_ = text_.size();
}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      text_(std::move(other.text_)) {}

FileBytes::~FileBytes() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileBytes::fail(const std::string& reason) const {
  throw IoError(fmt::format("cannot read '{}': {}", shown(name_, name_.size()), reason));
}

void FileBytes::take_into_memory() {
  std::vector<char> buffer(1 << 20);
  for (;;) {
    const ssize_t count =
        unless_interrupted([&] { return ::read(descriptor_, buffer.data(), buffer.size()); });
    if (count < 0) fail(std::strerror(errno));
    if (count == 0) break;
    if (text_.size() + buffer.size() > text_.capacity()) {
      const std::size_t room = 2 * (text_.size() + buffer.size());
      if (const double available = available_memory(); static_cast<double>(room) > available)
        throw InvalidArgument(
            "data", fmt::format("'{}' can be read only once, so it is kept in memory: room for {} is "
                                "needed, and {} are available; write it to a file, which is read "
                                "piece by piece",
                                shown(name_, name_.size()), readable_bytes(static_cast<double>(room)),
                                readable_bytes(available)));
      text_.reserve(room);
    }
    text_.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(std::exchange(descriptor_, -1));
  size_ = text_.size();
}

std::size_t FileBytes::read(std::size_t offset, char* to, std::size_t count) const {
  if (offset >= size_) return 0;
  count = std::min(count, size_ - offset);
  if (descriptor_ < 0) {
    std::memcpy(to, text_.data() + offset, count);
    return count;
  }
  for (std::size_t done = 0; done < count;) {
    const ssize_t more = unless_interrupted(
        [&] { return ::pread(descriptor_, to + done, count - done, static_cast<off_t>(offset + done)); });
    if (more < 0) fail(std::strerror(errno));
    if (more == 0) fail("it became shorter while it was read");
    done += static_cast<std::size_t>(more);
  }
  return count;
}

std::string FileBytes::read(std::size_t offset, std::size_t count) const {
  std::string bytes(count, '\0');
  bytes.resize(read(offset, bytes.data(), count));
  return bytes;
}

std::streambuf::int_type BytesStream::underflow() {
  const std::size_t count = bytes_.read(at_, buffer_.data(), buffer_.size());
  at_ += count;
  setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
  return count == 0 ? std::streambuf::traits_type::eof()
                    : std::streambuf::traits_type::to_int_type(buffer_.front());
}

}  // namespace ridgelet
