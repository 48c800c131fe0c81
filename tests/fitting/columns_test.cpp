#include "ridgelet/fitting/columns.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using Names = std::vector<std::string>;

const ColumnEncoding colour{.name = "colour", .kind = ColumnKind::levels, .levels = {"blue", "green", "red"}};

TEST(ColumnEncoding, OfTextHasAnInputForEachLevel) {
  EXPECT_EQ(colour.width(), 3);
  EXPECT_EQ(colour.input_names(), (Names{"colour=blue", "colour=green", "colour=red"}));
  EXPECT_EQ(colour.place_of("blue"), 0);
  EXPECT_EQ(colour.place_of("red"), 2);
}

TEST(ResponseEncoding, KnowsAClassThatIsANumberHoweverItIsWritten) {
  const ResponseEncoding numbers{.column = "y", .levels = {"-1", "0", "2.50"}};
  for (const char* text : {"0", "0.0", "-0", "+0", "0,0", "0e5"})
    EXPECT_EQ(numbers.place_of(text), 1) << text;
  for (const char* text : {"2.5", "2.50", "2,5", "25e-1"}) EXPECT_EQ(numbers.place_of(text), 2) << text;
  for (const char* text : {"1", "2.500001", "", "nan", "zero", "0 ", "1e999"})
    EXPECT_EQ(numbers.place_of(text), std::nullopt) << text;
}

TEST(ResponseEncoding, TakesNumbersForTextWhereAnotherClassIsText) {
  const ResponseEncoding texts{.column = "y", .levels = {"0", "1", "1.0", "none"}};
  EXPECT_EQ(texts.place_of("1.0"), 2);
  EXPECT_EQ(texts.place_of("0.0"), std::nullopt);
}

TEST(ColumnEncoding, FindsNoPlaceForWhatIsNoLevel) {
  for (const char* text : {"", "Blue", "gree", "greener", "purple"})
    EXPECT_EQ(colour.place_of(text), std::nullopt);
}

TEST(ColumnEncoding, OfNumbersAndDatesIsOneInputOfTheSameName) {
  for (const ColumnKind kind : {ColumnKind::number, ColumnKind::date}) {
    const ColumnEncoding column{.name = "when", .kind = kind};
    EXPECT_EQ(column.width(), 1);
    EXPECT_EQ(column.input_names(), Names{"when"});
  }
}

TEST(TableEncoding, CountsAndNamesTheInputsOfAllColumnsInTheirOrder) {
  const TableEncoding encoding{
      .inputs = {{.name = "area"}, colour, {.name = "sold", .kind = ColumnKind::date}},
      .outputs = {{"price", ResponseTransform::log}, {"days"}}};
  EXPECT_EQ(encoding.width(), 5);
  EXPECT_EQ(encoding.input_names(), (Names{"area", "colour=blue", "colour=green", "colour=red", "sold"}));
  EXPECT_EQ(encoding.output_names(), (Names{"log(price)", "days"}));
}

TEST(TableEncoding, IsWrittenALineForEachColumn) {
  const TableEncoding encoding{.inputs = {{.name = "dark \"area\""},
                                          {"sold", ColumnKind::date},
                                          {"a\\b", ColumnKind::levels, {"", "\xc3\xa4\n"}}},
                               .outputs = {{"price", ResponseTransform::log}, {"y"}}};
  EXPECT_EQ(to_text(encoding),
            "input number \"dark \\\"area\\\"\"\n"
            "input date \"sold\"\n"
            "input levels \"a\\\\b\" \"\" \"\\xc3\\xa4\\x0a\"\n"
            "output log \"price\"\n"
            "output none \"y\"\n");
  EXPECT_EQ(parse_table_encoding(to_text(encoding)), encoding);
}

TEST(TableEncoding, ReadsBackWhateverBytesItsNamesHave) {
  EXPECT_TRUE(rc::check("parse_table_encoding undoes to_text", [] {
    TableEncoding encoding;
    for (int columns = *rc::gen::inRange(0, 4); columns > 0; --columns) {
      ColumnEncoding column{
          .name = *rc::gen::arbitrary<std::string>(),
          .kind = *rc::gen::element(ColumnKind::number, ColumnKind::date, ColumnKind::levels)};
      if (column.kind == ColumnKind::levels) column.levels = *rc::gen::arbitrary<Names>();
      encoding.inputs.push_back(column);
    }
    encoding.outputs.push_back({*rc::gen::arbitrary<std::string>(),
                                *rc::gen::element(ResponseTransform::none, ResponseTransform::log)});
    RC_ASSERT(parse_table_encoding(to_text(encoding)) == encoding);
  }));
}

TEST(TableEncoding, RefusesTextThatIsCutOffOrChanged) {
  const std::string text = to_text({.inputs = {colour}, .outputs = {{"price", ResponseTransform::log}}});
  const std::size_t first_line = text.find('\n') + 1;
  for (std::size_t length = 1; length < text.size(); ++length) {
    const std::string complaint = complaint_of([&] { parse_table_encoding(text.substr(0, length)); });
    EXPECT_EQ(complaint.starts_with("encoding: cannot be read"), length != first_line) << length;
  }
  for (const char* bad :
       {"inputs number \"x\"\n", "input word \"x\"\n", "input number x\n", "output exp \"y\"\n",
        "input number \"\\y\"\n", "input number \"\\x4\"\n", "input number \"x\" \n", "\n"})
    EXPECT_NE(complaint_of([&] { parse_table_encoding(bad); }), "") << bad;
}

