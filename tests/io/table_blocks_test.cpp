#include "ridgelet/io/table_blocks.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "expectations.hpp"
#include "scratch.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using Names = std::vector<std::string>;

const TableEncoding encoding{.inputs = {{.name = "x"},
                                        {"colour", ColumnKind::levels, {"blue", "red"}},
                                        {.name = "sold", .kind = ColumnKind::date}},
                             .outputs = {{"price", ResponseTransform::log}}};

class TableBlocksTest : public testing::WithDirectory {
 protected:
  std::filesystem::path write(const std::string& text) {
    std::ofstream(directory / "t.csv", std::ios::binary) << text;
    return directory / "t.csv";
  }

  /// The message of a refusal, without the name of the file.
  std::string refusal(const std::string& text, const RowOptions& options = {}) {
    const std::filesystem::path path = write(text);
    const std::string start = "data: '" + path.string() + "'";
    const std::string complaint = complaint_of([&] { TableBlocks(path, encoding, options).next(100); });
    for (const TileOptions& tiles : {TileOptions{1, 1}, TileOptions{2, 64}, TileOptions{3, 5}})
      EXPECT_EQ(complaint_of([&] { TableBlocks(path, encoding, options, tiles).next(100); }), complaint);
    return complaint.starts_with(start) ? complaint.substr(start.size()) : complaint;
  }
};

TEST_F(TableBlocksTest, EncodesRowsAsTheFitDid) {
  TableBlocks table(write("sold,note,colour,x\n1970-01-03,a,red,1.5\n1970-01-02T12:00,b,blue,2\n"), encoding);
  const EncodedRows block = table.next(100);
  EXPECT_EQ(block.X, (Matrix{{1.5, 0, 1, 2}, {2, 1, 0, 1.5}}));
  EXPECT_EQ(block.Y.cols(), 0);
  EXPECT_EQ(block.rows, (std::vector<Index>{1, 2}));
  EXPECT_EQ(table.columns(), (Names{"sold", "note", "colour", "x"}));
  EXPECT_EQ(table.next(100).X.rows(), 0);
}

TEST_F(TableBlocksTest, KeepsEveryRowAsItWasWritten) {
  TableBlocks table(write("x;sold;colour;note\r\n1,5;1970-01-03;red;\"a;b\"\r\n2;1970-01-03;blue; 7\r\n"),
                    encoding, {.records = true});
  EXPECT_EQ(table.header(), "x;sold;colour;note");
  EXPECT_EQ(table.separator(), ';');
  EXPECT_EQ(table.next(100).records, (Names{"1,5;1970-01-03;red;\"a;b\"", "2;1970-01-03;blue; 7"}));
  EXPECT_TRUE(table.decimal_commas());
}

TEST_F(TableBlocksTest, SuggestsNoResponseForAnInputThatIsMissing) {
  const TableEncoding priced = TableEncoding::of_numbers({"prices"}, {"price"});
  const std::filesystem::path path = write("x,price\n1,2\n");
  EXPECT_TRUE(complaint_of([&] {
                TableBlocks(path, priced);
              }).ends_with("no column 'prices'; the columns are x, price"));
}

TEST_F(TableBlocksTest, RefusesThousandsWithPointsBesideDecimalCommas) {
  const TableEncoding numbers = TableEncoding::of_numbers({"x", "z"}, {"y"});
  std::string text = "x;z;y\n1,5;775;1\n";
  for (int i = 0; i < 20000; ++i) text += "2;3;1\n";
  TableBlocks table(write(text + "2;2.143;1\n"), numbers);
  const std::string complaint = complaint_of([&] {
    while (table.next(1000).X.rows() > 0) continue;
  });
  EXPECT_NE(
      complaint.find("line 20003, column 'z': a number with a decimal point, where line 2, column 'x', has"),
      std::string::npos)
      << complaint;
}

TEST_F(TableBlocksTest, GivesTheSameRowsInBlocksOfAnySize) {
  std::string text = "x,sold,colour\n";
  for (int i = 0; i < 20; ++i) text += std::to_string(i) + ",1970-01-03,red\n";
  for (const auto& [size, tile_rows] : {std::pair<Index, Index>{1, 2048}, {3, 1}, {7, 2}, {20, 3}, {50, 7}}) {
    TableBlocks table(write(text), encoding, {}, {.rows = tile_rows, .chunk_bytes = 17});
    Index row = 0;
    for (EncodedRows block = table.next(size); block.X.rows() > 0; block = table.next(size)) {
      EXPECT_LE(block.X.rows(), size);
      for (Index i = 0; i < block.X.rows(); ++i, ++row) {
        EXPECT_EQ(block.X(i, 0), static_cast<double>(row));
        EXPECT_EQ(block.rows[static_cast<std::size_t>(i)], row + 1);
      }
    }
    EXPECT_EQ(row, 20);
    EXPECT_EQ(table.rows_read(), 20);
  }
}

TEST_F(TableBlocksTest, ReadsResponsesAsTheyStandWhereTheyAreWanted) {
  TableBlocks table(write("price,x,sold,colour\n100,1,1970-01-03,red\n"), encoding, {.responses = true});
  EXPECT_EQ(table.next(9).Y, (Matrix{{100}}));
  EXPECT_EQ(refusal("x,sold,colour\n1,1970-01-03,red\n", {.responses = true}),
            ", line 1: no column 'price'; the columns are x, sold, colour");
  EXPECT_EQ(refusal("x,sold,colour,price\n1,1970-01-03,red,0\n", {.responses = true}),
            ", line 2, column 'price': must be positive for log(price), got '0'");
}

