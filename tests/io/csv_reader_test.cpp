#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "expectations.hpp"
#include "ridgelet/io/csv.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using Names = std::vector<std::string>;

CsvTable read_text(const std::string& text, const Names& columns = {"x", "y"}) {
  std::istringstream stream(text);
  return read_csv(stream, "t.csv", columns);
}

std::string reader_refusal(const std::string& text, const Names& columns = {"x", "y"}) {
  return complaint_of([&] { read_text(text, columns); });
}

std::string split_refusal(const std::string& list) {
  return complaint_of([&] { split_columns(list); });
}

std::string failure(const std::filesystem::path& path) {
  try {
    read_csv(path, {"x"});
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

Matrix rows(std::initializer_list<std::initializer_list<double>> values) {
  return Matrix(values);
}

/// A folder for one test, gone when the test ends.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ridgelet_csv_reader_" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directory(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

const Matrix two_rows = rows({{1, 2}, {3, 4}});

TEST(CsvReader, ReturnsTheColumnsAskedForInTheOrderAsked) {
  const CsvTable table = read_text("a,b,c\n1,2,3\n4,5,6\n", {"c", "a"});
  EXPECT_EQ(table.header, (Names{"c", "a"}));
  EXPECT_EQ(table.values, rows({{3, 1}, {6, 4}}));
}

TEST(CsvReader, LeavesColumnsThatAreNotAskedForUnread) {
  EXPECT_EQ(read_text("site,x,note,y\nMLO,1,NA,2\nSPO,3,,4\n").values, two_rows);
}

TEST(CsvReader, EndsLinesAtLineFeedsCarriageReturnsBothAndTheEndOfTheFile) {
  EXPECT_EQ(read_text("x,y\n1,2\n3,4\n").values, two_rows);
  EXPECT_EQ(read_text("x,y\n1,2\n3,4").values, two_rows);
  EXPECT_EQ(read_text("x,y\r\n1,2\r\n3,4\r\n").values, two_rows);
  EXPECT_EQ(read_text("x,y\r\n1,2\r\n3,4\r").values, two_rows);
  EXPECT_EQ(read_text("x,y\r1,2\r3,4\r").values, two_rows);
}

TEST(CsvReader, SkipsAByteOrderMark) {
  EXPECT_EQ(read_text("\xef\xbb\xbfx,y\n1,2\n3,4\n").values, two_rows);
  EXPECT_EQ(read_text("\xef\xbb\xbf\"x\",y\n1,2\n3,4\n").values, two_rows);
}

TEST(CsvReader, TrimsBlanksAroundNumbersNamesAndQuotes) {
  EXPECT_EQ(read_text(" x , y\t\n 1,\t2 \n \" 3\" , \"4 \"\t\n").values, two_rows);
}

TEST(CsvReader, IgnoresBlankLinesAtTheEnd) {
  EXPECT_EQ(read_text("x,y\n1,2\n3,4\n\n  \n\t\r\n \n").values, two_rows);
}

TEST(CsvReader, ReadsQuotedFieldsWithCommasDoubledQuotesAndLineBreaks) {
  const std::string text = "\"x, \"\"m\"\"\",note,\"y\nz\"\n\"1\",\"a,\"\"b\"\"\n\nc\",2\n3,\"\",\"4\"\n";
  EXPECT_EQ(read_text(text, {"x, \"m\"", "y\nz"}).values, two_rows);
}

TEST(CsvReader, TakesAQuoteInsideAnUnquotedFieldAsALetter) {
  EXPECT_EQ(read_text("x,pipe,y\n1,5\" wide,2\n3,a\"\",4\n").values, two_rows);
}

TEST(CsvReader, ReadsNumbersInEveryUsualNotation) {
  EXPECT_EQ(read_text("x,y\n+1.5,-.25\n1e3,2E-2\n5.,007\n").values,
            rows({{1.5, -0.25}, {1000, 0.02}, {5, 7}}));
}

TEST(CsvReader, ReadsFieldsThatStraddleItsBuffer) {
  for (const char* line_end : {"\n", "\r\n"}) {
    std::string text = std::string("x,note,y") + line_end;
    for (int i = 0; i < 30'000; ++i)
      text += std::to_string(i) + ",\"a,\"\"\r\n" + std::string(static_cast<std::size_t>(i % 7), 'b') +
              "\"," + std::to_string(-i) + line_end;
    const Matrix values = read_text(text).values;
    ASSERT_EQ(values.rows(), 30'000);
    EXPECT_EQ(values.col(0), Vector::LinSpaced(30'000, 0, 29'999));
    EXPECT_EQ(values.col(1), -values.col(0));
  }
}

TEST(CsvReader, RefusesMissingValuesWithTheLineAndTheColumn) {
  const std::string reason = "missing value; missing values are refused, remove the row or fill it";
  for (const std::string missing :
       {"", " ", "\"\"", "NA", "n/a", "NaN", "nan", "-nan", "null", "NULL", "None"})
    EXPECT_EQ(reader_refusal("x,y\n1,2\n3," + missing + "\n5,6\n"),
              "data: 't.csv', line 3, column 'y': " + reason);
  EXPECT_EQ(reader_refusal("x\n1\n\"\"\n", {"x"}), "data: 't.csv', line 3, column 'x': " + reason);
}

TEST(CsvReader, RefusesTextWhereANumberIsNeeded) {
  const auto message = [](const std::string& shown, const std::string& remedy) {
    return "data: 't.csv', line 2, column 'x': must be a number, got '" + shown + "'; " + remedy;
  };
  for (const std::string text : {"warm", "1 2", "0x10", "+-1", "++1", "+", "-", "1e", "nano"})
    EXPECT_EQ(reader_refusal("x,y\n" + text + ",2\n"), message(text, "correct it, or leave the row out"));
  EXPECT_EQ(reader_refusal("x,y\n12%,2\n"), message("12%", "write plain numbers: 12, not '12%'"));
  EXPECT_EQ(reader_refusal("x,y\n1.5 m,2\n"), message("1.5 m", "write plain numbers: 1.5, not '1.5 m'"));
  EXPECT_EQ(reader_refusal("x,y\n\"1,5\",2\n"), message("1,5", "write plain numbers: 1.5, not '1,5'"));
}

TEST(CsvReader, ShowsTheTextItRefusesOnOneLineOfFortyCharacters) {
  const auto shown = [](const std::string& text) {
    const std::string message = reader_refusal("x,y\n\"" + text + "\",2\n");
    const std::size_t begin = message.find("got '") + 5;
    return message.substr(begin, message.find("'; ", begin) - begin);
  };
  EXPECT_EQ(shown(std::string(40, 'a')), std::string(40, 'a'));
  EXPECT_EQ(shown(std::string(41, 'a')), std::string(40, 'a') + "...");
  EXPECT_EQ(shown("a\nb\r\nc\x1b[1m"), "a?b?c?[1m");
  EXPECT_EQ(shown("\xe2\x88\x92"
                  "5 \xc2\xb5g"),
            "\xe2\x88\x92"
            "5 \xc2\xb5g");
  EXPECT_EQ(shown("\xb5g \xc0\x80 \xed\xa0\x80 \xe2\x88"), "?g ?? ??? ??");
  std::string micro;
  for (int i = 0; i < 40; ++i) micro += "\xc2\xb5";
  EXPECT_EQ(shown(micro + "g"), micro + "...");
}

TEST(CsvReader, RefusesNumbersThatAreInfiniteOrThatADoubleCannotHold) {
  for (const std::string text : {"inf", "-Infinity", "+INF", "1e400", "-1e400", "1e-400"})
    EXPECT_EQ(reader_refusal("x,y\n1,2\n" + text + ",2\n"),
              "data: 't.csv', line 3, column 'x': must be finite and within the range of a double, got '" +
                  text + "'; correct it, or leave the row out");
}

TEST(CsvReader, RefusesRowsWithAnotherCountOfFieldsThanTheHeader) {
  EXPECT_EQ(reader_refusal("x,y,z\n1,2,3\n4\n"),
            "data: 't.csv', line 3: 1 field, but the header has 3; correct the row, and put text that has a "
            "',' in quotes");
  EXPECT_EQ(reader_refusal("x,y\n1,2\n3,4,5,\n"),
            "data: 't.csv', line 3: 4 fields, but the header has 2; correct the row, and put text that has a "
            "',' in quotes");
}

TEST(CsvReader, RefusesBlankLinesBetweenRows) {
  const std::string reason = "blank line between rows; remove it, or fill in its values";
  EXPECT_EQ(reader_refusal("x,y\n1,2\n\n \n3,4\n"), "data: 't.csv', line 3: " + reason);
  EXPECT_EQ(reader_refusal("x\n1\n2\n\n3\n", {"x"}), "data: 't.csv', line 4: " + reason);
  EXPECT_EQ(reader_refusal("\nx,y\n1,2\n"),
            "data: 't.csv', line 1: blank line where the header should be; begin the file with the names of "
            "the columns");
}

TEST(CsvReader, CountsLinesAsAnEditorDoesAndNamesTheFirstOfARecord) {
  EXPECT_EQ(
      reader_refusal("\"x\",y,\"a\r\nb\"\r\n1,2,\"\n\n\"\r\n3,no,\"\r\r\n\"\n"),
      "data: 't.csv', line 6, column 'y': must be a number, got 'no'; correct it, or leave the row out");
}

TEST(CsvReader, RefusesUnclosedQuotesAndTextAfterClosedOnes) {
  EXPECT_EQ(reader_refusal("x,y\n1,2\n3,\"4\n5,6\n"),
            "data: 't.csv', line 3: unclosed quote in field 2; add the quote that closes it, or take it out");
  EXPECT_EQ(reader_refusal("x,\"y"),
            "data: 't.csv', line 1: unclosed quote in field 2; add the quote that closes it, or take it out");
  EXPECT_EQ(
      reader_refusal("x,y\n\"1\"2,3\n"),
      "data: 't.csv', line 2: text after the closing quote of field 1; a quote within quotes is doubled");
}

TEST(CsvReader, NamesTheColumnsThereAreWhenOneIsNotThere) {
  EXPECT_EQ(reader_refusal("year,month,co2_ppm\n1,2,3\n", {"year", "co2_pm"}),
            "data: 't.csv', line 1: no column 'co2_pm'; the columns are year, month, co2_ppm; did you mean "
            "'co2_ppm'?");
  EXPECT_EQ(reader_refusal("a,b\n1,2\n", {"z!"}),
            "data: 't.csv', line 1: no column 'z!'; the columns are a, b");
  EXPECT_EQ(reader_refusal("x;y\n1;2\n", {"temperature"}),
            "data: 't.csv', line 1: no column 'temperature'; the columns are x, y");
}

TEST(CsvReader, SaysWhatIsWrongWithAHeaderThatLacksTheName) {
  EXPECT_EQ(reader_refusal("x y\n1 2\n", {"y"}),
            "data: 't.csv', line 1: no column 'y'; the columns are x y; columns are separated by a comma, a "
            "semicolon "
            "or a tab");
  EXPECT_EQ(
      reader_refusal("0.5,2\n1,2\n", {"y"}),
      "data: 't.csv', line 1: no column 'y'; the columns are 0.5, 2; the first line must name the columns");
  EXPECT_EQ(reader_refusal("0,1\n5,2\n", {"wind"}),
            "data: 't.csv', line 1: no column 'wind'; the columns are 0, 1");
  EXPECT_EQ(reader_refusal("\"name, full\",x\na,2\n", {"name"}),
            "data: 't.csv', line 1: no column 'name'; the columns are name, full, x; a name that has a comma "
            "is put in "
            "quotes, '\"name, full\"'");
}

TEST(CsvReader, ListsTwentyColumnsAndCountsTheRest) {
  std::string header, listed;
  for (int i = 10; i < 40; ++i) header += "c" + std::to_string(i) + ",";
  for (int i = 10; i < 30; ++i) listed += "c" + std::to_string(i) + ", ";
  EXPECT_EQ(reader_refusal(header + "d\n", {"temperature"}),
            "data: 't.csv', line 1: no column 'temperature'; the columns are " + listed + "... (31 in all)");
}

TEST(CsvReader, RefusesARepeatedNameOnlyIfItIsAskedFor) {
  EXPECT_EQ(reader_refusal("x,y,x\n1,2,3\n"),
            "data: 't.csv', line 1, column 'x': stands in the header more than once; give each column a name "
            "of its own");
  EXPECT_EQ(read_text("x,z,y,z\n1,0,2,0\n3,0,4,0\n").values, two_rows);
}

TEST(CsvReader, RefusesTablesWithNothingInThem) {
  EXPECT_EQ(
      reader_refusal(""),
      "data: 't.csv': the file is empty; it needs a line with the names of the columns, and rows below it");
  EXPECT_EQ(
      reader_refusal("\xef\xbb\xbf"),
      "data: 't.csv': the file is empty; it needs a line with the names of the columns, and rows below it");
  EXPECT_EQ(reader_refusal("x,y"),
            "data: 't.csv': a header without rows; put a line of values for each row below it");
  EXPECT_EQ(reader_refusal("x,y\r\n\r\n"),
            "data: 't.csv': a header without rows; put a line of values for each row below it");
  EXPECT_EQ(reader_refusal("x,y\n1,2\n", {}), "columns: must name at least one column, got none");
}

TEST(CsvReader, RefusesBinaryFiles) {
  using namespace std::string_literals;
  const std::string reason =
      "a NUL byte; the file is binary or UTF-16, not plain text; convert UTF-16: iconv -f utf-16 -t utf-8 "
      "in.csv > out.csv";
  EXPECT_EQ(reader_refusal("x,note,y\n1,a\0b,2\n"s), "data: 't.csv', line 2: " + reason);
  EXPECT_EQ(reader_refusal("\xff\xfex\0,\0y\0\n\0"s), "data: 't.csv', line 1: " + reason);
}

TEST(CsvReader, RefusesNamesOfColumnsThatAreNotUtf8AndSaysHowToConvertThem) {
  EXPECT_EQ(
      reader_refusal("x,stra\xdf"
                     "e,y\n1,2,3\n"),
      "data: 't.csv', line 1: the name of column 2 is not UTF-8, got 'stra?e'; convert the file: iconv -f "
      "latin1 -t utf-8 in.csv > out.csv");
  EXPECT_EQ(reader_refusal("x,stra\xc3\x9f"
                           "e,y\n1,2,3\n"),
            "");
}

TEST(CsvReader, ReadsLinesOfAMillionCharactersAndRefusesLongerOnes) {
  const auto table = [](std::size_t length) {
    return "x,y,z\n1,2," + std::string(length - 4, 'a') + "\n3,4,\n";
  };
  const std::string reason = "a line longer than 1,000,000 characters, or a quote left open";
  EXPECT_EQ(read_text(table(1'000'000)).values, two_rows);
  EXPECT_EQ(reader_refusal(table(1'000'001)), "data: 't.csv', line 2: " + reason);
  EXPECT_EQ(reader_refusal(table(10'000'000)), "data: 't.csv', line 2: " + reason);
  EXPECT_EQ(reader_refusal("x,y\n1,\"" + std::string(2'000'000, '\n')), "data: 't.csv', line 2: " + reason);
  EXPECT_EQ(reader_refusal(std::string(2'000'000, ' ')), "data: 't.csv', line 1: " + reason);
  EXPECT_EQ(reader_refusal(std::string(2'000'000, ',')), "data: 't.csv', line 1: " + reason);
}

TEST(CsvReader, FailsWithTheReasonWhenTheFileCannotBeRead) {
  const Folder folder;
  const std::filesystem::path absent = folder.path / "absent.csv", loop = folder.path / "loop.csv";
  std::filesystem::create_symlink(loop, loop);
  EXPECT_EQ(failure(absent), "cannot read '" + absent.string() + "': it does not exist");
  EXPECT_EQ(failure(folder.path), "cannot read '" + folder.path.string() + "': it is a directory");
  EXPECT_EQ(failure(loop), "cannot read '" + loop.string() + "': Too many levels of symbolic links");
  EXPECT_EQ(failure("/proc/self/mem"), "cannot read '/proc/self/mem': reading failed");
}

TEST(CsvReader, ReadsAFileByItsPathAndNamesItInRefusals) {
  const Folder folder;
  const std::filesystem::path path = folder.path / "good.csv";
  std::ofstream(path, std::ios::binary) << "x,y\r\n1,2\r\n3,4\r\n";
  EXPECT_EQ(read_csv(path, {"x", "y"}).values, two_rows);
  std::ofstream(path, std::ios::binary) << "x\n";
  EXPECT_EQ(
      complaint_of([&] { read_csv(path, {"x"}); }),
      "data: '" + path.string() + "': a header without rows; put a line of values for each row below it");
}

TEST(CsvReader, ReadsTheTwoSeriesOfTheDataFolder) {
  const std::filesystem::path data = TEST_DATA_DIR "/../data";
  const Matrix co2 = read_csv(data / "mauna_loa_co2.csv", {"year", "month", "co2_ppm"}).values;
  ASSERT_EQ(co2.rows(), 521);
  EXPECT_EQ(co2.row(0), rows({{1958, 3, 316.1}}));
  EXPECT_EQ(co2.row(520), rows({{2001, 12, 371.02}}));
  const Matrix airline = read_csv(data / "airline_passengers.csv", {"passengers", "year"}).values;
  ASSERT_EQ(airline.rows(), 144);
  EXPECT_EQ(airline.row(0), rows({{112, 1949}}));
  EXPECT_EQ(airline.col(0).sum(), 40363);
}

TEST(SplitColumns, ReadsNamesWithSpacesCommasAndQuotes) {
  EXPECT_EQ(split_columns("year"), (Names{"year"}));
  EXPECT_EQ(split_columns("year,month"), (Names{"year", "month"}));
  EXPECT_EQ(split_columns(" sea level ,\"height, m\", \"5\"\" pipe\""),
            (Names{"sea level", "height, m", "5\" pipe"}));
}

TEST(SplitColumns, RefusesListsThatAreNotNames) {
  EXPECT_EQ(split_refusal(""), "columns: must name at least one column, got ''");
  EXPECT_EQ(split_refusal("a,,b"), "columns: name 2 is empty, got 'a,,b'");
  EXPECT_EQ(split_refusal("a,"), "columns: name 2 is empty, got 'a,'");
  EXPECT_EQ(split_refusal("a,b,a"), "columns: 'a' is listed twice, got 'a,b,a'");
  EXPECT_EQ(split_refusal("a,\"b"),
            "columns: unclosed quote in field 2; add the quote that closes it, or take it out, got 'a,\"b'");
  EXPECT_EQ(split_refusal("a\nb"), "columns: must be one line, got 'a?b'");
}

}  // namespace
}  // namespace ridgelet