TEST(DaysSince1970, CountsDaysOfTheGregorianCalendar) {
  EXPECT_EQ(days_since_1970("1970-01-01"), 0);
  EXPECT_EQ(days_since_1970("1970-01-02"), 1);
  EXPECT_EQ(days_since_1970("1969-12-31"), -1);
  EXPECT_EQ(days_since_1970("2000-03-01"), 11017);
  EXPECT_EQ(days_since_1970("2024-01-31"), 19753);
  EXPECT_EQ(*days_since_1970("2024-03-01") - *days_since_1970("2024-02-28"), 2);
  EXPECT_EQ(*days_since_1970("1900-03-01") - *days_since_1970("1900-02-28"), 1);
}

TEST(DaysSince1970, TakesAMonthForItsFirstDay) {
  for (const char* month : {"1970-01", "2015-01", "2024-02", "2024-12"})
    EXPECT_EQ(days_since_1970(month), days_since_1970(std::string(month) + "-01")) << month;
  EXPECT_EQ(days_since_1970("2024-01"), 19723);
}

TEST(DaysSince1970, AddsTheTimeOfDayAsAPartOfADay) {
  EXPECT_EQ(days_since_1970("2024-01-31T12:00"), 19753.5);
  EXPECT_EQ(days_since_1970("2024-01-31 06:00"), 19753.25);
  EXPECT_EQ(days_since_1970("2024-01-31T12:00:00Z"), 19753.5);
  EXPECT_DOUBLE_EQ(*days_since_1970("1970-01-01T12:30:00"), 12.5 / 24);
  EXPECT_DOUBLE_EQ(*days_since_1970("1970-01-01 00:00:01.250"), 1.25 / 86400);
}

TEST(DaysSince1970, CarriesAnOffsetBackToUniversalTime) {
  EXPECT_EQ(days_since_1970("2024-01-31T12:00:00+00:00"), 19753.5);
  EXPECT_EQ(days_since_1970("2024-01-31 14:00+02:00"), 19753.5);
  EXPECT_EQ(days_since_1970("2024-01-31T00:00-06:00"), 19753.25);
}

TEST(DayText, IsTheDayOnWhichATimeLies) {
  EXPECT_EQ(day_text(19753.5), "2024-01-31");
  EXPECT_EQ(day_text(-0.25), "1969-12-31");
  for (const std::string day : {"1970-01-01", "2000-02-29", "0999-12-31"})
    EXPECT_EQ(day_text(*days_since_1970(day)), day);
}

TEST(DaysSince1970, KnowsNoOtherText) {
  for (const char* text : {"",
                           "2024",
                           "2024-1-31",
                           "2024-13",
                           "2024-00",
                           "2024-1",
                           "2024-",
                           "2024-01-",
                           "2024-01 ",
                           "2024-01T12:00",
                           "2024-01Z",
                           "2024-011",
                           "202401",
                           "2024-13-01",
                           "2023-02-29",
                           "2024-01-32",
                           "2024-00-10",
                           "31.01.2024",
                           "01/31/2024",
                           "2024-01-31T",
                           "2024-01-31T12",
                           "2024-01-31T24:00",
                           "2024-01-31T12:60",
                           "2024-01-31T12:30:60",
                           "2024-01-31T12:30:00.",
                           "2024-01-31T12:30z",
                           "2024-01-31T12:30 ",
                           "2024-01-31x12:30",
                           "2024-01-31T12:30+2",
                           "2024-01-31T12:30+02:00Z",
                           "x2024-01-31",
                           "-024-01-31",
                           "20240131"})
    EXPECT_EQ(days_since_1970(text), std::nullopt) << text;
}

TEST(ColumnEncoding, OfALogarithmIsNamedByItAndKeepsItsColumn) {
  const TableEncoding encoding{.inputs = {{"income", ColumnKind::logarithm}, {"age"}}, .outputs = {{"y"}}};
  EXPECT_EQ(encoding.input_names(), (std::vector<std::string>{"log(income)", "age"}));
  EXPECT_EQ(encoding.width(), 2);
  EXPECT_EQ(to_text(encoding), "input log \"income\"\ninput number \"age\"\noutput none \"y\"\n");
  EXPECT_EQ(parse_table_encoding(to_text(encoding)), encoding);
}

TEST(ColumnInLog, IsWhatStandsInTheParentheses) {
  EXPECT_EQ(column_in_log("log(price)"), "price");
  EXPECT_EQ(column_in_log("log( sale price )"), "sale price");
  EXPECT_EQ(column_in_log("log(a(b))"), "a(b)");
  for (const char* text :
       {"price", "log", "log()", "log( )", "log(price", "ln(price)", "log(price) ", "xlog(price)"})
    EXPECT_EQ(column_in_log(text), std::nullopt) << text;
}

}  // namespace
}  // namespace ridgelet
