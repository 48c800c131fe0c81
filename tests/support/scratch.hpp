/// Files of a test's own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace ridgelet::testing {

inline std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A test with an empty directory, which is named after the test and its process, so that two runs of a suite do not
/// meet in it, and is removed after the test.
class WithDirectory : public ::testing::Test {
 protected:
  WithDirectory() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory =
        std::filesystem::temp_directory_path() / (std::string("ridgelet-") + test->test_suite_name() + "-" +
                                                  test->name() + "-" + std::to_string(::getpid()));
    std::filesystem::remove_all(directory);
    std::filesystem::create_directory(directory);
  }
  ~WithDirectory() override { std::filesystem::remove_all(directory); }

  std::filesystem::path directory;
};

}  // namespace ridgelet::testing
