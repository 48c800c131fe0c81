/// An input changed at random, as libFuzzer changes its own, for runs without it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace ridgelet::fuzz {

/// One to four of: a bit flipped, a byte replaced, eight bytes replaced by a number that makes sizes overflow, a piece
/// left out, a piece repeated elsewhere, a word put in.
inline std::string mutated(std::string bytes, const std::vector<std::string>& words,
                           std::mt19937_64& random) {
  const auto below = [&](std::size_t count) {
    return static_cast<std::size_t>(random() % std::max<std::size_t>(count, 1));
  };
  for (std::size_t steps = 1 + below(4); steps > 0; --steps) {
    const std::size_t place = below(bytes.size());
    switch (below(6)) {
      case 0:
        if (!bytes.empty()) bytes[place] = static_cast<char>(bytes[place] ^ (1 << below(8)));
        break;
      case 1:
        if (!bytes.empty()) bytes[place] = static_cast<char>(below(256));
        break;
      case 2: {
        const std::uint64_t numbers[] = {0, 1, 0xff, bytes.size(), ~std::uint64_t{0}, std::uint64_t{1} << 63};
        const std::uint64_t number = numbers[below(std::size(numbers))];
        if (bytes.size() - place >= sizeof number) std::memcpy(bytes.data() + place, &number, sizeof number);
        break;
      }
      case 3:
        bytes.erase(place, below(16));
        break;
      case 4:
        bytes.insert(below(bytes.size()), bytes.substr(place, below(16)));
        break;
      default:
        if (!words.empty()) bytes.insert(place, words[below(words.size())]);
    }
  }
  return bytes;
}

}  // namespace ridgelet::fuzz
