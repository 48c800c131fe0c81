#include "ridgelet/io/table_blocks.hpp"

#include <algorithm>
#include <utility>

#include "ridgelet/core/tiles.hpp"

namespace ridgelet {

TableBlocks::TableBlocks(const std::vector<std::filesystem::path>& paths, TableEncoding encoding,
                         const RowOptions& options, const TileOptions& tiles, const Ranks& ranks)
    : ranks_(ranks),
      source_(open_table_source(paths, tiles, ranks)),
      encoding_(std::move(encoding)),
      options_(options),
      tiles_left_(share_of(source_->tiles(), ranks)) {
  for (const ColumnEncoding& column : encoding_.inputs)
    source_->find_column(column.name, response_columns(encoding_.outputs));
  if (options_.responses)
    for (const ResponseEncoding& response : encoding_.outputs) source_->find_column(response.column);
}

void TableBlocks::count(const EncodedRows& tile) {
  reading_table(source_->name(), [&] { marks_.join(tile.marks); });
  rows_read_ += tile.read;
  rows_dropped_ += tile.dropped;
  rows_with_unknown_ += std::ranges::count(tile.unknown, true);
}

void TableBlocks::read_more() {
  const Index end = std::min(tiles_left_.end, tiles_left_.first + 2 * team_threads());
  for_each_tile(
      {.first = tiles_left_.first, .end = end},
      [&](Index tile) { return source_->encoded(tile, encoding_, options_); },
      [&](Index, EncodedRows& tile) {
        count(tile);
        if (tile.X.rows() > 0) tiles_.push_back(std::move(tile));
      });
  tiles_left_.first = end;
}

EncodedRows TableBlocks::next(Index most) {
  while (tiles_.empty() && tiles_left_.first < tiles_left_.end) read_more();
  EncodedRows block;
  block.X.resize(0, encoding_.width());
  if (tiles_.empty()) return block;
  Index rows = 0;
  std::vector<std::pair<Index, Index>> pieces;  // of each tile: first row and number of rows
  while (rows < most) {
    if (pieces.size() == tiles_.size() && tiles_left_.first < tiles_left_.end) read_more();
    if (pieces.size() == tiles_.size()) break;
    const Index first = pieces.empty() ? taken_ : 0;
    const Index count = std::min(most - rows, tiles_[pieces.size()].X.rows() - first);
    pieces.emplace_back(first, count);
    rows += count;
  }
  block.X.resize(rows, tiles_.front().X.cols());
  block.Y.resize(rows, tiles_.front().Y.cols());
  Index at = 0;
  for (const auto& [first, count] : pieces) {
    EncodedRows& tile = tiles_.front();
    block.X.middleRows(at, count) = tile.X.middleRows(first, count);
    block.Y.middleRows(at, count) = tile.Y.middleRows(first, count);
    std::copy_n(tile.rows.begin() + first, count, std::back_inserter(block.rows));
    std::copy_n(tile.unknown.begin() + first, count, std::back_inserter(block.unknown));
    if (options_.records)
      std::move(tile.records.begin() + first, tile.records.begin() + first + count,
                std::back_inserter(block.records));
    at += count;
    taken_ = first + count;
    if (taken_ == tile.X.rows()) {
      tiles_.pop_front();
      taken_ = 0;
    }
  }
  return block;
}

}  // namespace ridgelet
