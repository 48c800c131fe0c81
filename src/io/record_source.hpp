/// A table of text (csv_records.hpp) in tiles.
///
/// The places of the tiles are found by looking only for the ends of lines, in chunks of a file that threads and ranks
/// share among themselves. A line break inside quotes does not end a record, and a lone carriage return does: a file
/// that has quotes or lone carriage returns below the header is read record by record instead, by each rank on its own.
///
/// A tile never reaches from one chunk into the next, so the tiles depend on the files alone.
#pragma once

#include <optional>

#include "file_bytes.hpp"
#include "ridgelet/core/packed.hpp"
#include "ridgelet/io/csv_records.hpp"
#include "ridgelet/io/table_source.hpp"

namespace ridgelet {

class RecordSource : public TableSource {
 public:
  RecordSource(std::vector<FileBytes> files, const TileOptions& options, const Ranks& ranks);

  const std::string& part_name(Index part) const override;
  std::string header() const override { return header_; }
  char separator() const override { return parts_.front().dialect.separator; }
  Index rows() const override { return rows_; }
  Index tiles() const override { return static_cast<Index>(tiles_.size()); }
  void survey(Index tile, const std::vector<std::size_t>& columns,
              std::vector<ColumnFacts>& facts) const override;
  EncodedRows encoded(Index tile, const TableEncoding& encoding, const RowOptions& options) const override;

 private:
  const char* counted_by() const override { return "line"; }

  struct Part {
    FileBytes bytes;
    CsvDialect dialect;
  };

  /// Records that follow one another in a part.
  struct Tile {
    Index part = 0;
    std::size_t begin = 0, end = 0;  ///< bytes
    Index line = 1;                  ///< that of the first record
    Index row = 0;                   ///< that of the first record, from 0
    Index rows = 0;
  };

  /// The tiles of a chunk, with lines and rows counted from the first of the chunk.
  struct Chunk {
    bool plain = true;  ///< neither quotes nor lone carriage returns
    Index lines = 0;
    std::optional<Index> first_blank, last_filled;  ///< lines
    std::vector<Tile> tiles;
    void pack(Packer& packer) const;
    static Chunk unpack(Unpacker& unpacker);
  };

  /// Where the rows of a part begin.
  struct Start {
    std::size_t offset;
    Index line;
  };

  Start read_header(Part& part);
  Chunk scan(const Part& part, std::size_t begin, std::size_t end, bool first) const;
  bool find_tiles_by_lines(const Part& part, const Start& start, const Ranks& ranks);
  void find_tiles_by_records(const Part& part);
  void add_row(std::size_t begin, std::size_t end, Index line);
  template <class Visit>
  void with_records(Index tile, Visit&& visit) const;

  std::vector<Part> parts_;
  std::string header_;
  std::vector<Tile> tiles_;
  TileOptions options_;
  Index rows_ = 0;
};

}  // namespace ridgelet
