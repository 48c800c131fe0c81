/// How the columns of a person's table become numbers, and how predictions return to a person's units.
///
/// | column                     | becomes                                                             |
/// |----------------------------|---------------------------------------------------------------------|
/// | numbers                    | one input, unchanged                                                |
/// | `log(income)`              | one input, the logarithm of `income`, which must be positive        |
/// | dates, `2024-01-31T12:30Z` | one input, days since 1970-01-01                                    |
/// | text, `red`, `blue`        | an input `colour=blue`, `colour=red`, ... for each level, 1 or 0    |
/// | the response `log(price)`  | the logarithm of `price`; predictions are of `price`                |
/// | a response of classes      | the place of its class among the levels, from 0; where all levels   |
/// |                            | are numbers, 1 and 1.0 are one class                                |
///
/// An encoding is found once, from the table of a fit, and is kept with the fit: later tables are read through it. It
/// is plain data, and to_text() and parse_table_encoding() carry it through a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridgelet/core/types.hpp"
#include "ridgelet/network/response_transform.hpp"

namespace ridgelet {

enum class ColumnKind { number, logarithm, date, levels };

/// One column of a table, and the inputs that it becomes.
struct ColumnEncoding {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  std::vector<std::string> levels = {};  ///< sorted, without repeats; for text only

  /// Number of inputs: one, or one for each level.
  Index width() const;

  /// "year", "log(income)", or "colour=blue", "colour=red".
  std::vector<std::string> input_names() const;

  /// Place of a level among the levels, from 0; nothing if it is not one of them.
  std::optional<Index> place_of(std::string_view level) const;

  bool operator==(const ColumnEncoding&) const = default;
};

struct ResponseEncoding {
  std::string column;
  ResponseTransform transform = ResponseTransform::none;
  std::vector<std::string> levels = {};  ///< different classes, in order; none if it is a number
  bool exposure = false;                 ///< whether the response before it was counted over this

  /// Place of a class among the levels, from 0; nothing if it is not one of them. Where all levels are numbers, another
  /// text of the same number has the same place: that of "1.0" among "0", "1" is 1.
  std::optional<Index> place_of(std::string_view level) const;

  /// "price", or "log(price)": what the fit speaks of.
  std::string name() const;

  bool operator==(const ResponseEncoding&) const = default;
};

struct TableEncoding {
  std::vector<ColumnEncoding> inputs = {};
  std::vector<ResponseEncoding> outputs = {};

  /// The encoding in which every column is a number.
  static TableEncoding of_numbers(const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& outputs);

  /// The number of inputs of all columns together.
  Index width() const;
  std::vector<std::string> input_names() const;
  std::vector<std::string> output_names() const;

  /// The outputs without an exposure, and the column of the exposure, if there is one.
  std::vector<std::string> response_names() const;
  std::optional<std::string> exposure() const;

  bool operator==(const TableEncoding&) const = default;
};

/// The columns of a table that responses are read from.
std::vector<std::string> response_columns(const std::vector<ResponseEncoding>& responses);

/// A line for each column, whose names may hold any bytes:
///
///   input log "income"
///   input levels "colour" "blue" "dark \"red\""
///   output log "price"
///   output none "species" "setosa" "virginica"
///   exposure log "years"
std::string to_text(const TableEncoding& encoding);

/// Reads what to_text wrote. Throws InvalidArgument about "encoding".
TableEncoding parse_table_encoding(std::string_view text);

/// Days since 1970-01-01, 00:00, in the Gregorian calendar, of a date YYYY-MM-DD, of the first day of a
/// month YYYY-MM, or of a date and time YYYY-MM-DDThh:mm[:ss[.fff]], which may have a blank in place of the T, and Z or
/// an offset +hh:mm from universal time at its end. A time without either is taken for universal time. Nothing for any
/// other text.
///   days_since_1970("2024-01-31T12:00") = 19753.5
///   days_since_1970("2024-01") = 19723
std::optional<double> days_since_1970(std::string_view text);

/// The day YYYY-MM-DD on which a time in days since 1970-01-01 lies: day_text(19753.5) = "2024-01-31".
std::string day_text(double days);

/// The finite number that a class is called by, with a decimal point or comma; nothing for any other text.
///   number_of_class("1.0") = 1
std::optional<double> number_of_class(std::string_view text);

/// "log(price)": the logarithm of a column.
std::string log_of(const std::string& column);

/// The column in "log(price)", nothing for any other text.
std::optional<std::string> column_in_log(std::string_view text);

}  // namespace ridgelet
