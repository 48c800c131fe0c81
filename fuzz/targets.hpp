/// What is fuzzed: everything that reads bytes of a stranger's. A target takes any bytes; it returns if they were read or
/// refused as the library promises, and ends the process (a crash to whoever watches) if not.
///
/// The same targets serve libFuzzer (driver.cpp, scripts/fuzz) and the replay of inputs kept in fuzz/corpus, a folder a
/// target (tests/fuzz/corpus_test.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgelet::fuzz {

struct Target {
  std::string name;
  void (*run)(std::string_view bytes);
};

const std::vector<Target>& targets();

}  // namespace ridgelet::fuzz
