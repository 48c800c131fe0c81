/// The cells of a table as text: numbers with a decimal point or comma, missing values, and other texts.
#pragma once

#include <string>
#include <string_view>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// What stands in a cell.
struct Cell {
  enum class Kind { missing, number, out_of_range, text };
  Kind kind = Kind::missing;
  double value = 0;       ///< of a number
  char decimal_mark = 0;  ///< '.' or ',' where a number has one
};

/// An empty field, NA, N/A, NaN, null and none, in upper or lower case, are missing values.
bool is_missing(std::string_view text);

/// Numbers must be finite and within the range of a double: inf, 1e400 and 1e-400 are out of range.
Cell read_cell(std::string_view text, bool decimal_commas);

/// "must be finite and within the range of a double, got 'inf'; correct it, or leave the row out".
std::string range_complaint(std::string_view text);

/// For a point as `mark`: "a number with a decimal point, where line 2, column 'x', has one with a decimal comma; ...".
std::string another_mark(char mark, Index other_line, const std::string& other_column);

/// The decimal marks of a table, which must all be the same: 2.143 is another number where commas are decimal, be it in
/// the same column or in another.
class DecimalMarks {
 public:
  void add(const Cell& cell, Index line, const std::string& column);
  void join(const DecimalMarks& later);  ///< adds the marks of later rows
  char mark() const { return mark_; }    ///< 0 until there is one

 private:
  void add(char mark, Index line, const std::string& column);

  char mark_ = 0;
  Index line_ = 0;  ///< where it was first seen
  std::string column_ = {};
};

}  // namespace ridgelet
