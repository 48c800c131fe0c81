#include "ridgelet/io/netcdf.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netcdf.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <random>
#include <thread>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/io/seal.hpp"
#include "scratch.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::content;

class NetcdfTest : public testing::WithDirectory {
 protected:
  NetcdfTest() : path(directory / "file.nc") {}

  void write(const std::filesystem::path& to) const {
    NetcdfWriter file;
    file.dimension("chain", 2);
    file.dimension("draw", 3);
    file.dimension("unit", 4);
    file.attribute("", "format", "a text with\na line break");
    file.attribute("group", "number", 0.1);
    file.matrix("group", "cube", {"chain", "draw", "unit"}, "numbers", 2, cube);
    file.vector("group", "row", "unit", "numbers", cube.row(0).transpose());
    file.names("group", "names", "draw", "texts", {"a", "b, c", "\xc3\xa4"});
    file.commit(to);
  }

  std::filesystem::path path;
  const Matrix cube = RandomStream{.seed = 1}.normals(6, 4);
};

TEST_F(NetcdfTest, ReadsBackWhatWasWritten) {
  write(path);
  const NetcdfReader file(path, "model");
  EXPECT_EQ(file.text("", "format"), "a text with\na line break");
  EXPECT_EQ(file.number("group", "number"), 0.1);
  EXPECT_EQ(file.size_of("draw"), 3);
  EXPECT_EQ(file.matrix("group", "cube", 2), cube);
  EXPECT_EQ(file.vector("group", "row"), cube.row(0).transpose());
  EXPECT_EQ(file.names("group", "names"), (std::vector<std::string>{"a", "b, c", "\xc3\xa4"}));
  EXPECT_TRUE(file.has_attribute("", "format"));
  EXPECT_FALSE(file.has_attribute("group", "format"));
}

TEST_F(NetcdfTest, RunsThroughTheLastDimensionFastest) {
  write(path);
  const NetcdfReader file(path, "model");
  const Matrix by_chain = file.matrix("group", "cube", 1);
  ASSERT_EQ(by_chain.cols(), 12);
  EXPECT_EQ(by_chain(1, 4 * 2 + 3), cube(3 * 1 + 2, 3));
}

TEST_F(NetcdfTest, GivesTheSameBytesForTheSameContent) {
  write(path);
  write(directory / "again.nc");
  EXPECT_EQ(content(path), content(directory / "again.nc"));
}

TEST_F(NetcdfTest, LeavesNothingBehindUnlessCommitted) {
  {
    NetcdfWriter file;
    file.dimension("chain", 2);
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory));
  EXPECT_THROW(write(directory / "no" / "such" / "place.nc"), IoError);
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

TEST_F(NetcdfTest, RefusesFilesThatAreCutOffOrSomethingElse) {
  write(path);
  const std::string whole = content(path);
  for (const std::size_t length : std::initializer_list<std::size_t>{0, 10, 4000}) {
    std::ofstream(directory / "cut.nc", std::ios::binary) << whole.substr(0, length);
    EXPECT_NE(complaint_of([&] { NetcdfReader(directory / "cut.nc", "model"); }).find("model: '"),
              std::string::npos)
        << length;
  }
  EXPECT_THROW(NetcdfReader(directory / "missing.nc", "model"), IoError);
  EXPECT_THROW(NetcdfReader(directory, "model"), IoError);
}

TEST_F(NetcdfTest, RefusesEveryOneOf2000FlippedBits) {
  write(path);
  const std::string whole = content(path);
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = whole;
    // Half of the damage is near the start, where the library finds its way by the numbers that it reads.
    const std::size_t reach = i % 2 == 0 ? damaged.size() : 512, place = random() % reach;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << random() % 8));
    std::ofstream(directory / "damaged.nc", std::ios::binary) << damaged;
    const std::string complaint = complaint_of([&] { NetcdfReader(directory / "damaged.nc", "model"); });
    ASSERT_NE(complaint.find("damaged.nc' is not a results file of ridgelet, or it is cut off or damaged"),
              std::string::npos)
        << place;
  }
}

TEST_F(NetcdfTest, RefusesEveryLengthButItsOwn) {
  write(path);
  const std::string whole = content(path);
  for (std::size_t length = 0; length < whole.size(); length += length < 600 ? 1 : 97) {
    std::ofstream(directory / "cut.nc", std::ios::binary) << whole.substr(0, length);
    ASSERT_NE(complaint_of([&] { NetcdfReader(directory / "cut.nc", "model"); }), "") << length;
  }
  for (const std::string& more : {std::string(1, '\0'), std::string(32, '\0'), whole}) {
    std::ofstream(directory / "long.nc", std::ios::binary) << whole << more;
    EXPECT_NE(complaint_of([&] { NetcdfReader(directory / "long.nc", "model"); }), "") << more.size();
  }
}

