#include "ridgelet/io/table_stream.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "expectations.hpp"
#include "ridgelet/io/csv_records.hpp"
#include "scratch.hpp"
#include "thread_ranks.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using testing::on_ranks;
using Names = std::vector<std::string>;

class TableStreamTest : public testing::WithDirectory {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(directory / name, std::ios::binary) << text;
    return directory / name;
  }
};

const TableRequest of_y{.outputs = {"y"}};

/// A table in which every sort of column occurs, and rows that lack a value.
std::string mixed_table(int rows, const std::string& end_of_line = "\n") {
  std::string text = "x,sold,colour,constant,y" + end_of_line;
  const Names colours = {"red", "blue", "green"};
  for (int i = 0; i < rows; ++i)
    text += fmt::format("{},1970-01-{:02},{},7,{}{}", i % 11 == 5 ? "NA" : std::to_string(0.1 * i),
                        1 + i % 28, colours[static_cast<std::size_t>(i) % 3], i * i % 17, end_of_line);
  return text;
}

RegressionTable read_all(const std::string& text, const TileOptions& tiles, const Ranks& ranks = alone()) {
  TableRequest request = of_y;
  request.missing = MissingValues::drop;
  return all_rows(TableStream(table_source_of(text, "t.csv", tiles, ranks), request, ranks));
}

void expect_same(const RegressionTable& a, const RegressionTable& b) {
  EXPECT_EQ(a.encoding, b.encoding);
  EXPECT_EQ(a.X, b.X);
  EXPECT_EQ(a.Y, b.Y);
}

TEST(TableStream, ReadsTheSameRowsHoweverTheFileIsCut) {
  const RegressionTable whole = read_all(mixed_table(100), {});
  EXPECT_EQ(whole.inputs, (Names{"x", "sold", "colour=blue", "colour=green", "colour=red"}));
  EXPECT_EQ(whole.X.rows(), 91);
  for (const Index rows : {1, 3, 50})
    for (const std::size_t chunk : {1, 20, 333})
      expect_same(read_all(mixed_table(100), {rows, chunk}), whole);
}

TEST(TableStream, ReadsTheSameRowsWhateverEndsTheLines) {
  const RegressionTable whole = read_all(mixed_table(40), {});
  for (const char* end : {"\r\n", "\r"})
    for (const std::size_t chunk : {1, 20, 333})
      expect_same(read_all(mixed_table(40, end), {.rows = 3, .chunk_bytes = chunk}), whole);
  std::string quoted = mixed_table(40);
  quoted.replace(quoted.find("red"), 3, "\"red\"");
  expect_same(read_all(quoted, {.rows = 3, .chunk_bytes = 20}), whole);
  std::string without_end = mixed_table(40);
  without_end.pop_back();
  expect_same(read_all(without_end, {.rows = 3, .chunk_bytes = 20}), whole);
  expect_same(read_all(mixed_table(40) + "\n \n", {.rows = 3, .chunk_bytes = 20}), whole);
}

TEST(TableStream, ReadsLineBreaksInQuotesWhereverTheFileIsCut) {
  const std::string text = "x,note,y\n1,\"a\nb\",2\n3,\"c\n\nd\",4\n5,e,6\n";
  const TableRequest request{.inputs = {"x"}, .outputs = {"y"}};
  for (const std::size_t chunk : {1, 7, 1000}) {
    const TableStream rows(table_source_of(text, "t.csv", {.rows = 1, .chunk_bytes = chunk}), request);
    EXPECT_EQ(all_rows(rows).X, (Matrix{{1}, {3}, {5}}));
  }
}

TEST(TableStream, RefusesABlankLineBetweenRowsWhereverTheFileIsCut) {
  for (const std::size_t chunk : {1, 4, 1000})
    EXPECT_EQ(complaint_of([&] {
                TableStream(
                    table_source_of("x,y\n1,2\n\n \n3,4\n", "t.csv", {.rows = 1, .chunk_bytes = chunk}),
                    of_y);
              }),
              "data: 't.csv', line 3: blank line between rows; remove it, or fill in its values");
}

TEST(TableStream, TakesALineOfTabsForARowWhereTabsSeparate) {
  const TableRequest request{.outputs = {"y"}, .missing = MissingValues::drop};
  const TableStream rows(table_source_of("x\ty\n1\t2\n\t\n3\t4\n", "t.csv"), request);
  EXPECT_EQ(all_rows(rows).X, (Matrix{{1}, {3}}));
}

