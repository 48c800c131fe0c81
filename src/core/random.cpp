#include "ridgelet/core/random.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace ridgelet {

namespace {

/// Two independent uniforms on (0, 1) from one counter: the upper 52 bits of each half, in the middle of their cell of
/// length 2^-52.
std::array<double, 2> uniform_pair(const RandomStream& stream, std::uint64_t counter) {
  const auto low = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
  const auto high = [](std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); };
  const std::uint32_t address =
      (static_cast<std::uint32_t>(stream.purpose) << 24) | (stream.replicate & 0xFFFFFFu);
  const r123::Philox4x32::ctr_type position = {{low(counter), high(counter), address, stream.iteration}};
  const r123::Philox4x32::key_type key = {{low(stream.seed), high(stream.seed)}};
  const auto bits = r123::Philox4x32{}(position, key);
  const auto unit = [](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t joined = (static_cast<std::uint64_t>(a) << 32) | b;
    return (static_cast<double>(joined >> 12) + 0.5) * 0x1p-52;
  };
  return {unit(bits[0], bits[1]), unit(bits[2], bits[3])};
}

std::array<double, 2> normal_pair(const RandomStream& stream, std::uint64_t counter) {
  const auto [u, v] = uniform_pair(stream, counter);
  const double radius = std::sqrt(-2 * std::log(u));
  const double angle = 2 * std::numbers::pi * v;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace

double RandomStream::uniform(std::uint64_t index) const {
  return uniform_pair(*this, index / 2)[index % 2];
}

std::vector<Index> RandomStream::subset(Index n, Index count) const {
  std::vector<Index> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  if (n <= count) return numbers;
  for (Index i = 0; i < count; ++i) {
    const double u = uniform(static_cast<std::uint64_t>(i));
    const Index other = std::min(i + static_cast<Index>(u * static_cast<double>(n - i)), n - 1);
    std::swap(numbers[static_cast<std::size_t>(i)], numbers[static_cast<std::size_t>(other)]);
  }
  numbers.resize(static_cast<std::size_t>(count));
  std::ranges::sort(numbers);
  return numbers;
}

double RandomStream::normal(std::uint64_t index) const {
  return normal_pair(*this, index / 2)[index % 2];
}

double RandomStream::logistic(std::uint64_t index) const {
  const double u = uniform(index);
  return std::log(u / (1 - u));
}

Matrix RandomStream::normals(Index rows, Index cols, std::uint64_t first) const {
  Matrix values(rows, cols);
  const std::uint64_t end = first + static_cast<std::uint64_t>(values.size());
  for (std::uint64_t counter = first / 2; 2 * counter < end; ++counter) {
    const std::array<double, 2> pair = normal_pair(*this, counter);
    for (std::uint64_t half = 0; half < 2; ++half) {
      const std::uint64_t index = 2 * counter + half;
      if (index < first || index >= end) continue;
      const auto place = static_cast<Index>(index - first);
      values(place / cols, place % cols) = pair[half];
    }
  }
  return values;
}

}  // namespace ridgelet
