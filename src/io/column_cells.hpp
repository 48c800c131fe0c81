/// A column while it is read: its cells as numbers or days, and as levels for as long as there are few of them. What the
/// column is, is known at its end.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

/// A refusal of one cell, kept until it is known whether its column is needed.
struct CellComplaint {
  Index line;
  std::string column;
  std::string complaint;
};

class ColumnCells {
 public:
  ColumnCells(std::string name, std::size_t field, Index most_levels)
      : name_(std::move(name)), field_(field), most_levels_(static_cast<std::size_t>(most_levels)) {}

  static constexpr unsigned char no_code = 255;  ///< of a missing value; there are fewer levels
  static constexpr double bytes_per_cell = sizeof(double) + 1;
  void reserve(std::size_t rows);

  /// The cell of the record that `records` is at.
  void add(const CsvRecords& records);

  const std::string& name() const { return name_; }
  Index rows() const { return static_cast<Index>(values_.size()); }
  bool empty() const { return missing_.count == rows(); }

  /// One value in every row that has one.
  bool constant() const;

  /// What the column is. Refuses a column that is nearly, but not quite, of numbers or dates, one of text with too many
  /// levels, and unless a person named it, one whose texts rather identify its rows.
  ColumnKind kind(bool named) const;

  /// The first cell that is wrong in a column of this kind, in a response, or for want of a value.
  std::optional<CellComplaint> complaint(ColumnKind kind) const;
  std::optional<CellComplaint> complaint_as_response(ResponseTransform transform) const;
  std::optional<CellComplaint> missing_value(bool named) const;

  bool is_missing(Index row, ColumnKind kind) const;
  double value(Index row) const { return values_[static_cast<std::size_t>(row)]; }
  const std::string& level(Index row) const { return texts_[codes_[static_cast<std::size_t>(row)]]; }

 private:
  /// How many cells of a sort there are, and the first of them.
  struct Seen {
    Index count = 0, line = 0;
    std::string text = {};
    void add(Index at, std::string_view cell);
  };

  double value_of(const Cell& cell, std::string_view text, Index line);
  void add_code(std::string_view text, bool missing);
  CellComplaint about(const Seen& seen, const std::string& complaint) const;

  std::string name_;
  std::size_t field_;
  std::size_t most_levels_;
  std::vector<double> values_;        ///< NaN where there is neither number nor date
  std::vector<unsigned char> codes_;  ///< of each row's text, while there are few texts
  std::vector<std::string> texts_;    ///< in the order of their codes
  std::map<std::string, unsigned char, std::less<>> code_of_;
  bool too_many_levels_ = false;
  Seen missing_, numbers_, dates_, words_, out_of_range_, not_positive_;
  DecimalMarks marks_;
};

}  // namespace ridgelet