TEST_F(TableBlocksTest, RefusesALevelThatTheFitDidNotHave) {
  EXPECT_EQ(refusal("x,sold,colour\n1,1970-01-03,red\n2,1970-01-03,purple\n"),
            ", line 3, column 'colour': 'purple' was no level of the fit, which had blue, red; correct it, "
            "or take it for "
            "none of them with --unknown ignore");
}

TEST_F(TableBlocksTest, TakesAnUnknownLevelForNoneWhereThatIsWished) {
  TableBlocks table(write("x,sold,colour\n1,1970-01-03,red\n2,1970-01-03,purple\n"), encoding,
                    {.unknown = UnknownLevels::ignore});
  EXPECT_EQ(table.next(9).X, (Matrix{{1, 0, 1, 2}, {2, 0, 0, 2}}));
  EXPECT_EQ(table.rows_with_unknown(), 1);
}

TEST_F(TableBlocksTest, SaysWhichRowsHaveAnUnknownLevelHoweverTheyAreCut) {
  std::string text = "x,sold,colour\n";
  for (int i = 0; i < 7; ++i) text += "1,1970-01-03," + std::string(i % 3 == 1 ? "purple" : "red") + "\n";
  const auto path = write(text);
  for (const Index tile : {1, 2, 100})
    for (const Index most : {1, 3, 100}) {
      TableBlocks table(path, encoding, {.unknown = UnknownLevels::ignore}, {tile, 64});
      std::vector<bool> unknown;
      for (EncodedRows block = table.next(most); block.X.rows() > 0; block = table.next(most)) {
        EXPECT_EQ(block.unknown.size(), block.rows.size());
        unknown.insert(unknown.end(), block.unknown.begin(), block.unknown.end());
      }
      EXPECT_EQ(unknown, (std::vector<bool>{false, true, false, false, true, false, false}));
    }
}

TEST_F(TableBlocksTest, RefusesAnUnknownLevelThatIsNotUtf8EvenWhereUnknownOnesAreIgnored) {
  for (const UnknownLevels unknown : {UnknownLevels::refuse, UnknownLevels::ignore}) {
    const auto path = write("x,sold,colour\n1,1970-01-03,bl\xe5\n");
    EXPECT_EQ(
        complaint_of([&] { TableBlocks(path, encoding, {.unknown = unknown}).next(9); }),
        "data: '" + path.string() +
            "', line 2, column 'colour': is not UTF-8, got 'bl?'; convert the file: iconv -f latin1 -t utf-8 "
            "in.csv > out.csv");
  }
}

TEST_F(TableBlocksTest, RefusesOrDropsMissingValues) {
  const std::string text =
      "x,sold,colour,note\n1,1970-01-03,red,\n,1970-01-03,red,\n3,NA,red,\n4,1970-01-03,,\n5,1970-01-04,red,"
      "\n";
  EXPECT_EQ(refusal(text),
            ", line 3, column 'x': missing value; fill it, or leave such rows out with --missing drop");
  EXPECT_EQ(refusal("x,sold,colour\n1,,red\n"),
            ", line 2, column 'sold': missing value; fill it, or leave such rows out with --missing drop");
  EXPECT_EQ(refusal("x,sold,colour\n1,1970-01-03,n/a\n"),
            ", line 2, column 'colour': missing value; fill it, or leave such rows out with --missing drop");
  TableBlocks table(write(text), encoding, {.missing = MissingValues::drop});
  const EncodedRows block = table.next(9);
  EXPECT_EQ(block.X, (Matrix{{1, 0, 1, 2}, {5, 0, 1, 3}}));
  EXPECT_EQ(block.rows, (std::vector<Index>{1, 5}));
  EXPECT_EQ(table.rows_dropped(), 3);
}

TEST_F(TableBlocksTest, RefusesCellsOfAnotherKindWithTheirLine) {
  EXPECT_EQ(refusal("x,sold,colour\na,1970-01-03,red\n"),
            ", line 2, column 'x': must be a number, got 'a'; correct it, or leave the row out");
  EXPECT_EQ(refusal("x,sold,colour\n1,3,red\n"),
            ", line 2, column 'sold': must be a date such as 2024-01-31, got '3'");
  EXPECT_EQ(refusal("x,sold\n1,1970-01-03\n"), ", line 1: no column 'colour'; the columns are x, sold");
  EXPECT_EQ(refusal("x,sold,colour\n"),
            ": a header without rows; put a line of values for each row below it");
  EXPECT_EQ(refusal(""),
            ": the file is empty; it needs a line with the names of the columns, and rows below it");
  EXPECT_THROW(TableBlocks("none.csv", encoding), IoError);
}

TEST(UnknownLevels, AreReadFromTheirNames) {
  EXPECT_EQ(parse_unknown_levels("refuse"), UnknownLevels::refuse);
  EXPECT_EQ(parse_unknown_levels("ignore"), UnknownLevels::ignore);
  EXPECT_EQ(complaint_of([] { parse_unknown_levels("drop"); }),
            "unknown: must be one of refuse, ignore, got 'drop'");
}

}  // namespace
}  // namespace ridgelet
