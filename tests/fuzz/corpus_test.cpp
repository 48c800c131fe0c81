// Inputs that the fuzzer was given or found, one by one, without clang: every one is read or refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "targets.hpp"

namespace ridgelet {
namespace {

const std::filesystem::path corpus = FUZZ_CORPUS_DIR;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(FuzzCorpus, HasAFolderForEveryTarget) {
  for (const fuzz::Target& target : fuzz::targets())
    EXPECT_TRUE(std::filesystem::is_directory(corpus / target.name)) << target.name;
}

TEST(FuzzCorpus, IsReadOrRefusedInputByInput) {
  for (const fuzz::Target& target : fuzz::targets())
    for (const auto& entry : std::filesystem::directory_iterator(corpus / target.name)) {
      SCOPED_TRACE(entry.path());
      target.run(bytes_of(entry.path()));
    }
}

// Every prefix, and every byte replaced by each of some that steer the readers: a mutation of each input that needs no
// chance.
TEST(FuzzCorpus, IsReadOrRefusedAfterSmallDamage) {
  const std::string steering = std::string("\0\n\"(),.;=[]x09\x7f\xff", 17);
  for (const fuzz::Target& target : fuzz::targets())
    for (const auto& entry : std::filesystem::directory_iterator(corpus / target.name)) {
      const std::string bytes = bytes_of(entry.path());
      if (bytes.size() > 400) continue;
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        target.run(bytes.substr(0, i));
        for (const char replacement : steering) {
          std::string damaged = bytes;
          damaged[i] = replacement;
          target.run(damaged);
        }
      }
    }
}

}  // namespace
}  // namespace ridgelet
