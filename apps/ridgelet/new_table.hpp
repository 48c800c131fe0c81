/// A table that a fitted model is applied to: its flags, its blocks of rows, and what is to be said of it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "ridgelet/fitting/fitted_model.hpp"
#include "ridgelet/io/table_blocks.hpp"

namespace ridgelet::app {

struct NewTable {
  std::string path;
  std::string missing = "refuse";
  std::string unknown = "refuse";

  /// The table itself, --missing and --unknown.
  void add_to(CLI::App& command, const std::string& name, const std::string& help);

  /// The inputs, and beside them the rows as they were written, or the responses.
  enum class Wanted { records, responses };
  TableBlocks open(const FittedModel& model, Wanted wanted) const;
};

/// What fit warned of, on standard error.
void repeat_warnings(const FittedModel& model);

/// What became of rows, on standard error: left out, with unknown levels, outside of the domain.
void warn_about_rows(const TableBlocks& table, Index outside);

/// Throws InvalidArgument if every row was left out.
void require_rows_left(const TableBlocks& table, const std::string& name);

}  // namespace ridgelet::app
