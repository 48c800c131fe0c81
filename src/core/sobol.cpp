#include "ridgelet/core/sobol.hpp"

#include <fmt/format.h>

#include <boost/random/sobol.hpp>
#include <string>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"

namespace ridgelet {

namespace {

constexpr int digits = 32;       ///< of the Sobol points
constexpr int more_digits = 20;  ///< random ones after those, to fill a double
constexpr Index most_points = Index{1} << digits;

using SobolSequence = boost::random::sobol_engine<std::uint32_t, digits>;

/// The output function of SplitMix64 (Steele, Lea and Flood 2014), whose bits each depend on all bits of x.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Random bits that belong to a key and a number.
std::uint64_t hash(std::uint64_t key, std::uint64_t number) {
  return mixed(key + number * 0x9e3779b97f4a7c15u);
}

std::vector<std::uint64_t> keys(const RandomStream& stream, Index dimension) {
  std::vector<std::uint64_t> values;
  for (Index k = 0; k < dimension; ++k)
    values.push_back(
        mixed(static_cast<std::uint64_t>(0x1p53 * stream.uniform(static_cast<std::uint64_t>(k)))));
  return values;
}

/// The coordinate x / 2^32 after nested scrambling, in the middle of its cell of length 2^-52.
double scrambled(std::uint32_t x, std::uint64_t key) {
  // The digits of x so far after a leading 1, which tells prefixes of different lengths apart.
  std::uint64_t prefix = 1, result = 0;
  for (int place = digits - 1; place >= 0; --place) {
    const std::uint64_t digit = (x >> place) & 1u, flip = hash(key, prefix) >> 63;
    result = (result << 1) | (digit ^ flip);
    prefix = (prefix << 1) | digit;
  }
  result = (result << more_digits) | (hash(key, prefix) >> (64 - more_digits));
  return (static_cast<double>(result) + 0.5) * 0x1p-52;
}

void require_sizes(Index count, Index dimension) {
  require_at_least(dimension, 1, "dimension");
  if (dimension > most_sobol_dimensions)
    throw InvalidArgument("dimension", fmt::format("must be at most {} for Sobol points, got {}",
                                                   most_sobol_dimensions, dimension));
  require_at_least(count, 1, "count");
  if (count > most_points)
    throw InvalidArgument("count", fmt::format("must be at most {}, got {}", most_points, count));
  require_memory(8.0 * static_cast<double>(count) * static_cast<double>(dimension), "count",
                 std::to_string(count) + " Sobol points");
}

}  // namespace

Matrix sobol_points(Index count, Index dimension, const RandomStream& scrambling) {
  require_sizes(count, dimension);
  const std::vector<std::uint64_t> key = keys(scrambling, dimension);
  SobolSequence sequence(static_cast<std::size_t>(dimension));
  Matrix points(count, dimension);
  for (Index i = 0; i < count; ++i)
    for (Index k = 0; k < dimension; ++k)
      // Boost's sequence starts after the zero.
      points(i, k) = scrambled(i == 0 ? 0 : sequence(), key[static_cast<std::size_t>(k)]);
  return points;
}

}  // namespace ridgelet
