/// The rows of a table, a tile at a time and as often as they are asked for: what a fit passes over.
///
/// A table may be in memory or in files of any length. A fit asks for its rows two or three times and keeps a few of
/// them (kept_rows.hpp), so its memory does not grow with the table.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/core/tiles.hpp"
#include "ridgelet/fitting/table.hpp"

namespace ridgelet {

/// Rows that follow one another, with their numbers in the table, from 0: rows that are left out have numbers too.
struct RowTile {
  Matrix X;
  Matrix Y;
  std::vector<Index> numbers;
};

class TableRows {
 public:
  virtual ~TableRows() = default;

  /// What stands for the table in messages.
  virtual const std::string& name() const = 0;

  /// How its columns become inputs and outputs.
  virtual const TableEncoding& encoding() const = 0;

  /// Rows of all tiles, and how many tiles they are cut into.
  virtual Index rows() const = 0;
  virtual Index tiles() const = 0;

  /// One tile; may be called by any thread at any time.
  virtual RowTile tile(Index index) const = 0;

  /// The processes that share the tiles.
  virtual const Ranks& ranks() const { return alone(); }
};

/// A table in memory, cut into tiles of `tile_rows` rows.
class TableInMemory : public TableRows {
 public:
  explicit TableInMemory(RegressionTable table, std::string name = "data", Index tile_rows = 2048);

  const std::string& name() const override { return name_; }
  const TableEncoding& encoding() const override { return encoding_; }
  Index rows() const override { return table_.X.rows(); }
  Index tiles() const override { return (rows() + tile_rows_ - 1) / tile_rows_; }
  RowTile tile(Index index) const override;

 private:
  RegressionTable table_;
  TableEncoding encoding_;
  std::string name_;
  Index tile_rows_;
};

/// The whole table, in memory.
RegressionTable all_rows(const TableRows& rows);

}  // namespace ridgelet
