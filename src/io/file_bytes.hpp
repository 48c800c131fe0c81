/// The bytes of a file, read from any place by any thread.
///
/// A regular file stays on the disk. What can be read only once, a pipe say, is taken into memory.
#pragma once

#include <filesystem>
#include <istream>
#include <streambuf>
#include <string>
#include <vector>

namespace ridgelet {

class FileBytes {
 public:
  /// Throws IoError, or InvalidArgument about "data" if the memory would not suffice.
  explicit FileBytes(const std::filesystem::path& path);

  /// A text that is in memory already; `name` stands for a file in messages.
  FileBytes(std::string name, std::string text);
  ~FileBytes();
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&&) = delete;

  const std::string& name() const { return name_; }
  std::size_t size() const { return size_; }

  /// The bytes from `offset` on, `count` of them or as many as there are. Throws IoError.
  std::size_t read(std::size_t offset, char* to, std::size_t count) const;
  std::string read(std::size_t offset, std::size_t count) const;

 private:
  void take_into_memory();
  [[noreturn]] void fail(const std::string& reason) const;

  std::string name_;
  int descriptor_ = -1;  ///< -1 if the bytes are in memory
  std::size_t size_ = 0;
  std::string text_;
};

/// The same bytes as a stream, starting from the first. `bytes` must outlive it.
class BytesStream : private std::streambuf, public std::istream {
 public:
  explicit BytesStream(const FileBytes& bytes) : std::istream(this), bytes_(bytes) {}

 private:
  std::streambuf::int_type underflow() override;

  const FileBytes& bytes_;
  std::size_t at_ = 0;
  std::vector<char> buffer_ = std::vector<char>(1 << 16);
};

}  // namespace ridgelet
