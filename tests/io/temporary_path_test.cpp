#include "ridgelet/io/temporary_path.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "scratch.hpp"

namespace ridgelet {
namespace {

namespace fs = std::filesystem;
using testing::content;

class TemporaryPathTest : public testing::WithDirectory {};

TEST_F(TemporaryPathTest, IsRemovedWithItsOwner) {
  const fs::path name = directory / "file";
  {
    const TemporaryPath path(name);
    EXPECT_FALSE(fs::exists(name));
    std::ofstream(name) << "half";
  }
  EXPECT_FALSE(fs::exists(name));
}

TEST_F(TemporaryPathTest, StaysWhereItIsMovedTo) {
  {
    TemporaryPath path(directory / "file");
    std::ofstream(path.path()) << "whole";
    EXPECT_FALSE(path.move_to(directory / "place"));
    // A later file of the same name belongs to somebody else.
    std::ofstream(directory / "file") << "another";
  }
  EXPECT_EQ(content(directory / "place"), "whole");
  EXPECT_EQ(content(directory / "file"), "another");
}

TEST_F(TemporaryPathTest, IsStillTemporaryIfItCannotBeMoved) {
  {
    TemporaryPath path(directory / "file");
    std::ofstream(path.path()) << "half";
    EXPECT_TRUE(path.move_to(directory / "none" / "place"));
  }
  EXPECT_TRUE(fs::is_empty(directory));
}

TEST_F(TemporaryPathTest, IsRemovedByAProgramThatEndsAtOnce) {
  std::ofstream(directory / "kept") << "kept";
  const pid_t child = ::fork();
  if (child == 0) {
    std::optional<TemporaryPath> gone;
    gone.emplace(directory / "gone");
    const TemporaryPath one(directory / "one"), folder(directory / "folder"),
        inside(directory / "folder" / "two");
    TemporaryPath moved(directory / "moved");
    gone.reset();
    fs::create_directory(folder.path());
    for (const TemporaryPath* path : {&one, &inside, &std::as_const(moved)})
      std::ofstream(path->path()) << "half";
    moved.move_to(directory / "place");
    TemporaryPath::remove_all();
    ::_exit(0);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"kept", "place"}));
}

}  // namespace
}  // namespace ridgelet
