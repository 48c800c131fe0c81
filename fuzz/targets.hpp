/// What is fuzzed: everything that reads bytes which a stranger may have written. A target takes any bytes. If they are
/// read or refused as the library promises, it returns whether they were read; if not, it ends the process, which the
/// fuzzer sees as a crash.
///
/// The same targets serve libFuzzer (driver.cpp, scripts/fuzz) and the replay of inputs (tests/fuzz/corpus_test.cpp):
/// those kept in fuzz/corpus, with a folder for each target, and those that a target makes for itself.
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
