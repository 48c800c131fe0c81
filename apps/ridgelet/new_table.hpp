/// A table that a fitted model is applied to: its flags, its blocks of rows, and what is to be said of it.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "ridgelet/fitting/fitted_model.hpp"
#include "ridgelet/io/table_blocks.hpp"

namespace ridgelet::app {

struct NewTable {
  std::vector<std::string> paths;  ///< several files are one table
  std::string missing = "refuse";
  std::string unknown = "refuse";

  /// The table itself, which must be given, --missing and --unknown.
  CLI::Option* add_to(CLI::App& command, const std::string& name, const std::string& help);

  /// Throws InvalidArgument about the first flag whose text is wrong, whatever the table is.
  void check() const;

  /// What is wanted besides the inputs: the rows as they were written, or the responses.
  enum class Wanted { records, responses };
  TableBlocks open(const FittedModel& model, Wanted wanted, const Ranks& ranks = alone()) const;

  /// The files of the table and `other`, which the command reads too.
  std::vector<std::string> files_beside(const std::string& other) const;
};

/// Repeats on standard error what fit warned of.
void repeat_warnings(const FittedModel& model);

/// The error of the network at rows where its process varies: elsewhere there is nothing to compare it with.
struct ErrorOfRows {
  Index rows = 0;
  double sum = 0;
  double largest = 0;

  /// Adds errors from FittedModel::relative_error.
  void add(const VectorView& errors);
};

/// What became of rows.
struct RowCounts {
  Index read = 0;
  Index dropped = 0;  ///< for a missing value
  Index unknown = 0;  ///< with a level that was ignored
  Index outside = 0;  ///< of the domain, those with such a level among them
  ErrorOfRows errors = {};

  Index left() const { return read - dropped; }
};

/// For each row of a block whether it is outside of the domain. A row with an unknown level is: it has none of the
/// levels, and no row of the fit had none.
std::vector<bool> rows_outside(const EncodedRows& block, const FittedModel& model);

/// Throws InvalidArgument about the first row of the block with a number that standardising takes out of the range of
/// doubles.
void require_in_range(const EncodedRows& block, const std::string& file, const FittedModel& model);

/// Counts what `read` reads on each process, and adds the counts up.
RowCounts counted(const TableBlocks& rows, const std::function<void(RowCounts&)>& read);

/// Calls visit(block, counts) for each block of the table; where several processes share the table, each process visits
/// its own blocks. Counts the rows of all processes. Throws InvalidArgument if every row was left out.
template <class Visit>
RowCounts for_each_block(TableBlocks& rows, const FittedModel& model, Visit&& visit) {
  return counted(rows, [&](RowCounts& counts) {
    const Index most = model.rows_per_block();
    for (EncodedRows block = rows.next(most); block.X.rows() > 0; block = rows.next(most)) {
      require_in_range(block, rows.name(), model);
      visit(block, counts);
      counts.outside += std::ranges::count(rows_outside(block, model), true);
    }
  });
}

/// Says on standard error how many rows were left out, have unknown levels, or lie outside the domain.
void warn_about_rows(const RowCounts& counts);

}  // namespace ridgelet::app
