#include "ridgelet/core/checksum.hpp"

namespace ridgelet {

namespace {

constexpr std::size_t word_bytes = 8;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;  // 2^64 over the golden ratio, odd
  return hash ^ (hash >> 32);
}

/// Compilers turn the loop into one instruction.
std::uint64_t little_endian(const unsigned char* bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < word_bytes; ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
  return word;
}

}  // namespace

void Checksum::add(const char* bytes, std::size_t count) {
  const auto* at = reinterpret_cast<const unsigned char*>(bytes);
  const auto* const end = at + count;
  const auto add_pending = [&] {
    pending_[size_ % word_bytes] = *at++;
    if (++size_ % word_bytes == 0) hash_ = mixed(hash_, little_endian(pending_.data()));
  };
  while (at != end && size_ % word_bytes != 0) add_pending();
  for (; end - at >= static_cast<std::ptrdiff_t>(word_bytes); at += word_bytes, size_ += word_bytes)
    hash_ = mixed(hash_, little_endian(at));
  while (at != end) add_pending();
}

std::uint64_t Checksum::value() const {
  std::array<unsigned char, word_bytes> rest{};
  for (std::size_t i = 0; i < size_ % word_bytes; ++i) rest[i] = pending_[i];
  const std::uint64_t last = size_ % word_bytes == 0 ? hash_ : mixed(hash_, little_endian(rest.data()));
  return mixed(last, size_);
}

}  // namespace ridgelet
