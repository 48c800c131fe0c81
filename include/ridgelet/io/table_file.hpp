/// The table of a fit, read from a file of columns as people have them.
///
/// Columns are numbers, dates or text (fitting/columns.hpp), which is found from their cells:
/// - numbers, if every cell that is not missing is a number;
/// - dates, if every one is a date;
/// - text otherwise, unless more than half of the cells are numbers (or dates): then the others are taken for mistakes,
///   and the first of them is refused with its line.
/// Text becomes an input for each level, of which there may be `most_levels`. Responses must be numbers.
///
/// The dialect of the file is found from its header (io/csv_records.hpp).
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "ridgelet/fitting/table.hpp"

namespace ridgelet {

/// What becomes of rows in which a column that is needed has no value.
enum class MissingValues { refuse, drop };

/// "refuse" or "drop"; throws InvalidArgument about "missing".
MissingValues parse_missing_values(const std::string& text);

struct TableRequest {
  /// Columns of the inputs. None: every other column, without those that have no name, no values, or the same value in
  /// every row.
  std::vector<std::string> inputs = {};

  /// Columns, or log(column) for the logarithm of a positive one. A column that is itself called log(...) is that.
  std::vector<std::string> outputs = {};

  MissingValues missing = MissingValues::refuse;

  /// Different texts in a column of text, at most. Where the inputs are not named, a column with more than ten
  /// different texts in less than twice as many rows is refused too: it rather identifies the rows.
  Index most_levels = 100;
};

struct TableFile {
  RegressionTable table;
  std::vector<std::string> notes = {};  ///< what was left out, in plain words
};

/// Reads the table in one pass. Memory: 9 bytes a cell, the numbers of the table, one record and a buffer; that there is
/// room is checked as it grows.
///
/// Throws InvalidArgument about "data" for what is in the file, with line and column, and whatever
/// validate(RegressionTable) throws; about "y" for a response that is an input; IoError for a file that cannot be read.
TableFile read_table(const std::filesystem::path& path, const TableRequest& request);

/// The same from an open stream; `name` stands for the file in messages.
TableFile read_table(std::istream& stream, const std::string& name, const TableRequest& request);

/// The table alone.
RegressionTable read_regression_table(const std::filesystem::path& path,
                                      const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs);

}  // namespace ridgelet
