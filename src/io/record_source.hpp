/// A table of text (csv_records.hpp) in tiles.
///
/// The place of every tile is found in one pass that looks for the ends of lines alone; where there are quotes or lone
/// carriage returns below the header, which may hide an end or be one, by reading all records one after another.
#pragma once

#include "file_bytes.hpp"
#include "ridgelet/io/csv_records.hpp"
#include "ridgelet/io/table_source.hpp"

namespace ridgelet {

class RecordSource : public TableSource {
 public:
  RecordSource(std::vector<FileBytes> files, Index tile_rows);

  const std::string& part_name(Index part) const override;
  std::string header() const override { return header_; }
  char separator() const override { return parts_.front().dialect.separator; }
  Index rows() const override { return rows_; }
  Index tiles() const override { return static_cast<Index>(tiles_.size()); }
  void survey(Index tile, const std::vector<std::size_t>& columns,
              std::vector<ColumnFacts>& facts) const override;
  EncodedRows encoded(Index tile, const TableEncoding& encoding, const RowOptions& options) const override;

 private:
  struct Part {
    FileBytes bytes;
    CsvDialect dialect;
  };

  /// Records that follow one another in a part.
  struct Tile {
    Index part = 0;
    std::size_t begin = 0, end = 0;  ///< bytes
    Index line = 1;                  ///< the first of them
    Index row = 0;                   ///< the first of them, from 0
    Index rows = 0;
  };

  /// Where the rows of a part begin.
  struct Start {
    std::size_t offset;
    Index line;
  };

  Start read_header(Part& part);
  bool find_tiles_by_lines(const Part& part, const Start& start);
  void find_tiles_by_records(const Part& part);
  void add_row(std::size_t begin, std::size_t end, Index line);
  template <class Visit>
  void with_records(Index tile, Visit&& visit) const;

  std::vector<Part> parts_;
  std::string header_;
  std::vector<Tile> tiles_;
  Index tile_rows_;
  Index rows_ = 0;
};

}  // namespace ridgelet
