/// The cells of a table in one file or several, whatever their format, in tiles of rows that any thread can read.
///
/// | file          | columns                                                                         |
/// |---------------|---------------------------------------------------------------------------------|
/// | text          | as the header names them (csv_records.hpp)                                      |
/// | `.npy`        | of a matrix: 0, 1, 2, ...; of a structured array: its fields                    |
/// | `.nc`         | the variables of numbers along the dimension of the first of them, unpacked     |
///
/// Several files are one table: their rows follow one another, and their columns must be the same; one of them may have
/// no rows. Tiles depend on the files alone, so that sums over tiles are the same however the tiles are shared out.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ridgelet/core/ranks.hpp"
#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

/// What becomes of rows that have no value in a column that is needed.
enum class MissingValues { refuse, drop };

/// "refuse" or "drop"; throws InvalidArgument about "missing".
MissingValues parse_missing_values(const std::string& text);

/// What becomes of text that was no level of its column when the encoding was found: it is refused, or it counts as
/// none of the levels.
enum class UnknownLevels { refuse, ignore };

/// "refuse" or "ignore"; throws InvalidArgument about "unknown".
UnknownLevels parse_unknown_levels(const std::string& text);

struct RowOptions {
  UnknownLevels unknown = UnknownLevels::refuse;
  MissingValues missing = MissingValues::refuse;
  bool responses = false;  ///< whether the responses, which the table has too, are wanted
  bool records = false;    ///< whether the rows as they were written are wanted
  bool counts = false;     ///< whether the first response must be a count 0, 1, 2, ...
};

/// Rows read through an encoding.
struct EncodedRows {
  Matrix X;                          ///< inputs
  Matrix Y;                          ///< responses as they stand in the table, where they are wanted
  std::vector<std::string> records;  ///< each row as it was written, where that is wanted
  std::vector<Index> rows;           ///< the number of each row in the table, from 1
  Index read = 0;                    ///< rows read
  Index dropped = 0;                 ///< rows left out for a missing value
  std::vector<bool> unknown;         ///< of each row, whether it has an unknown level, which was ignored
  DecimalMarks marks;                ///< of all columns
};

class ColumnFacts;
struct CellComplaint;

class TableSource {
 public:
  virtual ~TableSource() = default;

  /// What stands in messages for the whole table, and for one of its files.
  const std::string& name() const { return name_; }
  virtual const std::string& part_name(Index part) const = 0;

  const std::vector<std::string>& columns() const { return columns_; }
  /// Whether a column is an input only if a person names it.
  virtual bool only_if_named(std::size_t) const { return false; }
  virtual std::string header() const = 0;  ///< as it was written
  virtual char separator() const = 0;      ///< of records

  virtual Index rows() const = 0;
  virtual Index tiles() const = 0;

  /// Adds the cells of a tile to the facts of these columns. Throws InvalidArgument about "data", or IoError.
  virtual void survey(Index tile, const std::vector<std::size_t>& columns,
                      std::vector<ColumnFacts>& facts) const = 0;

  /// The rows of a tile. The table must have the columns of the encoding. Throws as survey() does.
  virtual EncodedRows encoded(Index tile, const TableEncoding& encoding, const RowOptions& options) const = 0;

  /// Throws InvalidArgument about "data" that says what is wrong with a cell, and where it is.
  [[noreturn]] void refuse(const CellComplaint& complaint) const;

  /// Place of a column. Throws InvalidArgument about "data" if it is missing or occurs twice; those that are `taken` are
  /// not suggested for it.
  std::size_t find_column(const std::string& name, const std::vector<std::string>& taken = {}) const;

 protected:
  /// What messages call the number of a row: "line" or "row".
  virtual const char* counted_by() const = 0;

  std::string name_;
  std::vector<std::string> columns_;
};

/// How a table is cut.
struct TileOptions {
  Index rows = 2048;                     ///< of a tile, at most
  std::size_t chunk_bytes = 64'000'000;  ///< of a text file, searched for tiles at a time
};

/// Opens the files; ranks share the search for tiles. Throws IoError, or InvalidArgument about "data" for what is in
/// the files.
std::unique_ptr<TableSource> open_table_source(const std::vector<std::filesystem::path>& paths,
                                               const TileOptions& options = {}, const Ranks& ranks = alone());

/// A text as a table; `name` stands for its file in messages.
std::unique_ptr<TableSource> table_source_of(std::string text, const std::string& name,
                                             const TileOptions& options = {}, const Ranks& ranks = alone());

}  // namespace ridgelet
