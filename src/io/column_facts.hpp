/// What is known of a column after some of its rows: whether its cells are numbers, dates or text, which texts there
/// are, and the first cell of every sort that might have to be refused.
///
/// Facts of some rows and facts of the rows after them can be joined, so parts can be read side by side.
#pragma once

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "positive_number.hpp"
#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

/// A line of one of the files of a table. Places are ordered as the rows are.
struct CellPlace {
  Index part = 0;
  Index line = 0;
  auto operator<=>(const CellPlace&) const = default;
};

/// A refusal of one cell, kept until it is known whether its column is needed.
struct CellComplaint {
  CellPlace place;
  std::string column;
  std::string complaint;
};

class ColumnFacts {
 public:
  ColumnFacts(std::string name, Index most_levels)
      : name_(std::move(name)), most_levels_(static_cast<std::size_t>(most_levels)) {}

  /// Adds a cell of text, or one of a table of numbers, where NaN is a missing value.
  void add(std::string_view text, bool decimal_commas, const CellPlace& place);
  void add(double value, const CellPlace& place);

  /// More levels than allowed were seen elsewhere: no more are collected.
  void give_up_levels() {
    too_many_levels_ = true;
    levels_.clear();
  }
  bool too_many_levels() const { return too_many_levels_; }

  /// Adds the facts of the rows that follow.
  void join(const ColumnFacts& later);

  const std::string& name() const { return name_; }
  Index rows() const { return missing_.count + numbers_.count + dates_.count + words_.count; }
  Index missing() const { return missing_.count; }
  bool empty() const { return missing_.count == rows(); }

  /// Whether all rows that have a value have the same one.
  bool constant() const;

  /// What the column is. Refuses a column that is mostly, but not wholly, of numbers or dates, one of numbers with
  /// marks (marked_number.hpp) or of dates in another form (local_date.hpp), one of text with too many levels and, unless a person named it, one whose texts seem to
  /// identify its rows.
  ColumnKind kind(bool named) const;

  /// Whether the column, as a response, is one of classes: it has text, and no cell is a number.
  bool is_text() const { return words_.count > 0 && numbers_.count == 0; }

  /// The classes of a response: numbers sorted by size, each once however it is written, and text sorted by its
  /// letters. Refuses too many and, unless a person asked for classes, numbers with marks and texts that seem to identify
  /// the rows.
  std::vector<std::string> classes(bool asked) const;

  /// How the column becomes inputs, with all its levels.
  ColumnEncoding encoding(ColumnKind kind) const;

  /// What a column becomes whose logarithm a person asked for. Refuses one that is not of numbers.
  ColumnKind kind_as_logarithm() const;

  /// The first cell whose text is not UTF-8.
  std::optional<CellComplaint> wrong_encoding() const;

  /// The first cell that is wrong in a column of this kind, in a response, or because it lacks a value.
  std::optional<CellComplaint> complaint(ColumnKind kind) const;
  std::optional<CellComplaint> complaint_as_response(const ResponseEncoding& response) const;
  std::optional<CellComplaint> missing_value(bool named) const;

  /// The first number whose decimal mark is not that of the numbers before it, in any of these columns of numbers.
  static std::optional<CellComplaint> mixed_marks(const std::vector<const ColumnFacts*>& columns);

  /// The facts as bytes, for another process to read.
  std::string packed() const;
  static ColumnFacts unpacked(std::string_view bytes);

 private:
  /// How many cells of a sort there are, and the first of them.
  struct Seen {
    Index count = 0;
    CellPlace place = {};
    std::string text = {};
    void add(const CellPlace& at, std::string_view cell);
    void join(const Seen& later);
  };

  void add_number(double value, std::string_view text, const CellPlace& place);
  void add_text(std::string_view text, const CellPlace& place);
  void add_level(std::string_view text);
  std::optional<CellComplaint> complaint_as_logarithm(LogarithmOf what) const;
  bool identifies_rows() const;
  std::optional<CellComplaint> marked_numbers() const;
  std::optional<CellComplaint> local_dates() const;
  CellComplaint about(const Seen& seen, const std::string& complaint) const;
  template <class Facts, class Visit>
  static void for_each_seen(Facts& facts, Visit&& visit);

  std::string name_;
  std::size_t most_levels_;
  std::set<std::string, std::less<>> levels_;  ///< until there are too many
  bool too_many_levels_ = false;
  double low_ = std::numeric_limits<double>::infinity();  ///< of numbers and days
  double high_ = -std::numeric_limits<double>::infinity();
  Seen missing_, numbers_, dates_, words_, out_of_range_, not_positive_;
  Seen not_utf8_;         ///< words
  Seen marked_;           ///< words that are numbers with marks
  Seen local_dates_;      ///< words that are dates of another form than ISO's
  Seen points_, commas_;  ///< numbers with decimal marks
};

}  // namespace ridgelet
