/// A table read a block of rows at a time, through the encoding of a fit: for predictions at any number of rows.
///
///   TableBlocks table("new.csv", model.encoding());
///   for (EncodedRows block = table.next(8192); block.X.rows() > 0; block = table.next(8192)) ...
///
/// Tiles are read on all threads. Memory: one block, and a few tiles.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ridgelet/io/table_source.hpp"

namespace ridgelet {

class TableBlocks {
 public:
  /// Several files are one table. Where several ranks share its rows, next() returns those of this rank. Throws
  /// InvalidArgument about "data" for what is in the files, IoError if one cannot be read.
  TableBlocks(const std::vector<std::filesystem::path>& paths, TableEncoding encoding,
              const RowOptions& options = {}, const TileOptions& tiles = {}, const Ranks& ranks = alone());
  TableBlocks(const std::filesystem::path& path, TableEncoding encoding, const RowOptions& options = {},
              const TileOptions& tiles = {}, const Ranks& ranks = alone())
      : TableBlocks(std::vector{path}, std::move(encoding), options, tiles, ranks) {}

  /// What stands for the table in messages.
  const std::string& name() const { return source_->name(); }

  /// Names of all columns, and the header as it was written.
  const std::vector<std::string>& columns() const { return source_->columns(); }
  std::string header() const { return source_->header(); }
  char separator() const { return source_->separator(); }

  /// True once a number with a decimal comma was read.
  bool decimal_commas() const { return marks_.mark() == ','; }

  /// The next rows, at most `most` of them; none at the end. Throws as the constructor does, with line and column.
  EncodedRows next(Index most);

  const Ranks& ranks() const { return ranks_; }

  Index rows_read() const { return rows_read_; }
  Index rows_dropped() const { return rows_dropped_; }            ///< for a missing value
  Index rows_with_unknown() const { return rows_with_unknown_; }  ///< a level that was ignored

 private:
  void read_more();
  void count(const EncodedRows& tile);

  const Ranks& ranks_;
  std::unique_ptr<TableSource> source_;
  TableEncoding encoding_;
  RowOptions options_;
  TileRange tiles_left_;
  std::deque<EncodedRows> tiles_;  ///< read, but not yet returned
  Index taken_ = 0;                ///< rows of the first of them that next() has returned
  DecimalMarks marks_;
  Index rows_read_ = 0, rows_dropped_ = 0, rows_with_unknown_ = 0;
};

}  // namespace ridgelet