TEST_F(TableStreamTest, TakesSeveralFilesForOneTable) {
  const std::string whole = mixed_table(60), header = whole.substr(0, whole.find('\n') + 1);
  const std::size_t cut = whole.find('\n', whole.size() / 3) + 1;
  const auto first = write("a.csv", whole.substr(0, cut)),
             second = write("b.csv", header + whole.substr(cut));
  TableRequest request = of_y;
  request.missing = MissingValues::drop;
  const TableStream rows(open_table_source({first, second}, {.rows = 7, .chunk_bytes = 100}), request);
  expect_same(all_rows(rows), read_all(whole, {}));

  const auto other = write("c.csv", "x,sold,colour,y\n1,1970-01-01,red,1\n");
  EXPECT_EQ(
      complaint_of([&] {
        open_table_source({first, other});
      }),
      fmt::format("data: '{}', line 1: other columns than those of '{}'", other.string(), first.string()));
  const auto wrong = write("d.csv", header + "1,1970-01-01,red,7,oops\n");
  EXPECT_EQ(
      complaint_of([&] {
        TableStream(open_table_source({first, wrong}), request);
      }),
      fmt::format(
          "data: '{}', line 2, column 'y': must be a number, got 'oops'; correct it, or leave the row out",
          wrong.string()));
}

TEST(TableStream, IsTheSameOnAnyNumberOfRanks) {
  const RegressionTable whole = read_all(mixed_table(200), {});
  for (const Index count : {2, 3, 4})
    on_ranks(count, [&](const Ranks& ranks) {
      expect_same(read_all(mixed_table(200), {.rows = 3, .chunk_bytes = 50}, ranks), whole);
    });
}

TEST(TableStream, RefusesTheFirstWrongCellOnEveryRank) {
  std::string text = mixed_table(200);
  text.replace(text.find(",7,", 2000), 3, ",7,o");
  const std::string complaint = complaint_of([&] { read_all(text, {.rows = 3, .chunk_bytes = 50}); });
  EXPECT_NE(complaint, "");
  on_ranks(3, [&](const Ranks& ranks) {
    EXPECT_EQ(complaint_of([&] { read_all(text, {.rows = 3, .chunk_bytes = 50}, ranks); }), complaint);
  });
}

TEST(TableStream, RefusesPointsInOneColumnAndDecimalCommasInAnotherHoweverItIsCut) {
  const std::string commas_first = "x;z;y\n1,5;775;1\n2;3;4\n4;2.143;3\n",
                    points_first = "z;x;y\n1;1;1\n2.143;2;4\n4;3,5;3\n",
                    in_words = "z;x;y\n1.5a;1;1\n2.143b;2;4\n1.5a;3,5;3\n";
  for (const Index rows : {1, 2, 100}) {
    EXPECT_EQ(complaint_of([&] { read_all(commas_first, {.rows = rows}); }),
              "data: 't.csv', line 4, column 'z': " + another_mark('.', 2, "x"));
    EXPECT_EQ(complaint_of([&] { read_all(points_first, {.rows = rows}); }),
              "data: 't.csv', line 4, column 'x': " + another_mark(',', 3, "z"));
    EXPECT_EQ(complaint_of([&] { read_all(in_words, {.rows = rows}); }), "");
  }
}

TEST(TableStream, NumbersItsRows) {
  const TableStream rows(table_source_of("x,y\n1,2\n3,4\n5,6\n", "t.csv", {.rows = 2}), of_y);
  ASSERT_EQ(rows.tiles(), 2);
  EXPECT_EQ(rows.tile(1).numbers, std::vector<Index>{2});
  EXPECT_EQ(rows.tile(1).X, Matrix{{5}});
}

TEST(TableStream, NumbersRowsAsTheFileDoesWhereOthersAreLeftOut) {
  TableRequest request = of_y;
  request.missing = MissingValues::drop;
  const TableStream rows(table_source_of("x,y\n1,2\n,4\n5,6\n7,\n9,1\n", "t.csv", {.rows = 3}), request);
  EXPECT_EQ(rows.tile(0).numbers, (std::vector<Index>{0, 2}));
  EXPECT_EQ(rows.tile(1).numbers, std::vector<Index>{4});
  EXPECT_EQ(all_rows(rows).numbers, (std::vector<Index>{0, 2, 4}));
}

TEST(TableStream, RefusesWhatIsNoCountByItsLine) {
  TableRequest request{.outputs = {"y"}, .counts = true, .missing = MissingValues::drop};
  const auto complaint = [&](const std::string& y) {
    return complaint_of([&] {
      all_rows(TableStream(table_source_of("x,y\n1,2\n,-1\n5," + y + "\n7,2\n", "t.csv"), request));
    });
  };
  EXPECT_EQ(complaint("6"), "");
  EXPECT_EQ(complaint("-6"), "data: 't.csv', line 4, column 'y': must be a count 0, 1, 2, ..., got -6");
  EXPECT_EQ(complaint("0.5"), "data: 't.csv', line 4, column 'y': must be a count 0, 1, 2, ..., got 0.5");
  request.counts = false;
  EXPECT_EQ(complaint("0.5"), "");
}

}  // namespace
}  // namespace ridgelet
