#include "record_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "column_facts.hpp"
#include "record_encoder.hpp"
#include "ridgelet/core/tiles.hpp"

namespace ridgelet {

namespace {

/// The longest record, with the end of its line.
constexpr std::size_t longest_line = 1'000'002;

bool has_lone_carriage_return(std::string_view text) {
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1))
    if (at + 1 == text.size() || text[at + 1] != '\n') return true;
  return false;
}

/// A file read forwards in pieces of about 1 MB of whole lines; the last line of the file need not have an end.
class LinePieces {
 public:
  LinePieces(const FileBytes& bytes, std::size_t offset) : bytes_(bytes), offset_(offset) {}

  std::size_t offset() const { return offset_; }  ///< of the next piece

  /// Nothing at the end of the file, or where a line is too long.
  std::optional<std::string_view> next() {
    constexpr std::size_t size = 1'100'000;
    static_assert(size > longest_line);
    buffer_.resize(size);
    std::string_view piece(buffer_.data(), bytes_.read(offset_, buffer_.data(), size));
    if (piece.empty()) return std::nullopt;
    if (offset_ + piece.size() < bytes_.size()) {
      const std::size_t end = piece.rfind('\n');
      if (end == std::string_view::npos) return std::nullopt;
      piece = piece.substr(0, end + 1);
    }
    offset_ += piece.size();
    return piece;
  }

 private:
  const FileBytes& bytes_;
  std::size_t offset_;
  std::vector<char> buffer_;
};

void pack_optional(Packer& packer, const std::optional<Index>& value) {
  packer.put(value.has_value());
  packer.put(value.value_or(0));
}

std::optional<Index> unpack_optional(Unpacker& unpacker) {
  const bool there = unpacker.get<bool>();
  const auto value = unpacker.get<Index>();
  return there ? std::optional(value) : std::nullopt;
}

}  // namespace

void RecordSource::Chunk::pack(Packer& packer) const {
  packer.put(plain);
  packer.put(lines);
  pack_optional(packer, first_blank);
  pack_optional(packer, last_filled);
  packer.put(tiles.size());
  for (const Tile& tile : tiles) {
    packer.put(tile.begin);
    packer.put(tile.end);
    packer.put(tile.line);
    packer.put(tile.rows);
  }
}

RecordSource::Chunk RecordSource::Chunk::unpack(Unpacker& unpacker) {
  Chunk chunk;
  chunk.plain = unpacker.get<bool>();
  chunk.lines = unpacker.get<Index>();
  chunk.first_blank = unpack_optional(unpacker);
  chunk.last_filled = unpack_optional(unpacker);
  chunk.tiles.resize(unpacker.get<std::size_t>());
  for (Tile& tile : chunk.tiles) {
    tile.begin = unpacker.get<std::size_t>();
    tile.end = unpacker.get<std::size_t>();
    tile.line = unpacker.get<Index>();
    tile.rows = unpacker.get<Index>();
  }
  return chunk;
}

RecordSource::RecordSource(std::vector<FileBytes> files, const TileOptions& options, const Ranks& ranks)
    : options_(options) {
  name_ = files.size() == 1 ? files.front().name()
                            : fmt::format("{} and {} more", files.front().name(), files.size() - 1);
  for (FileBytes& file : files) {
    Part& part = parts_.emplace_back(Part{std::move(file), {}});
    reading_table(part.bytes.name(), [&] {
      const Start start = read_header(part);
      if (!find_tiles_by_lines(part, start, ranks)) find_tiles_by_records(part);
    });
  }
  reading_table(name_, [&] {
    if (rows_ == 0) throw CsvRefusal{"", "a header without rows; put a line of values for each row below it"};
  });
}

const std::string& RecordSource::part_name(Index part) const {
  return parts_[static_cast<std::size_t>(part)].bytes.name();
}

RecordSource::Start RecordSource::read_header(Part& part) {
  BytesStream stream(part.bytes);
  CsvRecords records(stream);
  records.read_header();
  part.dialect = records.dialect();
  if (parts_.size() == 1) {
    columns_ = records.fields();
    header_ = records.record();
  } else if (records.fields() != columns_) {
    refuse_record(records.line(), fmt::format("other columns than those of '{}'", shown(part_name(0), 200)));
  }
  return {.offset = records.bytes_read(), .line = records.next_line()};
}

