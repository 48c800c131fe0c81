/// The records and cells of a table as text, one record at a time.
///
/// A record is a line of fields with separators between them; a field in double quotes may hold separators, line breaks
/// and, doubled, quotes (RFC 4180):
///
///   station,"height, m",co2_ppm
///   "Mauna Loa, ""MLO""",3397,316.1
///
/// Text is UTF-8; names of columns, and cells that stay text, are refused where they are not.
///
/// Lines end in LF, CRLF or CR; the last one need not end at all. A byte order mark, blanks around a field and blank
/// lines at the end mean nothing. In a field that does not begin with a quote, quotes are ordinary characters.
///
/// The separator is the comma, semicolon or tab, whichever the header has most of outside quotes; if there are equally
/// many, the first in this order. Where it is not the comma, numbers may have a decimal comma: 1,5. Then none may have
/// a point: 2.143 could be two thousand one hundred and forty-three.
#pragma once

#include <filesystem>
#include <fstream>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/types.hpp"
#include "ridgelet/io/cells.hpp"

namespace ridgelet {

/// What is wrong, and where. The caller, who knows the name of the text, turns it into an InvalidArgument.
struct CsvRefusal {
  std::string place;  ///< ", line 17, column 'co2_ppm'", or nothing if the whole text is meant
  std::string complaint;
};

[[noreturn]] void refuse_record(Index line, const std::string& complaint);
[[noreturn]] void refuse_cell(Index line, const std::string& column, const std::string& complaint);

/// The text made fit for a one-line message: at most `longest` characters, with '?' for those that cannot be printed.
std::string shown(std::string_view text, std::size_t longest = 40);

/// Place of a name in the header, which stands on line `line`. Refuses a name that is missing, with the nearest one that
/// is not among `taken`, or occurs twice.
std::size_t find_column(const std::vector<std::string>& header, const std::string& name, Index line = 1,
                        const std::vector<std::string>& taken = {});

/// What the header says of the records below it.
struct CsvDialect {
  char separator = ',';
  std::size_t columns = 0;
};

/// The records of a stream or of a text; every line break is read as '\n'. A record may have 1,000,000 characters.
///
/// A record that has neither quotes nor a lone carriage return, and is whole in the buffer, is split in place.
/// Any other is read character by character into memory of its own.
/// Memory: one record, and a buffer of 64 kB for a stream.
class CsvRecords {
 public:
  /// Finds the separator from the header.
  explicit CsvRecords(std::istream& stream);
  CsvRecords(std::istream& stream, char separator);

  /// Rows below a header that was read elsewhere; the text must outlive the records, and `first_line` is the line on
  /// which it begins.
  CsvRecords(std::string_view text, const CsvDialect& dialect, Index first_line);

  CsvRecords(const CsvRecords&) = delete;
  CsvRecords& operator=(const CsvRecords&) = delete;

  /// Moves to the next record; false at the end of the text.
  bool next();

  /// Moves to the first record, which must have names in it.
  void read_header();

  /// Moves to the next record below the header, which must have as many fields as the header; blank lines may only
  /// stand at the end. False at the end of the text.
  bool next_row();

  char separator() const { return separator_; }
  CsvDialect dialect() const { return {.separator = separator_, .columns = columns_}; }
  bool decimal_commas() const { return separator_ != ','; }
  Index line() const { return line_; }
  std::size_t size() const { return fields_.size(); }
  bool blank() const { return size() == 1 && !quoted_ && (*this)[0].empty(); }

  /// Bytes up to the end of the record, and the line that follows it.
  std::size_t bytes_read() const { return before_buffer_ + at_; }
  Index next_line() const { return next_line_; }

  /// Field i without its quotes and without blanks around it.
  std::string_view operator[](std::size_t i) const;

  /// The whole record as it was written, without the end of its line.
  std::string_view record() const;

  std::vector<std::string> fields() const;

  /// The field of the header that has this name. Refuses a name that is missing or occurs twice.
  std::size_t find_column(const std::string& name) const;

 private:
  bool next_where_it_stands();
  void read_into_memory();
  void fill();
  int peek();
  int take();
  bool is_blank(int character) const;
  void skip_blanks();
  bool read_field();
  void read_plain();
  void read_quoted();

  std::istream* stream_ = nullptr;  ///< null if the whole text is in memory
  std::vector<char> buffer_;        ///< of a stream
  const char* data_ = nullptr;      ///< the buffer, or the text
  std::size_t at_ = 0, size_ = 0;   ///< position in data_, and its length
  std::size_t before_buffer_ = 0;   ///< bytes of the stream before buffer_
  char separator_ = ',';
  std::vector<std::string_view> fields_;
  std::string_view record_;        ///< as it was written
  std::string own_record_;         ///< the same, of a record that was read into memory,
  std::string own_text_;           ///< its fields, one after another,
  std::vector<std::size_t> ends_;  ///< and where each of them ends
  std::size_t columns_ = 0;        ///< of the header
  bool quoted_ = false;
  Index line_ = 1, next_line_ = 1;
};

/// A cell that must be a number. Refuses any other; `missing_rule` says what to do about a missing value.
double read_number(const CsvRecords& records, std::size_t field, const std::string& column,
                   DecimalMarks& marks,
                   std::string_view missing_rule = "missing values are refused, remove the row or fill it");

/// Opens a table. Throws IoError.
std::ifstream open_table(const std::filesystem::path& path);

/// Calls `read`. A CsvRefusal from it becomes an InvalidArgument about "data" that names the table, and a failure of
/// the stream becomes an IoError.
template <class Read>
decltype(auto) reading_table(const std::string& name, Read&& read) {
  try {
    return read();
  } catch (const CsvRefusal& refusal) {
    throw InvalidArgument("data",
                          "'" + shown(name, name.size()) + "'" + refusal.place + ": " + refusal.complaint);
  } catch (const std::ios_base::failure&) {
    throw IoError("cannot read '" + shown(name, name.size()) + "': reading failed");
  }
}

}  // namespace ridgelet
