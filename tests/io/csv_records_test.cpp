#include "ridgelet/io/csv_records.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "expectations.hpp"
#include "ridgelet/io/csv.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using Names = std::vector<std::string>;

Matrix read_records(const std::string& text, const Names& columns = {"x", "y"}) {
  std::istringstream stream(text);
  return read_csv(stream, "t.csv", columns).values;
}

std::string record_refusal(const std::string& text, const Names& columns = {"x", "y"}) {
  return complaint_of([&] { read_records(text, columns); });
}

char separator_of(const std::string& text) {
  std::istringstream stream(text);
  return CsvRecords(stream).separator();
}

const Matrix halves{{1.5, 2}, {-3, 4.25}};

TEST(CsvRecords, FindTheirSeparatorFromTheHeader) {
  EXPECT_EQ(separator_of("x,y\n"), ',');
  EXPECT_EQ(separator_of("x;y\n"), ';');
  EXPECT_EQ(separator_of("x\ty\n"), '\t');
  EXPECT_EQ(separator_of("\xef\xbb\xbfx;y\r\n"), ';');
  EXPECT_EQ(separator_of("x"), ',');
  EXPECT_EQ(separator_of(""), ',');
}

TEST(CsvRecords, TakeTheSeparatorThatTheHeaderHasMostOf) {
  EXPECT_EQ(separator_of("a;speed, m/s;b\n"), ';');
  EXPECT_EQ(separator_of("a,b;c,d\n"), ',');
  EXPECT_EQ(separator_of("a,b;c\n"), ',');
  EXPECT_EQ(separator_of("x\n1;2;3\n"), ',');
}

TEST(CsvRecords, LookForSeparatorsOutsideOfQuotesOnly) {
  EXPECT_EQ(separator_of("\"a,b,c\";d\n"), ';');
  EXPECT_EQ(separator_of("\"a,\"\",\"\",\";\"d\n,,\"\n"), ';');
  EXPECT_EQ(separator_of("5\" pipe;\"a,b\"\n"), ';');
}

TEST(CsvRecords, TakeTabsAtTheEndOfAHeaderForBlanks) {
  EXPECT_EQ(separator_of(" x \t\n1\n"), ',');
  EXPECT_EQ(separator_of("x , y\t\t\n"), ',');
  EXPECT_EQ(separator_of("\tx\n0\t1\n"), '\t');
}

TEST(CsvRecords, ReadTheSameTableInEveryDialect) {
  EXPECT_EQ(read_records("x,y\n1.5,2\n-3,4.25\n"), halves);
  EXPECT_EQ(read_records("x;y\n1.5;2\n-3;4.25\n"), halves);
  EXPECT_EQ(read_records("x;y\r\n1,5;2\r\n-3;4,25\r\n"), halves);
  EXPECT_EQ(read_records("\xef\xbb\xbfx\ty\n1.5\t2\n-3\t4.25\n"), halves);
  EXPECT_EQ(read_records("x\tnote\ty\n 1,5 \t a,b;c \t2\n-3\t\t\"4,25\"\n"), halves);
}

TEST(CsvRecords, KeepEmptyFieldsBetweenTabs) {
  EXPECT_EQ(read_records("x\tnote\tother\ty\n1.5\t\t\t2\n-3\t\t\t4.25\n"), halves);
  EXPECT_EQ(record_refusal("x\ty\n1\t\n"),
            "data: 't.csv', line 2, column 'y': missing value; missing values are refused, remove the row or "
            "fill it");
}

TEST(CsvRecords, TakeCommasForDecimalWhereTheySeparateNothing) {
  EXPECT_EQ(
      record_refusal("x,y\n\"1,5\",2\n"),
      "data: 't.csv', line 2, column 'x': must be a number, got '1,5'; write plain numbers: 1.5, not '1,5'");
  EXPECT_EQ(read_records("x;y\n1,5e3;+,5\n"), (Matrix{{1500, 0.5}}));
  for (const std::string text : {"1,2,3", "1.234,5", "1,234.5", ",", "1 234,5"})
    EXPECT_TRUE(
        record_refusal("x;y\n" + text + ";2\n")
            .starts_with("data: 't.csv', line 2, column 'x': must be a number, got '" + text + "'; "));
}

// Where commas are decimal, 1.234 may well mean one thousand two hundred and thirty-four.
TEST(CsvRecords, RefuseDecimalCommasAndPointsInOneTable) {
  const std::string complaint =
      "a number with a decimal point, where line 2, column 'x', has one with a decimal comma; use one of "
      "them, "
      "and no mark between thousands";
  EXPECT_EQ(record_refusal("x;y\n1,5;2\n3;15\n1.234;3\n"), "data: 't.csv', line 4, column 'x': " + complaint);
  EXPECT_EQ(record_refusal("x;y\n1,5;775\n-3;2.143\n"), "data: 't.csv', line 3, column 'y': " + complaint);
}

TEST(CsvRecords, CountLinesAndFieldsInEveryDialect) {
  EXPECT_EQ(record_refusal("x;y\n1;2\n3\n"),
            "data: 't.csv', line 3: 1 field, but the header has 2; correct the row, and put text that has a "
            "';' in quotes");
  EXPECT_EQ(record_refusal("x\ty\n1\t2\n\n3\t4\n"),
            "data: 't.csv', line 3: blank line between rows; remove it, or fill in its values");
  EXPECT_EQ(record_refusal("x;y\n1;\"2\n"),
            "data: 't.csv', line 2: unclosed quote in field 2; add the quote that closes it, or take it out");
}

TEST(CsvRecords, KeepEachRecordAsItWasWritten) {
  std::istringstream stream("\xef\xbb\xbfx;\"a\"\r\n 1,5 ;\"b\"\"\r\nc\" \r\n;");
  CsvRecords records(stream);
  records.read_header();
  EXPECT_EQ(records.record(), "x;\"a\"");
  EXPECT_EQ(records.fields(), (Names{"x", "a"}));
  ASSERT_TRUE(records.next_row());
  EXPECT_EQ(records.record(), " 1,5 ;\"b\"\"\nc\" ");
  EXPECT_EQ(records[1], "b\"\nc");
  ASSERT_TRUE(records.next_row());
  EXPECT_EQ(records.record(), ";");
  EXPECT_FALSE(records.next_row());
}

TEST(CsvField, ReadsBackInEveryDialect) {
  EXPECT_EQ(csv_field("co2 ppm"), "co2 ppm");
  for (const std::string name : {"a,b", "a;b", "a\tb", "a\"b", "a\nb"})
    for (const std::string separator : {",", ";", "\t"})
      EXPECT_EQ(read_records("x" + separator + csv_field(name) + separator + "z" + separator + "z\n1" +
                                 separator + "2" + separator + separator + "\n",
                             {"x", name}),
                (Matrix{{1, 2}}));
}

}  // namespace
}  // namespace ridgelet