/// The tiles of the lines that begin in [begin, end) of a part.
RecordSource::Chunk RecordSource::scan(const Part& part, std::size_t begin, std::size_t end,
                                       bool first) const {
  const char* const blanks = part.dialect.separator == '\t' ? " \r" : " \t\r";
  Chunk chunk;
  // A line begins after the end of the one before it, which may be the last byte before the chunk.
  LinePieces pieces(part.bytes, first ? begin : begin - 1);
  bool skipped = first;
  for (std::size_t at = pieces.offset(); at < end; at = pieces.offset()) {
    const std::optional<std::string_view> piece = pieces.next();
    if (!piece || piece->find('"') != std::string_view::npos || has_lone_carriage_return(*piece))
      return {.plain = false, .lines = 0, .first_blank = {}, .last_filled = {}, .tiles = {}};
    std::size_t from = 0;
    if (!std::exchange(skipped, true)) from = std::min(piece->find('\n'), piece->size() - 1) + 1;
    while (from < piece->size() && at + from < end) {
      const std::size_t to = std::min(piece->find('\n', from), piece->size() - 1) + 1;
      const bool blank =
          piece->substr(from, to - from - 1).find_first_not_of(blanks) == std::string_view::npos &&
          std::string_view("\n \t\r").find((*piece)[to - 1]) != std::string_view::npos;
      if (blank) {
        if (!chunk.first_blank) chunk.first_blank = chunk.lines;
      } else {
        if (chunk.tiles.empty() || chunk.tiles.back().rows == options_.rows)
          chunk.tiles.push_back({.begin = at + from, .line = chunk.lines});
        chunk.tiles.back().end = at + to;
        ++chunk.tiles.back().rows;
        chunk.last_filled = chunk.lines;
      }
      ++chunk.lines;
      from = to;
    }
  }
  return chunk;
}

bool RecordSource::find_tiles_by_lines(const Part& part, const Start& start, const Ranks& ranks) {
  const std::size_t size = options_.chunk_bytes, length = part.bytes.size() - start.offset;
  const auto count = static_cast<Index>((length + size - 1) / size);
  struct Chunks {
    std::vector<Chunk> list;
    void add(const Chunks& later) { list.insert(list.end(), later.list.begin(), later.list.end()); }
    void pack(Packer& packer) const {
      packer.put(list.size());
      for (const Chunk& chunk : list) chunk.pack(packer);
    }
    static Chunks unpack(Unpacker& unpacker) {
      Chunks chunks;
      for (auto left = unpacker.get<std::size_t>(); left > 0; --left)
        chunks.list.push_back(Chunk::unpack(unpacker));
      return chunks;
    }
  };
  if (count == 0) return true;
  const auto chunks = sum_over_tiles<Chunks>(
      count, ranks,
      [&](Index index) {
        const std::size_t begin = start.offset + static_cast<std::size_t>(index) * size;
        return scan(part, begin, std::min(begin + size, part.bytes.size()), index == 0);
      },
      [](Index, Chunk& chunk) { return Chunks{{std::move(chunk)}}; });
  if (!std::ranges::all_of(chunks.list, &Chunk::plain)) return false;
  Index line = start.line;
  std::optional<Index> gap;
  for (const Chunk& chunk : chunks.list) {
    if (!gap && chunk.first_blank) gap = line + *chunk.first_blank;
    if (gap && chunk.last_filled && line + *chunk.last_filled > *gap)
      refuse_record(*gap, "blank line between rows; remove it, or fill in its values");
    for (Tile tile : chunk.tiles) {
      tile.part = static_cast<Index>(parts_.size()) - 1;
      tile.line += line;
      tile.row = rows_;
      rows_ += tile.rows;
      tiles_.push_back(tile);
    }
    line += chunk.lines;
  }
  return true;
}

void RecordSource::add_row(std::size_t begin, std::size_t end, Index line) {
  const auto part = static_cast<Index>(parts_.size()) - 1;
  if (tiles_.empty() || tiles_.back().part != part || tiles_.back().rows == options_.rows)
    tiles_.push_back({.part = part, .begin = begin, .line = line, .row = rows_});
  tiles_.back().end = end;
  ++tiles_.back().rows;
  ++rows_;
}

void RecordSource::find_tiles_by_records(const Part& part) {
  BytesStream stream(part.bytes);
  CsvRecords records(stream);
  records.read_header();
  std::size_t begin = records.bytes_read();
  while (records.next_row()) {
    add_row(begin, records.bytes_read(), records.line());
    begin = records.bytes_read();
  }
}

template <class Visit>
void RecordSource::with_records(Index index, Visit&& visit) const {
  const Tile& tile = tiles_[static_cast<std::size_t>(index)];
  const Part& part = parts_[static_cast<std::size_t>(tile.part)];
  reading_table(part.bytes.name(), [&] {
    const std::string text = part.bytes.read(tile.begin, tile.end - tile.begin);
    CsvRecords records(text, part.dialect, tile.line);
    visit(records, tile);
  });
}

void RecordSource::survey(Index index, const std::vector<std::size_t>& columns,
                          std::vector<ColumnFacts>& facts) const {
  with_records(index, [&](CsvRecords& records, const Tile& tile) {
    while (records.next_row())
      for (std::size_t k = 0; k < columns.size(); ++k)
        facts[k].add(records[columns[k]], records.decimal_commas(),
                     {.part = tile.part, .line = records.line()});
  });
}

EncodedRows RecordSource::encoded(Index index, const TableEncoding& encoding,
                                  const RowOptions& options) const {
  EncodedRows rows;
  with_records(index, [&](CsvRecords& records, const Tile& tile) {
    const char mark = parts_[static_cast<std::size_t>(tile.part)].dialect.separator;
    if (options.records && mark != separator())
      throw CsvRefusal{"",
                       fmt::format("separates columns by '{}', and '{}' by '{}'; rows that stay as they were "
                                   "written need one separator",
                                   mark, shown(part_name(0), 200), separator())};
    rows = RecordEncoder(records, *this, encoding, options).read(tile.row + 1);
  });
  return rows;
}

}  // namespace ridgelet
