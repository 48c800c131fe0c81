/// What is fuzzed: everything that reads bytes of a stranger's. A target takes any bytes; it returns whether they were
/// read, if that or their refusal was as the library promises, and ends the process (a crash to whoever watches) if
/// not.
///
/// The same targets serve libFuzzer (driver.cpp, scripts/fuzz) and the replay of inputs kept in fuzz/corpus, a folder a
/// target (tests/fuzz/corpus_test.cpp), with inputs that a target makes for itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgelet::fuzz {

struct Target {
  std::string name;
  bool (*run)(std::string_view bytes);
  std::vector<std::string> (*seeds)() = nullptr;  ///< inputs of the present format, all of which are read
};

const std::vector<Target>& targets();

}  // namespace ridgelet::fuzz