TEST_F(NetcdfTest, RefusesAFileThatLostItsSealWhateverElseIsDamaged) {
  write(path);
  const std::string whole = content(path), unsealed = whole.substr(0, whole.size() - 32);
  std::ofstream(path, std::ios::binary) << unsealed;
  EXPECT_NE(complaint_of([&] { NetcdfReader(path, "model"); }).find("file.nc' has lost its seal"),
            std::string::npos);
  const std::size_t numbers = unsealed.find(std::string(reinterpret_cast<const char*>(cube.data()), 8));
  ASSERT_NE(numbers, std::string::npos);
  std::mt19937 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    std::string damaged = unsealed;
    const std::size_t place = numbers + random() % 64;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << random() % 8));
    std::ofstream(path, std::ios::binary) << damaged;
    ASSERT_NE(complaint_of([&] { NetcdfReader(path, "model"); }), "") << place;
  }
}

TEST_F(NetcdfTest, SpeaksOfMemoryWhereAFileWithAWholeSealCannotBeDecoded) {
  write(path);
  std::string hollow = content(path);
  hollow.resize(hollow.size() - 32);
  std::fill(hollow.begin() + 100, hollow.end(), '\0');
  {
    std::ofstream file(path, std::ios::binary);
    write_sealed(file, hollow);
  }
  const std::string complaint = complaint_of([&] { NetcdfReader(path, "model"); });
  EXPECT_NE(
      complaint.find("cannot be decoded, though its seal is whole; memory, or addresses (ulimit -v), may "
                     "be too few"),
      std::string::npos)
      << complaint;
}

/// A file written by the library itself, with an array over these dimensions to which nothing is written.
void write_empty(const std::filesystem::path& path, const std::vector<std::size_t>& sizes, nc_type type) {
  int file = 0, group = 0, variable = 0;
  nc_create(path.c_str(), NC_NETCDF4, &file);
  std::vector<int> dimensions(sizes.size());
  for (std::size_t k = 0; k < sizes.size(); ++k)
    nc_def_dim(file, ("d" + std::to_string(k)).c_str(), sizes[k], &dimensions[k]);
  nc_def_grp(file, "group", &group);
  nc_def_var(group, "array", type, static_cast<int>(sizes.size()), dimensions.data(), &variable);
  nc_def_var_fill(group, variable, NC_NOFILL, nullptr);
  const std::vector<std::size_t> chunks(sizes.size(), 1);
  nc_def_var_chunking(group, variable, NC_CHUNKED, chunks.data());
  nc_close(file);
}

TEST_F(NetcdfTest, ReadsAFileOfAnotherProgramThatDoesNotSayItIsSealed) {
  write_empty(path, {3}, NC_DOUBLE);
  EXPECT_EQ(NetcdfReader(path, "model").size_of("d0"), 3);
  int file = 0;
  ASSERT_EQ(nc_open(path.c_str(), NC_WRITE, &file), NC_NOERR);
  nc_put_att_text(file, NC_GLOBAL, "sealed", 4, "once");
  nc_close(file);
  EXPECT_NE(complaint_of([&] { NetcdfReader(path, "model"); }).find("remove its attribute 'sealed'"),
            std::string::npos);
}

TEST_F(NetcdfTest, RefusesArraysThatAreLargerThanTheFile) {
  // The second product is 2^64, which a machine word takes for 0.
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{1 << 20}, {1u << 31, 1u << 31, 4}, {1u << 31, 1u << 31}}) {
    write_empty(path, sizes, NC_DOUBLE);
    const NetcdfReader file(path, "model");
    for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, sizes.size()})
      EXPECT_NE(complaint_of([&] { file.matrix("group", "array", rows); }).find("no array 'array'"),
                std::string::npos);
    EXPECT_NE(complaint_of([&] { file.names("group", "array"); }).find("no array 'array'"),
              std::string::npos);
  }
  write_empty(path, {1 << 30}, NC_STRING);
  EXPECT_NE(complaint_of([&] { NetcdfReader(path, "model").names("group", "array"); }), "");
}

TEST_F(NetcdfTest, NamesWhatIsMissing) {
  write(path);
  const NetcdfReader file(path, "model");
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(complaint_of([&] { file.matrix("other", "cube", 1); }), "no group 'other'"));
  EXPECT_TRUE(has(complaint_of([&] { file.matrix("group", "cub", 1); }), "no array 'cub'"));
  EXPECT_TRUE(has(complaint_of([&] { file.matrix("group", "cube", 4); }), "no array 'cube'"));
  EXPECT_TRUE(has(complaint_of([&] { file.text("", "title"); }), "no attribute 'title'"));
  EXPECT_TRUE(has(complaint_of([&] { file.number("", "format"); }), "no attribute 'format'"));
  EXPECT_TRUE(has(complaint_of([&] { file.size_of("row"); }), "no dimension 'row'"));
  EXPECT_TRUE(has(complaint_of([&] { file.names("group", "cube"); }), "no array 'cube'"));
}

TEST_F(NetcdfTest, LetsThreadsTakeTurnsWithoutAWord) {
  ::testing::internal::CaptureStderr();
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, own = directory / fmt::format("{}.nc", t)] {
      for (int i = 0; i < 20; ++i) {
        write(own);
        right += NetcdfReader(own, "model").matrix("group", "cube", 2) == cube;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 80);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace ridgelet
