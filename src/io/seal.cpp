#include "ridgelet/io/seal.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "ridgelet/core/checksum.hpp"

namespace ridgelet {

namespace {

constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
constexpr std::string_view seal_name = "ridgelet seal 1\n";
constexpr std::size_t number_bytes = 8;
constexpr std::size_t seal_bytes = 32;
/// Bytes of HDF5's superblock up to and including the field that says where the file ends, in each of its versions.
constexpr std::size_t superblock_bytes = 52;
constexpr std::size_t block_bytes = 1 << 20;

std::string number_text(std::uint64_t value) {
  std::string text;
  for (std::size_t i = 0; i < number_bytes; ++i, value >>= 8) text += static_cast<char>(value & 0xff);
  return text;
}

std::uint64_t number_at(std::string_view bytes, std::size_t place) {
  std::uint64_t value = 0;
  for (std::size_t i = number_bytes; i-- > 0;)
    value = (value << 8) | static_cast<unsigned char>(bytes[place + i]);
  return value;
}

/// Where the superblock says that the file ends; 0 if the bytes do not begin with a superblock.
std::uint64_t end_of_hdf5(std::string_view bytes) {
  if (bytes.size() < superblock_bytes || !bytes.starts_with(signature)) return 0;
  switch (bytes[signature.size()]) {
    case 0:
      return number_at(bytes, 40);
    case 1:
      return number_at(bytes, 44);
    case 2:
    case 3:
      return number_at(bytes, 28);
    default:
      return 0;
  }
}

std::string seal_text(std::uint64_t size, const Checksum& checksum) {
  return std::string(seal_name) + number_text(size) + number_text(checksum.value());
}

std::string read_at(std::ifstream& file, std::uint64_t place, std::size_t count) {
  std::string bytes(count, '\0');
  file.seekg(static_cast<std::streamoff>(place));
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  return file ? bytes : "";
}

Checksum checksum_of(std::ifstream& file, std::uint64_t size) {
  Checksum checksum;
  std::vector<char> block(block_bytes);
  file.seekg(0);
  for (std::uint64_t left = size; left > 0 && file;) {
    const auto count = std::min<std::uint64_t>(left, block_bytes);
    file.read(block.data(), static_cast<std::streamsize>(count));
    checksum.add(block.data(), static_cast<std::size_t>(file.gcount()));
    left -= count;
  }
  return checksum;
}

}  // namespace

void write_sealed(std::ostream& stream, std::string_view image) {
  // The image may be padded, since its memory is taken in blocks.
  const std::uint64_t end = end_of_hdf5(image);
  if (end > 0 && end < image.size()) image = image.substr(0, end);
  Checksum checksum;
  checksum.add(image.data(), image.size());
  stream.write(image.data(), static_cast<std::streamsize>(image.size()));
  stream << seal_text(image.size(), checksum);
}

Seal seal_of(const std::filesystem::path& path) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error || size < superblock_bytes + seal_bytes) return Seal::broken;
  std::ifstream file(path, std::ios::binary);
  const std::uint64_t end = end_of_hdf5(read_at(file, 0, superblock_bytes));
  if (end == 0) return Seal::broken;
  const std::uint64_t content = size - seal_bytes;
  const std::string seal = read_at(file, content, seal_bytes);
  if (!seal.starts_with(seal_name)) return end == size ? Seal::none : Seal::broken;
  const bool unbroken = end == content && seal == seal_text(content, checksum_of(file, content));
  return unbroken ? Seal::unbroken : Seal::broken;
}

}  // namespace ridgelet
