#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <sstream>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/io/csv.hpp"

namespace ridgelet {
namespace {

using Names = std::vector<std::string>;

/// Any finite double, each exponent as likely as another: subnormals, both zeros and the largest among them.
double any_double() {
  const auto bits = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  const auto exponent = static_cast<std::uint64_t>(*rc::gen::inRange(0, 0x7ff));
  const double value = std::bit_cast<double>((bits & ~(0x7ffull << 52)) | exponent << 52);
  return *rc::gen::inRange(0, 20) == 0 ? std::copysign(0.0, value) : value;
}

/// The bytes that steer a CSV reader come up as often as all others together.
char any_byte() {
  using namespace std::string_literals;
  const std::string steering = ",,\"\"\n\n\r 1-+.eEnai\xef\xbb\xbf;\t\0"s;
  if (*rc::gen::arbitrary<bool>()) return *rc::gen::elementOf(steering);
  return static_cast<char>(*rc::gen::inRange(0, 256));
}

std::string any_text(int longest) {
  std::string text;
  for (int size = *rc::gen::inRange(0, longest); size > 0; --size) text.push_back(any_byte());
  return text;
}

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

bool is_one_line(const std::string& message) {
  return message.size() < 2000 && message.find_first_of("\n\r") == std::string::npos;
}

/// True if the text is read as a table of finite numbers, or refused in one line about the data.
bool is_read_or_refused(const std::string& text, const Names& columns) {
  std::istringstream stream(text);
  try {
    const CsvTable table = read_csv(stream, "t.csv", columns);
    return table.header == columns && table.values.cols() == static_cast<Index>(columns.size()) &&
           table.values.rows() > 0 && table.values.allFinite();
  } catch (const InvalidArgument& error) {
    return error.argument() == "data" && error.complaint().starts_with("'t.csv'") &&
           is_one_line(error.what());
  }
}

/// Flips, inserts, removes and doubles pieces of a text.
void mutate(std::string& text) {
  const auto at = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(text.size()) + 1));
  const auto length = static_cast<std::size_t>(*rc::gen::inRange(0, 9));
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      if (at < text.size()) text[at] = any_byte();
      break;
    case 1:
      text.insert(at, any_text(9));
      break;
    case 2:
      text.erase(at, length);
      break;
    default:
      text.insert(at, text.substr(at, length));
  }
}

TEST(CsvFuzz, ReadsBackWhatWasWrittenToTheLastBit) {
  EXPECT_TRUE(rc::check("read_csv(write_csv(values)) has the same bits", [] {
    Matrix values(*rc::gen::inRange(1, 20), *rc::gen::inRange(1, 5));
    for (double& value : values.reshaped()) value = any_double();
    const Names header = {"a", "b", "c", "d"};
    const Names columns(header.begin(), header.begin() + values.cols());
    std::stringstream stream;
    write_csv(stream, columns, values);
    const CsvTable table = read_csv(stream, "t.csv", columns);
    RC_ASSERT(table.values.rows() == values.rows());
    for (Index i = 0; i < values.size(); ++i)
      RC_ASSERT(std::bit_cast<std::uint64_t>(table.values.data()[i]) ==
                std::bit_cast<std::uint64_t>(values.data()[i]));
  }));
}

TEST(CsvFuzz, ReadsAnyTextInQuotesAsOneField) {
  EXPECT_TRUE(rc::check("a quoted text leaves the column after it where it was", [] {
    std::string text = any_text(60);
    std::erase(text, '\0');
    std::istringstream stream("note,x\n" + in_quotes(text) + ",7\n" + in_quotes(text) + " ,8");
    const Matrix values = read_csv(stream, "t.csv", {"x"}).values;
    RC_ASSERT(values.rows() == 2);
    RC_ASSERT(values(0) == 7 && values(1) == 8);
  }));
}

TEST(CsvFuzz, ReadsOrRefusesRandomBytes) {
  EXPECT_TRUE(rc::check("random bytes after a header", [] {
    const std::string header = *rc::gen::element<std::string>("", "x", "x\n", "x,y\n1,2\n", "\"x\",y\r\n");
    RC_ASSERT(is_read_or_refused(header + any_text(200), {"x"}));
  }));
}

TEST(CsvFuzz, ReadsOrRefusesAMutatedTable) {
  const std::string table =
      "\xef\xbb\xbfx,\"na\"\"me\",y\r\n1.5,\"a, b\",-2e-3\r\n+4,\"c\nd\",5\n6 , e , 7\n\n";
  ASSERT_TRUE(is_read_or_refused(table, {"y", "x"}));
  EXPECT_TRUE(rc::check("a valid table after a few changes", [&] {
    std::string text = table;
    for (int changes = *rc::gen::inRange(1, 6); changes > 0; --changes) mutate(text);
    RC_ASSERT(is_read_or_refused(text, {"y", "x"}));
  }));
}

TEST(CsvFuzz, SplitsAnyListThatQuotesItsNames) {
  EXPECT_TRUE(rc::check("split_columns undoes quoting", [] {
    std::string first = "a" + any_text(30) + "z";
    std::erase(first, '\0');
    std::erase(first, '\r');
    const Names names = {first, "b", "c, d"};
    RC_ASSERT(split_columns(in_quotes(first) + ", b ," + in_quotes("c, d")) == names);
  }));
}

TEST(CsvFuzz, SplitsOrRefusesRandomLists) {
  EXPECT_TRUE(rc::check("split_columns of random bytes", [] {
    const std::string list = any_text(40);
    try {
      for (const std::string& name : split_columns(list)) RC_ASSERT(!name.empty());
    } catch (const InvalidArgument& error) {
      RC_ASSERT(error.argument() == "columns" && is_one_line(error.what()));
    }
  }));
}

}  // namespace
}  // namespace ridgelet
