/// Tables of numbers as comma-separated text.
///
/// How the text is read, with its separators and decimal marks, is said in csv_records.hpp. What is written has commas
/// between fields and points in numbers.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// Columns of a table: header[j] is the name of values.col(j).
struct CsvTable {
  std::vector<std::string> header;
  Matrix values;
};

/// A name as a field of a record with any separator: in quotes if it would not read back unchanged without them.
std::string csv_field(const std::string& text);

/// A header line, then a line for each row; numbers read back as the same doubles.
void write_csv(std::ostream& stream, const std::vector<std::string>& header, const MatrixView& rows);

/// The columns asked for, in the order asked. Only they must be numbers: other columns may hold any text.
///
/// A table is read whole or refused. Complaints name the line on which the record starts, as an editor counts:
///
///   data: 'co2.csv', line 17, column 'co2_ppm': missing value; missing values are refused, ...
///
/// - An empty field, NA, N/A, NaN, null and none, in upper or lower case, are missing values.
/// - Numbers must be finite and within the range of a double: neither inf nor 1e400 nor 1e-400.
/// - Every record has as many fields as the header, and no blank line stands between two of them.
/// - The header has each name asked for exactly once, and at least one row follows it.
/// - Quotes are closed, no byte is NUL, and no record is longer than 1,000,000 characters.
///
/// Cost: one pass. Memory: the numbers, a copy of them whenever they outgrow their room, one record, and a
/// buffer of 64 kB.
/// Throws InvalidArgument("data", ...) for what is in the file, IoError for a file that cannot be read.
CsvTable read_csv(const std::filesystem::path& path, const std::vector<std::string>& columns);

/// The same from an open stream; `name` stands for the file in messages.
CsvTable read_csv(std::istream& stream, const std::string& name, const std::vector<std::string>& columns);

/// The names in a list such as `year,sea level,"height, m"`: a record of a CSV file, so that any name a
/// header can hold can be asked for. Throws InvalidArgument("columns", ...) for an empty or repeated name.
std::vector<std::string> split_columns(const std::string& list);

}  // namespace ridgelet
