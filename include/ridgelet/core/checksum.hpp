/// A 64-bit checksum of bytes, against damage (not against forgery).
///
/// Over the little-endian words w_1, w_2, ... of eight bytes, the last one filled up with zeros:
///
///   h <- (h xor w) p,   h <- h xor (h >> 32),   and at the end the same with the number of bytes for w.
///
/// Each step is one to one in h, and for a fixed h also in w, so damage within one word is always found;
/// other damage is missed with probability 2^-64. Cost: a multiplication for every eight bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ridgelet {

class Checksum {
 public:
  /// The bytes may come in pieces of any size.
  void add(const char* bytes, std::size_t count);

  std::uint64_t value() const;

 private:
  std::uint64_t hash_ = 0;
  std::uint64_t size_ = 0;
  std::array<unsigned char, 8> pending_{};  ///< the first size_ mod 8 bytes of a word
};

}  // namespace ridgelet
