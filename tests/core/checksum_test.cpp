#include "ridgelet/core/checksum.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>

namespace ridgelet {
namespace {

std::uint64_t checksum(const std::string& bytes) {
  Checksum sum;
  sum.add(bytes.data(), bytes.size());
  return sum.value();
}

TEST(Checksum, IsTheSameOnEveryMachine) {
  EXPECT_EQ(checksum(""), 0u);
  EXPECT_EQ(checksum("ridgelet"), 0x32294c60f386c35cu);
  EXPECT_EQ(checksum("a longer text, of 29 letters."), 0x6a3d5dba28a35164u);
}

RC_GTEST_PROP(Checksum, DoesNotDependOnThePiecesThatTheBytesComeIn,
              (const std::vector<std::string>& pieces)) {
  Checksum sum;
  std::string whole;
  for (const std::string& piece : pieces) {
    sum.add(piece.data(), piece.size());
    whole += piece;
  }
  RC_ASSERT(sum.value() == checksum(whole));
}

TEST(Checksum, ChangesWithEveryBit) {
  const std::string bytes = "bytes whose last word is not full";
  std::set<std::uint64_t> sums = {checksum(bytes)};
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_TRUE(sums.insert(checksum(flipped)).second) << bit;
  }
}

TEST(Checksum, ChangesWithTwoBitsInTheSamePlaceOfTwoWords) {
  const std::string bytes(64, 'x');
  std::set<std::uint64_t> sums = {checksum(bytes)};
  for (std::size_t bit = 0; bit < 64; ++bit) {
    std::string flipped = bytes;
    for (const std::size_t word : {std::size_t{8}, std::size_t{32}})
      flipped[word + bit / 8] = static_cast<char>(flipped[word + bit / 8] ^ (1 << bit % 8));
    EXPECT_TRUE(sums.insert(checksum(flipped)).second) << bit;
  }
}

TEST(Checksum, CountsZerosAtTheEnd) {
  std::set<std::uint64_t> sums;
  for (std::size_t count = 0; count < 40; ++count)
    EXPECT_TRUE(sums.insert(checksum(std::string(count, '\0'))).second);
}

}  // namespace
}  // namespace ridgelet
