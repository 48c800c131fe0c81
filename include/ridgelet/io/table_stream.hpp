/// The rows of a table in files, as a fit sees them, however many there are.
///
/// Columns are numbers, dates or text (fitting/columns.hpp). A first reading finds out which, from their cells:
/// - numbers, if every cell that is not missing is a number;
/// - dates, if every such cell is a date;
/// - text otherwise, unless more than half of the cells are numbers (or dates): then the others are taken for mistakes,
///   and the first of them is refused with its line.
/// Text becomes one input for each level; there may be at most `most_levels`. Responses are numbers, or classes.
///
/// Where rows are left out for missing values, a second reading finds the inputs that do not vary over the remaining
/// rows. All threads and ranks share in each reading. Memory: the places of the tiles, and as many tiles as are read at
/// a time.
#pragma once

#include <memory>

#include "ridgelet/fitting/table_rows.hpp"
#include "ridgelet/io/table_source.hpp"

namespace ridgelet {

struct TableRequest {
  /// Columns, or log(column) for the logarithm of a positive one. If a column is itself called log(...), that column is
  /// meant. No inputs: every other column, without those that have no name, no values, or the same value in every row.
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};

  /// Whether a response is the class of a row: never, if it is text, or whatever it is.
  enum class Classes { never, of_text, always } classes = Classes::never;

  bool counts = false;  ///< whether the first response must be a count 0, 1, 2, ...

  /// A positive column, whose logarithm becomes a second response: the exposure over which the counts were made.
  std::optional<std::string> exposure = std::nullopt;

  MissingValues missing = MissingValues::refuse;

  /// At most so many different texts in a column of text. Where the inputs are not named, a column with more than ten
  /// different texts in fewer than twice as many rows is refused too: it probably identifies the rows.
  Index most_levels = 100;
};

class TableStream : public TableRows {
 public:
  /// Throws InvalidArgument about "data" for what is in the files, with line and column; about "y" for a response that
  /// is an input; IoError for a file that cannot be read.
  TableStream(std::unique_ptr<TableSource> source, const TableRequest& request, const Ranks& ranks = alone());

  const std::string& name() const override { return source_->name(); }
  const TableEncoding& encoding() const override { return encoding_; }
  Index rows() const override { return source_->rows() - dropped_; }
  Index tiles() const override { return source_->tiles(); }
  /// Throws InvalidArgument about "data" for a cell that must be a count and is none.
  RowTile tile(Index index) const override;
  const Ranks& ranks() const override { return ranks_; }

  /// Rows that are left out for a missing value.
  Index rows_dropped() const { return dropped_; }

  /// Columns that have a name and are left out; notes() says which and why, in plain words.
  const std::vector<std::string>& columns_left_out() const { return left_out_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::vector<ColumnFacts> survey(const std::vector<std::string>& names, Index most_levels) const;
  void find_encoding(const TableRequest& request);
  void leave_rows_out(bool named);
  void leave_out(const std::vector<std::string>& names, const std::string& reason);
  EncodedRows encoded(Index tile) const;

  const Ranks& ranks_;
  std::unique_ptr<TableSource> source_;
  TableEncoding encoding_;
  MissingValues missing_;
  bool counts_;
  Index dropped_ = 0;
  std::vector<std::string> left_out_;
  std::vector<std::string> notes_;
};

}  // namespace ridgelet
