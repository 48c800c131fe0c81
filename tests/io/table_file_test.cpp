#include "ridgelet/io/table_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "expectations.hpp"

namespace ridgelet {
namespace {

using testing::complaint_of;
using Names = std::vector<std::string>;

TableFile read(const std::string& text, const TableRequest& request = {.outputs = {"y"}}) {
  TableFile whole = read_table_text(text, "t.csv", request);
  for (const TileOptions& tiles : {TileOptions{1, 1}, TileOptions{2, 64}, TileOptions{3, 5}}) {
    const TableFile cut = read_table_text(text, "t.csv", request, tiles);
    EXPECT_EQ(cut.table.X, whole.table.X);
    EXPECT_EQ(cut.table.Y, whole.table.Y);
    EXPECT_EQ(cut.table.encoding, whole.table.encoding);
    EXPECT_EQ(cut.notes, whole.notes);
  }
  return whole;
}

std::string refusal(const std::string& text, const TableRequest& request = {.outputs = {"y"}}) {
  const std::string whole = complaint_of([&] { read_table_text(text, "t.csv", request); });
  for (const TileOptions& tiles : {TileOptions{1, 1}, TileOptions{2, 64}, TileOptions{3, 5}})
    EXPECT_EQ(complaint_of([&] { read_table_text(text, "t.csv", request, tiles); }), whole);
  return whole;
}

TEST(TableFile, TakesEveryOtherColumnForAnInputUnlessTheyAreNamed) {
  const TableFile all = read("a,y,b\n1,10,3\n2,20,5\n");
  EXPECT_EQ(all.table.inputs, (Names{"a", "b"}));
  EXPECT_EQ(all.table.outputs, Names{"y"});
  EXPECT_EQ(all.table.X, (Matrix{{1, 3}, {2, 5}}));
  EXPECT_EQ(all.table.Y, (Matrix{{10}, {20}}));
  EXPECT_EQ(all.notes, Names{});
  const TableFile named = read("a,y,b,c\n1,10,3,?\n2,20,5,!\n", {.inputs = {"b", "a"}, .outputs = {"y"}});
  EXPECT_EQ(named.table.inputs, (Names{"b", "a"}));
  EXPECT_EQ(named.table.X, (Matrix{{3, 1}, {5, 2}}));
}

TEST(TableFile, MakesAnInputOfEachLevelOfText) {
  const TableFile file = read("x,colour,y\n1,red,1\n2,blue,2\n3,red,3\n4,\"dark, green\",4\n");
  EXPECT_EQ(file.table.inputs, (Names{"x", "colour=blue", "colour=dark, green", "colour=red"}));
  EXPECT_EQ(file.table.X, (Matrix{{1, 0, 0, 1}, {2, 1, 0, 0}, {3, 0, 0, 1}, {4, 0, 1, 0}}));
  EXPECT_EQ(file.table.encoding.inputs[1].levels, (Names{"blue", "dark, green", "red"}));
}

TEST(TableFile, MakesDaysOfDates) {
  const TableFile file = read("sold;y\n1970-01-02;1,5\n2024-01-31T12:00:00Z;2,5\n2024-01-31 06:00;1\n");
  EXPECT_EQ(file.table.inputs, Names{"sold"});
  EXPECT_EQ(file.table.X, (Matrix{{1}, {19753.5}, {19753.25}}));
  EXPECT_EQ(file.table.Y, (Matrix{{1.5}, {2.5}, {1}}));
  EXPECT_EQ(file.table.encoding.inputs[0].kind, ColumnKind::date);
}

TEST(TableFile, LeavesOutColumnsWithNothingInThemAndNamesThem) {
  const TableFile file = read(",x,unit,empty,one,y\n0,1,cm,,1.0,3\n1,2,cm,NA,1,4\n");
  EXPECT_EQ(file.table.inputs, Names{"x"});
  EXPECT_EQ(file.notes,
            (Names{"the column without a name is left out", "column 'empty' is left out: no values",
                   "columns 'unit', 'one' are left out: the same value in every row"}));
  EXPECT_EQ(refusal("x,y\n1,2\n1,3\n"),
            "data: 't.csv': no column is left for an input beside the response, since none of the others "
            "varies; add one that does");
}

TEST(TableFile, RefusesAConstantColumnThatWasNamed) {
  const TableRequest request{.inputs = {"x"}, .outputs = {"y"}};
  EXPECT_EQ(refusal("x,y\n1,2\n1,3\n", request),
            "data: 't.csv', column 'x': is 1 in every row; leave it out of --x");
  EXPECT_EQ(refusal("x,y\n1,2\n2,2\n", request),
            "data: 't.csv', column 'y': is 2 in every row; there is nothing to learn");
  EXPECT_NE(refusal("x,y\n1,2\n", request).find("has one row"), std::string::npos);
}

TEST(TableFile, RefusesMissingValuesOfColumnsThatAreNeeded) {
  const std::string text = "x,z,y\n1,5,2\n2,,4\n3,7,NA\n";
  EXPECT_EQ(refusal(text),
            "data: 't.csv', line 3, column 'z': missing value; fill it, leave such rows out with --missing "
            "drop, or name "
            "the inputs with --x");
  EXPECT_EQ(
      refusal(text, {.inputs = {"x"}, .outputs = {"y"}}),
      "data: 't.csv', line 4, column 'y': missing value; fill it, leave such rows out with --missing drop");
}

TEST(TableFile, DropsRowsWithMissingValuesWhereThatIsWishedAndCountsThem) {
  const std::string text = "x,z,colour,y\n1,5,red,2\n2,,blue,4\n3,7,null,5\n4,8,red,NA\n5,9,green,1\n";
  const TableFile file = read(text, {.outputs = {"y"}, .missing = MissingValues::drop});
  EXPECT_EQ(file.table.X, (Matrix{{1, 5, 0, 1}, {5, 9, 1, 0}}));
  EXPECT_EQ(file.table.inputs, (Names{"x", "z", "colour=green", "colour=red"}));
  EXPECT_EQ(file.dropped, 3);
  EXPECT_EQ(file.notes, Names{});
  const TableFile one = read(text, {.inputs = {"x"}, .outputs = {"y"}, .missing = MissingValues::drop});
  EXPECT_EQ(one.table.X.rows(), 4);
  EXPECT_NE(refusal("x,z,y\n1,,2\n3,,3\n,1,5\n,2,6\n", {.outputs = {"y"}, .missing = MissingValues::drop})
                .find("every row"),
            std::string::npos);
}

TEST(TableFile, LeavesOutWhatIsConstantInTheRowsThatAreLeft) {
  const TableFile file =
      read("x,unit,y\n1,cm,2\n2,cm,4\n,inch,5\n", {.outputs = {"y"}, .missing = MissingValues::drop});
  EXPECT_EQ(file.table.inputs, Names{"x"});
  EXPECT_EQ(file.table.X, (Matrix{{1}, {2}}));
  EXPECT_EQ(file.notes.back(), "column 'unit' is left out: the same value in every row that is left");
}

TEST(TableFile, TakesTextAmongNumbersForAMistake) {
  EXPECT_EQ(refusal("x,y\n1,2\n1.5x,3\n2,4\n"),
            "data: 't.csv', line 3, column 'x': must be a number, as most of its column is, got '1.5x'; "
            "correct it, leave the row out, or name the inputs with --x, without this column");
  EXPECT_EQ(refusal("x,y\n2024-01-01,2\n2024-01-02,3\n5,4\n"),
            "data: 't.csv', line 4, column 'x': must be a date, as most of its column is, got '5'; correct "
            "it, leave the row out, or name the inputs with --x, without this column");
  EXPECT_EQ(read("x,y\na,1\nb,2\n1,3\nb,4\n").table.inputs, (Names{"x=1", "x=a", "x=b"}));
}

TEST(TableFile, RefusesTextThatIdentifiesTheRows) {
  std::string names = "name,x,y\n", many = names;
  for (int i = 0; i < 12; ++i)
    names += "n" + std::to_string(i) + "," + std::to_string(i * i) + "," + std::to_string(i) + "\n";
  for (int i = 0; i < 300; ++i)
    many += "n" + std::to_string(i % 101) + "," + std::to_string(i * i) + "," + std::to_string(i) + "\n";
  EXPECT_EQ(refusal(names),
            "data: 't.csv', column 'name': has 12 different texts in 12 rows, such as 'n0', too many for "
            "inputs of their "
            "own; name the inputs with --x, without it");
  EXPECT_EQ(refusal(names, {.inputs = {"name"}, .outputs = {"y"}}), "");
  const std::string too_many =
      "data: 't.csv', column 'name': has more than 100 different texts, such as 'n0', too many for inputs of "
      "their own; "
      "name the inputs with --x, without it";
  EXPECT_EQ(refusal(many), too_many);
  EXPECT_EQ(refusal(many, {.inputs = {"name"}, .outputs = {"y"}}), too_many);
  EXPECT_EQ(read(many, {.outputs = {"y"}, .most_levels = 101}).table.X.cols(), 102);
}

const TableRequest text_is_classes{.outputs = {"y"}, .classes = TableRequest::Classes::of_text};

/// A table of 12 rows whose column `y` has these cells in turn.
std::string with_responses(const Names& cells) {
  std::string text = "x,y\n";
  for (std::size_t i = 0; i < 12; ++i)
    text += std::to_string(i * i) + ",\"" + cells[i % cells.size()] + "\"\n";
  return text;
}

TEST(TableFile, RefusesNumbersWithMarksAsResponsesAndInputsAndSaysHowToWriteThem) {
  const std::vector<std::pair<std::string, std::string>> marked = {
      {"1,200", "1200"},        {"-1,234,567.5", "-1234567.5"},
      {"1.234.567", "1234567"}, {"1 200", "1200"},
      {"1'200", "1200"},        {"$1200", "1200"},
      {"-$ 3.5", "-3.5"},       {"€ 1.200,50", "1200.50"},
      {"1200 €", "1200"},       {"12%", "12"},
      {"12.5 %", "12.5"},       {"35 kg", "35"},
      {"1,5", "1.5"},           {"\u22125", "-5"}};
  for (const auto& [cell, plain] : marked) {
    const std::string table = with_responses({cell, "7%"});
    const std::string complaint = "is a number with marks; write plain numbers: " + plain + ", not '" + cell +
                                  "', or begin each with a letter if it is a name";
    EXPECT_EQ(refusal(table, text_is_classes), "data: 't.csv', line 2, column 'y': " + complaint);
    EXPECT_EQ(refusal(table, {.inputs = {"y"}, .outputs = {"x"}}),
              "data: 't.csv', line 2, column 'y': " + complaint);
    EXPECT_EQ(refusal(table), "data: 't.csv', line 2, column 'y': " + complaint);
  }
}

TEST(TableFile, RefusesDatesOfAnotherFormAsInputsAndSaysHowToWriteThem) {
  for (const char* cell :
       {"31.01.2024", "1.2.2024", "01/31/2024", "1/31/24", "2024/1/31", "31-01-2024", "31.01.2024 14:05"}) {
    const std::string complaint = refusal(with_responses({cell, "30.11.2023"}), {.outputs = {"x"}});
    EXPECT_EQ(complaint,
              std::string("data: 't.csv', line 2, column 'y': is read as a text, of which every one "
                          "becomes an input; write dates as 2024-01-31, not '") +
                  cell + "', or name the inputs with --x, without this column");
  }
  EXPECT_TRUE(refusal(with_responses({"14:05", "7:30:15"}), {.outputs = {"x"}})
                  .find("write times of day as numbers of hours, such as 14.5, not '14:05'") !=
              std::string::npos);
}

TEST(TableFile, RefusesANumberOutOfRangeAmongEqualOnes) {
  EXPECT_EQ(
      refusal("x,z,y\n1e400,1,1\n2,3,3\n2,4,5\n", {.outputs = {"y"}}),
      "data: 't.csv', line 2, column 'x': must be finite and within the range of a double, got '1e400'; "
      "correct it, or leave the row out");
}

TEST(TableFile, RefusesNumbersWithMarksAmongPlainOnes) {
  const std::string table = with_responses({"999", "1,200", "n/a?"});
  EXPECT_TRUE(refusal(table).starts_with("data: 't.csv', line 3, column 'y': is a number with marks"));
  EXPECT_TRUE(refusal(table, {.outputs = {"x"}})
                  .starts_with("data: 't.csv', line 3, column 'y': is a number with marks"));
}

TEST(TableFile, TakesTextWithDigitsForClassesAndLevels) {
  for (const Names& levels :
       {Names{"A1", "B2"}, Names{"2020-Q1", "2020-Q2"}, Names{"10-20", "20-30"}, Names{"1st", "2nd"},
        Names{"1.2.3", "1.2.4"}, Names{"4x4", "4x2"}, Names{"+", "-"}, Names{"$", "$$"}, Names{"<5", ">5"},
        Names{"12,", "13,"}, Names{"1 of 3", "2 of 3"}, Names{"5%", "low", "high"}}) {
    EXPECT_EQ(read(with_responses(levels), text_is_classes).table.encoding.outputs[0].levels.size(),
              levels.size())
        << levels[0];
    EXPECT_EQ(read(with_responses(levels), {.outputs = {"x"}}).table.X.cols(),
              static_cast<Index>(levels.size()))
        << levels[0];
  }
}

TEST(TableFile, RefusesClassesThatIdentifyTheRowsUnlessTheyAreAskedFor) {
  Names ids;
  for (int i = 0; i < 12; ++i) ids.push_back("id" + std::to_string(i));
  EXPECT_EQ(
      refusal(with_responses(ids), text_is_classes),
      "data: 't.csv', column 'y': has 12 different texts in 12 rows, such as 'id0', too many for classes; "
      "name another response with --y, or add --likelihood categorical if these are classes");
  const TableRequest asked{.outputs = {"y"}, .classes = TableRequest::Classes::always};
  EXPECT_EQ(read(with_responses(ids), asked).table.encoding.outputs[0].levels.size(), 12u);
  EXPECT_EQ(read(with_responses({"5%", "10%"}), asked).table.encoding.outputs[0].levels,
            (Names{"10%", "5%"}));
  ids.resize(6);
  EXPECT_EQ(read(with_responses(ids), text_is_classes).table.encoding.outputs[0].levels.size(), 6u);
}

TEST(TableFile, HasOneClassForEachNumberHoweverItIsWritten) {
  const TableRequest asked{.outputs = {"y"}, .classes = TableRequest::Classes::always};
  const TableFile mixed = read(with_responses({"0", "1.0", "0.0", "1", "1.00"}), asked);
  EXPECT_EQ(mixed.table.encoding.outputs[0].levels, (Names{"0", "1"}));
  EXPECT_EQ(mixed.table.Y, Matrix(Vector{{0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1}}));
  const TableFile alike = read(with_responses({"10.0", "2.0", "10.0"}), asked);
  EXPECT_EQ(alike.table.encoding.outputs[0].levels, (Names{"2.0", "10.0"}));
  const TableFile commas = read("x;y\n1;0,5\n2;1\n3;1,0\n4;0,50\n", asked);
  EXPECT_EQ(commas.table.encoding.outputs[0].levels, (Names{"0,5", "1"}));
  EXPECT_EQ(commas.table.Y, (Matrix{{0}, {1}, {1}, {0}}));
}

TEST(TableFile, HasAClassAndALevelForEachTextWhereNotAllAreNumbers) {
  const TableRequest asked{.outputs = {"y"}, .classes = TableRequest::Classes::always};
  const Names texts = {"1", "1.0", "high", "low"};
  EXPECT_EQ(read(with_responses(texts), asked).table.encoding.outputs[0].levels, texts);
  EXPECT_EQ(read(with_responses(texts), {.outputs = {"x"}}).table.encoding.inputs[0].levels, texts);
}

TEST(TableFile, RefusesTextThatIsNotUtf8AsInputAndResponse) {
  const std::string complaint =
      "is not UTF-8, got 'K?ln'; convert the file: iconv -f latin1 -t utf-8 in.csv > out.csv";
  const std::string table = with_responses({"Bonn", "K\xf6ln"});
  EXPECT_EQ(refusal(table, {.outputs = {"x"}}), "data: 't.csv', line 3, column 'y': " + complaint);
  EXPECT_EQ(refusal(table, text_is_classes), "data: 't.csv', line 3, column 'y': " + complaint);
  for (const std::string wrong :
       {"\xc0\x80", "\xed\xa0\x80", "\xe2\x88", "\xf5\x80\x80\x80", "\xf0\x8f\xbf\xbf"})
    EXPECT_NE(refusal(with_responses({"a", wrong}), text_is_classes), "");
  const Names right = {"K\xc3\xb6ln", "\xc2\x80", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
  EXPECT_EQ(read(with_responses(right), text_is_classes).table.encoding.outputs[0].levels.size(), 4u);
}

TEST(TableFile, RefusesAResponseThatIsNotANumberWithItsLine) {
  EXPECT_EQ(refusal("x,y\n1,a\n2,b\n"),
            "data: 't.csv', line 2, column 'y': must be a number, got 'a'; correct it, or leave the row out");
  EXPECT_EQ(refusal("x,y\n1,2\n2,2024-01-31\n"),
            "data: 't.csv', line 3, column 'y': must be a number, got '2024-01-31'; correct it, or leave the "
            "row out");
  EXPECT_EQ(refusal("x,y\n1,2\n2,inf\n"),
            "data: 't.csv', line 3, column 'y': must be finite and within the range of a double, got 'inf'; "
            "correct it, or leave the row out");
  EXPECT_EQ(refusal("x,y\n1,2\n1e400,3\n2,3\n"),
            "data: 't.csv', line 3, column 'x': must be finite and within the range of a double, got "
            "'1e400'; correct it, or leave the row out");
}

TEST(TableFile, FitsTheLogarithmOfAResponse) {
  const TableFile file = read("x,price\n1,10\n2,100\n", {.outputs = {"log(price)"}});
  EXPECT_EQ(file.table.outputs, Names{"log(price)"});
  EXPECT_EQ(file.table.inputs, Names{"x"});
  EXPECT_EQ(file.table.Y, (Matrix{{std::log(10.0)}, {std::log(100.0)}}));
  EXPECT_EQ(file.table.encoding.outputs, (std::vector<ResponseEncoding>{{"price", ResponseTransform::log}}));
}

TEST(TableFile, PrefersAColumnThatIsItselfCalledALogarithm) {
  const TableFile file = read("x,price,log(price)\n1,10,5\n2,100,6\n", {.outputs = {"log(price)"}});
  EXPECT_EQ(file.table.Y, (Matrix{{5}, {6}}));
  EXPECT_EQ(file.table.inputs, (Names{"x", "price"}));
  EXPECT_EQ(file.table.encoding.outputs[0].transform, ResponseTransform::none);
}

TEST(TableFile, RefusesTheLogarithmOfWhatIsNotPositive) {
  for (const std::string value : {"0", "-1", "-0.0"})
    EXPECT_EQ(refusal("x,price\n1,10\n2," + value + "\n", {.outputs = {"log(price)"}}),
              "data: 't.csv', line 3, column 'price': must be positive for log(price), got '" + value + "'");
}

TEST(TableFile, RefusesResponsesThatAreNotThereOrTwice) {
  EXPECT_EQ(refusal("x,price\n1,2\n", {.outputs = {"log(pric)"}}),
            "data: 't.csv', line 1: no column 'pric'; the columns are x, price; did you mean 'price'?");
  EXPECT_EQ(refusal("x,y\n1,2\n", {.inputs = {"x"}, .outputs = {"x"}}),
            "y: 'x' is an input already; name another column");
  EXPECT_EQ(refusal("x,y\n1,2\n", {.inputs = {"y"}, .outputs = {"log(y)"}}),
            "y: 'y' is an input already; name another column");
  EXPECT_EQ(refusal("x,y\n1,2\n", {.outputs = {"y", "log(y)"}}), "y: 'y' is listed twice");
  EXPECT_EQ(refusal("x,x,y\n1,2,3\n"),
            "data: 't.csv', line 1, column 'x': stands in the header more than once; give each column a name "
            "of its own");
  EXPECT_EQ(refusal("x,y\n1,2\n", {}), "y: must name at least one column, got none");
}

TEST(TableFile, SuggestsNeitherTheResponseForAnInputNorAnyNameForAShortOne) {
  EXPECT_EQ(refusal("x,price\n1,2\n", {.inputs = {"prices"}, .outputs = {"price"}}),
            "data: 't.csv', line 1: no column 'prices'; the columns are x, price");
  EXPECT_EQ(refusal("x,y\n1,2\n", {.inputs = {"t"}, .outputs = {"y"}}),
            "data: 't.csv', line 1: no column 't'; the columns are x, y");
  EXPECT_EQ(refusal("x,x2,y\n1,2,3\n", {.inputs = {"X2"}, .outputs = {"y"}}),
            "data: 't.csv', line 1: no column 'X2'; the columns are x, x2, y; did you mean 'x2'?");
}

TEST(TableFile, GivesEveryColumnOfALongTableItsRows) {
  std::string text = "colour,x,y\n";
  for (int i = 0; i < 5000; ++i)
    text +=
        std::string(i % 2 == 0 ? "red" : "blue") + "," + std::to_string(i) + "," + std::to_string(-i) + "\n";
  const RegressionTable table = read(text).table;
  EXPECT_EQ(table.X.col(2), Vector::LinSpaced(5000, 0, 4999));
  EXPECT_EQ(table.X.col(0) + table.X.col(1), Vector::Ones(5000));
  EXPECT_EQ(table.X.col(1).sum(), 2500);
  EXPECT_EQ(table.Y.col(0), -table.X.col(2));
}

TEST(MissingValues, AreReadFromTheirNames) {
  EXPECT_EQ(parse_missing_values("refuse"), MissingValues::refuse);
  EXPECT_EQ(parse_missing_values("drop"), MissingValues::drop);
  EXPECT_EQ(complaint_of([] { parse_missing_values("dorp"); }),
            "missing: must be one of refuse, drop, got 'dorp'; did you mean 'drop'?");
}

}  // namespace
}  // namespace ridgelet
