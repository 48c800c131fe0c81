#include "ridgelet/io/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iterator>
#include <string>

#include "ridgelet/core/errors.hpp"
#include "scratch.hpp"
#include "stand_in_disk.hpp"

/// Takes the place of the system's own fsync() in this program.
extern "C" int fsync(int descriptor) {
  using ridgelet::testing::disk;
  if (!disk) return static_cast<int>(::syscall(SYS_fsync, descriptor));
  errno = disk(std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor)));
  return errno == 0 ? 0 : -1;
}

namespace ridgelet {
namespace {

namespace fs = std::filesystem;

using testing::content;
using testing::StandInDisk;

class OutputFileTest : public testing::WithDirectory {
 protected:
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(directory), {}); }

  std::string refusal(const fs::path& path) const {
    try {
      const OutputFile file(path);
    } catch (const IoError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(OutputFileTest, AppearsOnlyWhenCommitted) {
  const fs::path path = directory / "table.csv";
  OutputFile file(path);
  file.stream() << "x1\n1\n";
  EXPECT_FALSE(fs::exists(path));
  file.commit();
  EXPECT_EQ(content(path), "x1\n1\n");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, LeavesNothingWhenNotCommitted) {
  {
    OutputFile file(directory / "table.csv");
    file.stream() << "half a line";
    EXPECT_EQ(files(), 1);
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFileTest, KeepsTheOlderFileWhenNotCommitted) {
  const fs::path path = directory / "table.csv";
  std::ofstream(path) << "older";
  { OutputFile(path).stream() << "newer"; }
  EXPECT_EQ(content(path), "older");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, HasOneWriterAtATime) {
  const fs::path path = directory / "table.csv";
  {
    OutputFile first(path);
    EXPECT_EQ(refusal(path), "cannot write '" + path.string() + "': another process is writing it");
    first.stream() << "first";
    first.commit();
  }
  EXPECT_EQ(content(path), "first");
  EXPECT_EQ(refusal(path), "");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, WritesOverWhatAProcessThatWasKilledLeft) {
  const fs::path path = directory / "table.csv";
  {
    OutputFile file(path);
    file.stream() << "half of a much longer file" << std::flush;
    fs::create_hard_link(path.string() + ".partial", directory / "left");
  }
  fs::rename(directory / "left", path.string() + ".partial");
  OutputFile file(path);
  file.stream() << "whole";
  file.commit();
  EXPECT_EQ(content(path), "whole");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, LeavesAFileOfSomebodyElsesBesideItAsItIs) {
  const fs::path path = directory / "table.csv", partial = path.string() + ".partial";
  const std::string words = "it is first written as '" + partial.string() + "', and that is there and not";
  for (const std::string_view theirs : {"somebody's", ""}) {
    std::ofstream(partial) << theirs;
    EXPECT_NE(refusal(path).find(words), std::string::npos) << refusal(path);
    EXPECT_EQ(content(partial), theirs);
  }
  fs::remove(partial);
  ASSERT_EQ(::mkfifo(partial.c_str(), 0666 | S_ISVTX), 0);
  EXPECT_NE(refusal(path).find(words), std::string::npos) << refusal(path);
  EXPECT_TRUE(fs::is_fifo(partial));
}

TEST_F(OutputFileTest, HasThePermissionsOfAnyOtherFileWhenItIsWhole) {
  std::ofstream(directory / "other.csv") << "other";
  OutputFile file(directory / "table.csv");
  file.commit();
  EXPECT_EQ(fs::status(directory / "table.csv").permissions(),
            fs::status(directory / "other.csv").permissions());
}

TEST_F(OutputFileTest, DoesNotFollowALinkThatSomebodyPutInItsWay) {
  const fs::path path = directory / "table.csv", other = directory / "other.csv";
  std::ofstream(other) << "somebody's";
  fs::create_symlink(other, path.string() + ".partial");
  EXPECT_NE(refusal(path), "");
  EXPECT_EQ(content(other), "somebody's");
}

TEST_F(OutputFileTest, ReplacesTheOlderFileWhole) {
  const fs::path path = directory / "table.csv";
  std::ofstream(path) << std::string(10'000, 'o');
  OutputFile file(path);
  file.stream() << "new";
  file.commit();
  EXPECT_EQ(content(path), "new");
}

TEST_F(OutputFileTest, WritesEveryByteAsItIs) {
  const std::string bytes("a\r\n\0\xff z", 8);
  const fs::path path = directory / "figure.png";
  OutputFile file(path);
  file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.commit();
  EXPECT_EQ(content(path), bytes);
}

TEST_F(OutputFileTest, MayBeEmpty) {
  OutputFile file(directory / "empty.csv");
  file.commit();
  EXPECT_TRUE(fs::exists(directory / "empty.csv"));
  EXPECT_EQ(content(directory / "empty.csv"), "");
}

TEST_F(OutputFileTest, KnowsItsPath) {
  EXPECT_EQ(OutputFile(directory / "table.csv").path(), directory / "table.csv");
}

TEST_F(OutputFileTest, IsOnTheDiskBeforeItHasItsNameAndThenTheNameIs) {
  const fs::path path = directory / "table.csv";
  std::vector<std::pair<fs::path, bool>> asked;
  const StandInDisk disk([&](const fs::path& what) {
    asked.emplace_back(what, fs::exists(path));
    EXPECT_EQ(content(fs::exists(path) ? path : what), "whole");
    return 0;
  });
  OutputFile file(path);
  file.stream() << "whole";
  file.commit();
  const fs::path folder = fs::canonical(directory);
  EXPECT_EQ(asked,
            (std::vector<std::pair<fs::path, bool>>{{folder / "table.csv.partial", false}, {folder, true}}));
}

TEST_F(OutputFileTest, NeedsNoFileSystemThatCanWaitForItsDisk) {
  for (const int error : {EINVAL, ENOTSUP, EROFS, ENOSYS}) {
    const StandInDisk disk([&](const fs::path&) { return error; });
    OutputFile file(directory / "table.csv");
    file.stream() << error;
    EXPECT_NO_THROW(file.commit());
    EXPECT_EQ(content(directory / "table.csv"), std::to_string(error));
  }
}

TEST_F(OutputFileTest, LeavesTheOlderFileWhereTheDiskFails) {
  const fs::path path = directory / "table.csv";
  std::ofstream(path) << "older";
  for (const int error : {EIO, ENOSPC, EDQUOT}) {
    const StandInDisk disk([&](const fs::path&) { return error; });
    OutputFile file(path);
    file.stream() << "newer";
    EXPECT_THROW(file.commit(), IoError);
    EXPECT_EQ(content(path), "older");
  }
}

TEST_F(OutputFileTest, RefusesAnEmptyName) {
  EXPECT_EQ(refusal(""), "cannot write '': the name is empty");
}

TEST_F(OutputFileTest, RefusesADirectory) {
  EXPECT_EQ(refusal(directory), "cannot write '" + directory.string() + "': it is a directory");
}

TEST_F(OutputFileTest, RefusesAMissingDirectoryAtOnce) {
  const fs::path path = directory / "none" / "table.csv";
  EXPECT_EQ(refusal(path), "cannot write '" + path.string() + "': No such file or directory");
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFileTest, RefusesADirectoryThatIsAFile) {
  std::ofstream(directory / "file") << "kept";
  const fs::path path = directory / "file" / "table.csv";
  EXPECT_EQ(refusal(path), "cannot write '" + path.string() + "': Not a directory");
  EXPECT_EQ(content(directory / "file"), "kept");
}

TEST_F(OutputFileTest, FollowsALinkToAFileThatDoesNotExistYet) {
  fs::create_directory(directory / "folder");
  fs::create_symlink("folder/table.csv", directory / "second");
  fs::create_symlink(directory / "second", directory / "first");
  OutputFile file(directory / "first");
  file.stream() << "new";
  file.commit();
  EXPECT_TRUE(fs::is_symlink(directory / "first"));
  EXPECT_TRUE(fs::is_symlink(directory / "second"));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(directory / "folder" / "table.csv")));
  EXPECT_EQ(content(directory / "folder" / "table.csv"), "new");
}

TEST_F(OutputFileTest, ReplacesTheFileOfALinkAndKeepsTheLink) {
  std::ofstream(directory / "table.csv") << "older";
  fs::create_symlink("table.csv", directory / "link");
  OutputFile file(directory / "link");
  file.stream() << "new";
  file.commit();
  EXPECT_TRUE(fs::is_symlink(directory / "link"));
  EXPECT_EQ(content(directory / "table.csv"), "new");
  EXPECT_EQ(files(), 2);
}

TEST_F(OutputFileTest, NamesALinkThatLeadsInACircle) {
  fs::create_symlink("two", directory / "one");
  fs::create_symlink("one", directory / "two");
  const std::string name = (directory / "one").string();
  EXPECT_EQ(refusal(name),
            "cannot write '" + name + "': its symbolic links lead in a circle, or there are too many");
  EXPECT_EQ(files(), 2);
}

TEST_F(OutputFileTest, NamesALinkIntoADirectoryThatDoesNotExist) {
  fs::create_symlink("none/table.csv", directory / "link");
  const std::string name = (directory / "link").string();
  EXPECT_EQ(refusal(name), "cannot write '" + name + "': No such file or directory");
}

TEST_F(OutputFileTest, FailsToCommitWhenTheStreamFailed) {
  const fs::path path = directory / "table.csv";
  {
    OutputFile file(path);
    file.stream() << "some";
    file.stream().setstate(std::ios::badbit);
    EXPECT_THROW(file.commit(), IoError);
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFileTest, FailsToCommitWhenItsPlaceBecameADirectory) {
  const fs::path path = directory / "table.csv";
  {
    OutputFile file(path);
    fs::create_directory(path);
    EXPECT_THROW(file.commit(), IoError);
  }
  EXPECT_EQ(files(), 1);
  EXPECT_TRUE(fs::is_directory(path));
}

TEST_F(OutputFileTest, IsReservedForOneProcessWhileItWorks) {
  const fs::path path = directory / "model.nc";
  const auto reserve = [&] { const ReservedOutput second(path); };
  {
    const ReservedOutput first(path);
    EXPECT_THROW(reserve(), IoError);
    OutputFile file(path);  // by the process that has reserved it
    file.commit();
  }
  EXPECT_NO_THROW(reserve());
  EXPECT_EQ(files(), 1);
  EXPECT_NO_THROW(ReservedOutput("/dev/null"));
}

TEST_F(OutputFileTest, IsRefusedWhileAnotherProcessHasReservedItsPlace) {
  const fs::path path = directory / "model.nc";
  std::array<int, 2> ready{}, done{};
  ASSERT_EQ(pipe(ready.data()) + pipe(done.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const ReservedOutput reserved(path);
    char byte = 0;
    _exit(write(ready[1], &byte, 1) == 1 && read(done[0], &byte, 1) == 1 ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(refusal(path), "cannot write '" + path.string() + "': another process is writing it");
  EXPECT_EQ(files(), 0);
  ASSERT_EQ(write(done[1], &byte, 1), 1);
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(refusal(path), "");
}

}  // namespace
}  // namespace ridgelet
