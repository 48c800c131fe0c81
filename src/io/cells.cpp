#include "ridgelet/io/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

namespace {

/// A number with a decimal point.
Cell read_point_number(std::string_view text) {
  const bool plus = text.starts_with('+') && !text.starts_with("+-");
  const char *begin = text.data() + (plus ? 1 : 0), *end = text.data() + text.size();
  double value = 0;
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error == std::errc::invalid_argument || rest != end) return {.kind = Cell::Kind::text};
  if (std::isnan(value)) return {.kind = Cell::Kind::missing};
  if (error == std::errc::result_out_of_range || std::isinf(value)) return {.kind = Cell::Kind::out_of_range};
  const bool point = text.find('.') != std::string_view::npos;
  return {.kind = Cell::Kind::number, .value = value, .decimal_mark = point ? '.' : '\0'};
}

}  // namespace

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 6> words = {"", "na", "n/a", "nan", "null", "none"};
  constexpr std::size_t longest_word = 4;
  if (text.size() > longest_word) return false;
  const auto same = [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b); };
  return std::ranges::any_of(words, [&](auto word) { return std::ranges::equal(text, word, same); });
}

Cell read_cell(std::string_view text, bool decimal_commas) {
  if (is_missing(text)) return {.kind = Cell::Kind::missing};
  const std::size_t comma = decimal_commas ? text.find(',') : std::string_view::npos;
  if (comma == std::string_view::npos) return read_point_number(text);
  if (text.find('.') != std::string_view::npos) return {.kind = Cell::Kind::text};
  std::string with_point(text);
  with_point[comma] = '.';
  Cell cell = read_point_number(with_point);
  cell.decimal_mark = ',';
  return cell;
}

std::string range_complaint(std::string_view text) {
  return fmt::format(
      "must be finite and within the range of a double, got '{}'; correct it, or leave the row out",
      shown(text));
}

std::string another_mark(char mark, Index other_line, const std::string& other_column) {
  return fmt::format(
      "a number with a decimal {}, where line {}, column '{}', has one with a decimal {}; use one of them, "
      "and no mark "
      "between thousands",
      mark == '.' ? "point" : "comma", other_line, shown(other_column), mark == '.' ? "comma" : "point");
}

void DecimalMarks::add(const Cell& cell, Index line, const std::string& column) {
  if (cell.kind == Cell::Kind::number) add(cell.decimal_mark, line, column);
}

void DecimalMarks::join(const DecimalMarks& later) {
  add(later.mark_, later.line_, later.column_);
}

void DecimalMarks::add(char mark, Index line, const std::string& column) {
  if (mark == 0 || mark == mark_) return;
  if (mark_ != 0) refuse_cell(line, column, another_mark(mark, line_, column_));
  mark_ = mark;
  line_ = line;
  column_ = column;
}

}  // namespace ridgelet
