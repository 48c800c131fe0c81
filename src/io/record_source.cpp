#include "record_source.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "column_facts.hpp"
#include "record_encoder.hpp"

namespace ridgelet {

namespace {

/// The ends of the lines of a text that comes in pieces: visit(begin, end, blank) for each line, where its bytes are
/// [begin, end) with the end of line.
class LineScan {
 public:
  LineScan(std::size_t offset, char separator)
      : blanks_(separator == '\t' ? " \r" : " \t\r"), line_begin_(offset), offset_(offset) {}

  /// False where quotes or lone carriage returns leave in doubt what a line is.
  template <class Visit>
  bool add(std::string_view piece, Visit&& visit) {
    if (std::memchr(piece.data(), '"', piece.size()) != nullptr || !only_before_line_feeds(piece))
      return false;
    for (std::size_t at = 0; at < piece.size();) {
      const auto* const feed =
          static_cast<const char*>(std::memchr(piece.data() + at, '\n', piece.size() - at));
      const std::size_t end = feed == nullptr ? piece.size() : static_cast<std::size_t>(feed - piece.data());
      blank_ = blank_ && piece.substr(at, end - at).find_first_not_of(blanks_) == std::string_view::npos;
      if (feed == nullptr) break;
      visit(line_begin_, offset_ + end + 1, blank_);
      line_begin_ = offset_ + end + 1;
      blank_ = true;
      at = end + 1;
    }
    offset_ += piece.size();
    return true;
  }

  /// A last line without an end.
  template <class Visit>
  void finish(Visit&& visit) {
    if (offset_ > line_begin_) visit(line_begin_, offset_, blank_);
  }

  std::size_t open_line() const { return offset_ - line_begin_; }

 private:
  static bool only_before_line_feeds(std::string_view piece) {
    for (std::size_t at = piece.find('\r'); at != std::string_view::npos; at = piece.find('\r', at + 1))
      if (at + 1 == piece.size() || piece[at + 1] != '\n') return false;
    return true;
  }

  std::string_view blanks_;
  std::size_t line_begin_, offset_;
  bool blank_ = true;
};

/// Room for the longest record and its end.
constexpr std::size_t longest_line = 1'000'002;

}  // namespace

RecordSource::RecordSource(std::vector<FileBytes> files, Index tile_rows) : tile_rows_(tile_rows) {
  name_ = files.size() == 1 ? files.front().name()
                            : fmt::format("{} and {} more", files.front().name(), files.size() - 1);
  for (FileBytes& file : files) {
    Part& part = parts_.emplace_back(Part{std::move(file), {}});
    reading_table(part.bytes.name(), [&] {
      const Start start = read_header(part);
      const auto tiles = tiles_.size();
      const Index rows = rows_;
      if (!find_tiles_by_lines(part, start)) {
        tiles_.resize(tiles);
        rows_ = rows;
        find_tiles_by_records(part);
      }
      if (rows_ == rows) throw CsvRefusal{"", "a header without rows"};
    });
  }
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

void RecordSource::add_row(std::size_t begin, std::size_t end, Index line) {
  const auto part = static_cast<Index>(parts_.size()) - 1;
  if (tiles_.empty() || tiles_.back().part != part || tiles_.back().rows == tile_rows_)
    tiles_.push_back({.part = part, .begin = begin, .line = line, .row = rows_});
  tiles_.back().end = end;
  ++tiles_.back().rows;
  ++rows_;
}

bool RecordSource::find_tiles_by_lines(const Part& part, const Start& start) {
  std::vector<char> buffer(1 << 20);
  LineScan scan(start.offset, part.dialect.separator);
  Index line = start.line;
  std::optional<Index> gap;
  const auto visit = [&](std::size_t begin, std::size_t end, bool blank) {
    if (blank && !gap) gap = line;
    if (!blank && gap) refuse_record(*gap, "blank line between rows; remove it, or fill in its values");
    if (!blank) add_row(begin, end, line);
    ++line;
  };
  for (std::size_t offset = start.offset; offset < part.bytes.size();) {
    std::size_t count = part.bytes.read(offset, buffer.data(), buffer.size());
    // A carriage return and its line feed stay together.
    if (buffer[count - 1] == '\r' && count > 1) --count;
    if (!scan.add({buffer.data(), count}, visit)) return false;
    if (scan.open_line() > longest_line) return false;
    offset += count;
  }
  scan.finish(visit);
  return true;
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
    rows = RecordEncoder(records, *this, encoding, options).read(tile.row + 1);
  });
  return rows;
}

}  // namespace ridgelet
