#include "ridgelet/io/netcdf.hpp"

#include <gtest/gtest.h>

#include "expectations.hpp"
#include "ridgelet/core/random.hpp"
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

}  // namespace
}  // namespace ridgelet
