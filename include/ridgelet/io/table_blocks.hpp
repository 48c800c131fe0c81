/// A table read a block of rows at a time, through the encoding of a fit: for predictions at any number of rows.
///
///   TableBlocks table("new.csv", model.encoding());
///   for (TableBlock block = table.next(8192); block.X.rows() > 0; block = table.next(8192)) ...
///
/// Memory: one block.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/io/csv_records.hpp"
#include "ridgelet/io/table_file.hpp"

namespace ridgelet {

/// What becomes of text that was no level of its column when the encoding was found: refused, or none of the levels.
enum class UnknownLevels { refuse, ignore };

/// "refuse" or "ignore"; throws InvalidArgument about "unknown".
UnknownLevels parse_unknown_levels(const std::string& text);

struct TableBlocksOptions {
  UnknownLevels unknown = UnknownLevels::refuse;
  MissingValues missing = MissingValues::refuse;
  bool responses = false;  ///< the table has them too, and they are wanted
};

struct TableBlock {
  Matrix X;                          ///< inputs, encoded
  Matrix Y;                          ///< responses as they stand in the table, where they are wanted
  std::vector<std::string> records;  ///< each row as it was written
  std::vector<Index> rows;           ///< its number in the table, from 1
};

class TableBlocks {
 public:
  /// Reads the header. Throws InvalidArgument about "data" for what is in the file, IoError if it cannot be read.
  TableBlocks(const std::filesystem::path& path, TableEncoding encoding,
              const TableBlocksOptions& options = {});
  TableBlocks(const TableBlocks&) = delete;
  TableBlocks& operator=(const TableBlocks&) = delete;

  /// Names of all columns, and the header as it was written.
  const std::vector<std::string>& columns() const { return columns_; }
  const std::string& header() const { return header_; }
  char separator() const { return records_.separator(); }

  /// True once a number with a decimal comma was read.
  bool decimal_commas() const { return decimal_commas_; }

  /// The next rows, at most `most` of them; none at the end. Throws as the constructor does, with line and column.
  TableBlock next(Index most);

  Index rows_read() const { return rows_read_; }
  Index rows_dropped() const { return rows_dropped_; }            ///< for a missing value
  Index rows_with_unknown() const { return rows_with_unknown_; }  ///< a level that was ignored

 private:
  struct Field {
    std::size_t index;
    DecimalMarks marks = {};
  };
  bool lacks_value() const;
  void encode(Vector& x);
  double number(Field& field, const std::string& name);
  double response(std::size_t k);
  double date(const Field& field, const std::string& name) const;
  [[noreturn]] void refuse_level(const ColumnEncoding& column, std::string_view level) const;

  std::string name_;
  std::ifstream stream_;
  TableEncoding encoding_;
  TableBlocksOptions options_;
  CsvRecords records_;
  std::vector<std::string> columns_;
  std::string header_;
  std::vector<Field> inputs_, responses_;
  bool decimal_commas_ = false;
  Index rows_read_ = 0, rows_dropped_ = 0, rows_with_unknown_ = 0;
};

}  // namespace ridgelet
