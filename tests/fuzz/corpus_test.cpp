// Every target, without clang: on inputs that the fuzzer was given or found, on those that a target makes for itself,
// and on all of them changed at random.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "mutation.hpp"
#include "targets.hpp"

namespace ridgelet {
namespace {

const std::filesystem::path fuzz_folder = FUZZ_DIR;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> seeds_of(const fuzz::Target& target) {
  std::vector<std::string> inputs = target.seeds ? target.seeds() : std::vector<std::string>();
  for (const auto& entry : std::filesystem::directory_iterator(fuzz_folder / "corpus" / target.name))
    inputs.push_back(bytes_of(entry.path()));
  return inputs;
}

/// Words that steer the reader of a target, from its dictionary if it has one.
std::vector<std::string> words_of(const fuzz::Target& target) {
  std::vector<std::string> words;
  std::ifstream file(fuzz_folder / "dictionaries" / target.name);
  for (std::string line; std::getline(file, line);)
    if (line.size() > 2 && line.find('\\') == std::string::npos)
      words.push_back(line.substr(1, line.size() - 2));
  return words;
}

TEST(FuzzCorpus, HasAFolderForEveryTarget) {
  for (const fuzz::Target& target : fuzz::targets())
    EXPECT_TRUE(std::filesystem::is_directory(fuzz_folder / "corpus" / target.name)) << target.name;
}

// Inputs that are refused at the first line, as those of an older format are, would test that line alone.
TEST(FuzzCorpus, HasAnInputOfEveryTargetThatIsRead) {
  for (const fuzz::Target& target : fuzz::targets()) {
    const std::vector<std::string> inputs = seeds_of(target);
    EXPECT_TRUE(std::ranges::any_of(inputs, target.run)) << target.name;
    if (!target.seeds) continue;
    const std::vector<std::string> made = target.seeds();
    EXPECT_TRUE(std::ranges::all_of(made, target.run)) << target.name;
  }
}

// Every prefix of each short input, and every byte of it replaced by each of some bytes that steer the readers: changes
// that leave nothing to chance.
TEST(FuzzCorpus, IsReadOrRefusedAfterSmallDamage) {
  const std::string steering = std::string("\0\n\"(),.;=[]x09\x7f\xff", 17);
  for (const fuzz::Target& target : fuzz::targets())
    for (const std::string& bytes : seeds_of(target)) {
      target.run(bytes);
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

// A short run of the fuzzer's own kind, the same every time; inputs of any size take part.
TEST(FuzzCorpus, IsReadOrRefusedAfterChangesAtRandom) {
  std::mt19937_64 random(1);
  for (const fuzz::Target& target : fuzz::targets()) {
    const std::vector<std::string> inputs = seeds_of(target), words = words_of(target);
    const int times = target.seeds ? 600 : 3000;  // files take a millisecond, texts a few hundredths of that
    for (int i = 0; i < times; ++i)
      target.run(fuzz::mutated(inputs[static_cast<std::size_t>(i) % inputs.size()], words, random));
  }
}

bool command_is_read(const std::string& words) {
  return std::ranges::find(fuzz::targets(), "command", &fuzz::Target::name)->run(words);
}

// A file that is not there would end the target by an error that it does not expect.
TEST(FuzzCommand, OpensNoFile) {
  EXPECT_TRUE(command_is_read("assess\n--model\nnone.toml\n"));
  EXPECT_TRUE(command_is_read("fit\nnone.csv\n--y\ny\n--out\nnone/model.nc\n"));
  EXPECT_TRUE(command_is_read("predict\nnone.nc\nnone.csv\n"));
}

TEST(FuzzCommand, IsRefusedForAWordThatNoFileCouldMakeRight) {
  EXPECT_FALSE(command_is_read("fit\nnone.csv\n--y\ny\n--kernel\nse(\n"));
  EXPECT_FALSE(command_is_read("fit\nnone.csv\n--y\ny\n--hidden\nfluid\n"));
  EXPECT_FALSE(command_is_read("learn\nnone.csv\n--y\ny\n--period\n1\n"));
  EXPECT_FALSE(command_is_read("compare\nnone.csv\n--y\ny\n--holdout\n2\n"));
  EXPECT_FALSE(command_is_read("assess\n--kernel\nse()\n--domain\n1:0\n"));
  EXPECT_FALSE(command_is_read("sample\n--kernel\nse(active=[2])\n--out\na.csv\n"));
  EXPECT_FALSE(command_is_read("tune\n--kernel\nse()\n--error\nsmall\n"));
  EXPECT_FALSE(command_is_read("predict\nnone.nc\nnone.csv\n--level\n1\n"));
  EXPECT_FALSE(command_is_read("score\nnone.nc\nnone.csv\n--unknown\nguess\n"));
  EXPECT_FALSE(command_is_read("plot\nnone.nc\n--out\na.pdf\n"));
  EXPECT_FALSE(command_is_read("export\nnone.nc\n--to\nexcel\n--out\na\n"));
  EXPECT_FALSE(command_is_read("reproduce\nfigure\n--out\nfolder\n"));
  EXPECT_FALSE(command_is_read("selftest\n--tighten\n0\n"));
}

TEST(FuzzMutation, ChangesMostInputs) {
  std::mt19937_64 random(1);
  int changed = 0;
  for (int i = 0; i < 100; ++i)
    changed += fuzz::mutated("se(lengthscale=1)", {"rq("}, random) != "se(lengthscale=1)";
  EXPECT_GT(changed, 90);
}

}  // namespace
}  // namespace ridgelet
