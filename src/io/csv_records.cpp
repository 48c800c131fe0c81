#include "ridgelet/io/csv_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <istream>
#include <utility>

#include "marked_number.hpp"
#include "ridgelet/core/text.hpp"
#include "utf8.hpp"

namespace ridgelet {

namespace {

constexpr std::size_t longest_record = 1'000'000;
constexpr int end_of_text = -1;

/// Bytes of the UTF-8 character at the start of `text`; 0 if it is a control character or not UTF-8.
std::size_t printable_length(std::string_view text) {
  const auto [length, code] = first_character(text);
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool line_break = code == 0x2028 || code == 0x2029;
  return control || line_break ? 0 : length;
}

/// The separator that the first record of the text has most of.
char separator_of(std::string_view text) {
  constexpr std::array separators = {',', ';', '\t'};
  std::array<int, separators.size()> counts = {};
  int tabs_at_the_end = 0;  // which may be mere blanks
  bool quoted = false, at_start = true, after_quotes = false;
  for (const char c : text) {
    if (!quoted && (c == '\n' || c == '\r')) break;
    if (c == '"' && (quoted || at_start || after_quotes)) {
      after_quotes = quoted;
      quoted = !quoted;
      at_start = false;
      continue;
    }
    after_quotes = false;
    if (quoted) continue;
    if (c == '\t') {
      ++tabs_at_the_end;
      continue;
    }
    if (c == ' ') continue;
    counts[2] += std::exchange(tabs_at_the_end, 0);
    at_start = c == ',' || c == ';';
    counts[0] += c == ',';
    counts[1] += c == ';';
  }
  return separators[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())];
}

/// The text without blanks at either end; tabs are blanks too if `tabs` is true.
std::string_view trimmed(std::string_view text, bool tabs) {
  const auto blank = [&](char c) { return c == ' ' || (tabs && c == '\t'); };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string shown(std::string_view text, std::size_t longest) {
  std::string result;
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == longest) return result + "...";
    const std::size_t length = printable_length(text);
    result += length == 0 ? "?" : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

void refuse_record(Index line, const std::string& complaint) {
  throw CsvRefusal{fmt::format(", line {}", line), complaint};
}

void refuse_cell(Index line, const std::string& column, const std::string& complaint) {
  throw CsvRefusal{fmt::format(", line {}, column '{}'", line, shown(column)), complaint};
}

CsvRecords::CsvRecords(std::istream& stream) : CsvRecords(stream, ',') {
  separator_ = separator_of({data_ + at_, size_ - at_});
}

CsvRecords::CsvRecords(std::istream& stream, char separator)
    : stream_(&stream), buffer_(1 << 16), data_(buffer_.data()), separator_(separator) {
  fill();
  if (std::string_view(data_, size_).starts_with("\xef\xbb\xbf")) at_ = 3;
}

CsvRecords::CsvRecords(std::string_view text, const CsvDialect& dialect, Index first_line)
    : data_(text.data()),
      size_(text.size()),
      separator_(dialect.separator),
      columns_(dialect.columns),
      line_(first_line),
      next_line_(first_line) {}

bool CsvRecords::next() {
  fields_.clear();
  quoted_ = false;
  line_ = next_line_;
  if (peek() == end_of_text) return false;
  if (!next_where_it_stands()) read_into_memory();
  return true;
}

bool CsvRecords::next_where_it_stands() {
  const char* const begin = data_ + at_;
  const auto* end = static_cast<const char*>(std::memchr(begin, '\n', size_ - at_));
  if (end == nullptr || static_cast<std::size_t>(end - begin) > longest_record) return false;
  const char* const line_end = end > begin && end[-1] == '\r' ? end - 1 : end;
  const auto highest = static_cast<unsigned char>(std::max({'"', '\r', separator_}));
  const char* field = begin;
  for (const char* p = begin; p < line_end; ++p) {
    // Most characters are digits, points and letters, and lie above the comma and the others that have a meaning.
    if (static_cast<unsigned char>(*p) > highest) continue;
    if (*p == separator_) {
      fields_.emplace_back(field, static_cast<std::size_t>(p - field));
      field = p + 1;
    } else if (*p == '"' || *p == '\r' || *p == '\0') {
      fields_.clear();
      return false;
    }
  }
  fields_.emplace_back(field, static_cast<std::size_t>(line_end - field));
  record_ = {begin, static_cast<std::size_t>(line_end - begin)};
  at_ += static_cast<std::size_t>(end + 1 - begin);
  ++next_line_;
  return true;
}

void CsvRecords::read_into_memory() {
  own_record_.clear();
  own_text_.clear();
  ends_.clear();
  while (read_field()) {
  }
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    fields_.push_back(std::string_view(own_text_).substr(begin, end - begin));
    begin = end;
  }
  record_ = own_record_;
  if (record_.ends_with('\n')) record_.remove_suffix(1);
}

void CsvRecords::read_header() {
  if (!next())
    throw CsvRefusal{"",
                     "the file is empty; it needs a line with the names of the columns, and rows below it"};
  if (blank())
    refuse_record(line_,
                  "blank line where the header should be; begin the file with the names of the columns");
  columns_ = size();
  for (std::size_t i = 0; i < size(); ++i)
    if (!is_utf8((*this)[i]))
      refuse_record(line_, fmt::format("the name of column {} {}", i + 1, utf8_complaint((*this)[i])));
}

bool CsvRecords::next_row() {
  if (!next()) return false;
  const Index first = line_;
  const bool gap = blank();
  while (blank())
    if (!next()) return false;
  if (gap) refuse_record(first, "blank line between rows; remove it, or fill in its values");
  if (size() != columns_)
    refuse_record(
        line_,
        fmt::format("{} field{}, but the header has {}; correct the row, and put text that has {} in quotes",
                    size(), size() == 1 ? "" : "s", columns_,
                    separator_ == '\t' ? "a tab" : fmt::format("a '{}'", separator_)));
  return true;
}

std::string_view CsvRecords::operator[](std::size_t i) const {
  return trimmed(fields_[i], separator_ != '\t');
}

std::string_view CsvRecords::record() const {
  return record_;
}

std::vector<std::string> CsvRecords::fields() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < size(); ++i) texts.emplace_back((*this)[i]);
  return texts;
}

std::size_t CsvRecords::find_column(const std::string& name) const {
  return ridgelet::find_column(fields(), name, line_);
}

void CsvRecords::fill() {
  before_buffer_ += size_;
  at_ = size_ = 0;
  if (stream_ == nullptr) return;
  stream_->read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  if (stream_->bad()) throw std::ios_base::failure("reading failed");
  size_ = static_cast<std::size_t>(stream_->gcount());
}

int CsvRecords::peek() {
  if (at_ == size_) fill();
  if (size_ == 0) return end_of_text;
  return data_[at_] == '\r' ? '\n' : static_cast<unsigned char>(data_[at_]);
}

int CsvRecords::take() {
  const int character = peek();
  if (character == end_of_text) return character;
  const bool carriage_return = data_[at_++] == '\r';
  if (carriage_return && peek() == '\n' && data_[at_] == '\n') ++at_;
  if (character == '\n') ++next_line_;
  if (character == '\0')
    refuse_record(
        line_,
        "a NUL byte; the file is binary or UTF-16, not plain text; convert UTF-16: iconv -f utf-16 -t "
        "utf-8 in.csv > out.csv");
  own_record_.push_back(static_cast<char>(character));
  if (own_record_.size() > longest_record + (character == '\n' ? 1 : 0))
    refuse_record(line_, "a line longer than 1,000,000 characters, or a quote left open");
  return character;
}

bool CsvRecords::is_blank(int character) const {
  return character != separator_ && (character == ' ' || character == '\t');
}

void CsvRecords::skip_blanks() {
  while (is_blank(peek())) take();
}

/// True if another field follows.
bool CsvRecords::read_field() {
  skip_blanks();
  peek() == '"' ? read_quoted() : read_plain();
  ends_.push_back(own_text_.size());
  const int delimiter = take();
  if (delimiter != separator_ && delimiter != '\n' && delimiter != end_of_text)
    refuse_record(line_,
                  fmt::format("text after the closing quote of field {}; a quote within quotes is doubled",
                              ends_.size()));
  return delimiter == separator_;
}

void CsvRecords::read_plain() {
  for (int c = peek(); c != separator_ && c != '\n' && c != end_of_text; c = peek())
    own_text_.push_back(static_cast<char>(take()));
}

void CsvRecords::read_quoted() {
  quoted_ = true;
  take();
  for (;;) {
    const int character = take();
    if (character == end_of_text)
      refuse_record(line_,
                    fmt::format("unclosed quote in field {}; add the quote that closes it, or take it out",
                                ends_.size() + 1));
    if (character == '"') {
      if (peek() != '"') break;
      take();
    }
    own_text_.push_back(static_cast<char>(character));
  }
  skip_blanks();
}

double read_number(const CsvRecords& records, std::size_t field, const std::string& column,
                   DecimalMarks& marks, std::string_view missing_rule) {
  const std::string_view text = records[field];
  const Cell cell = read_cell(text, records.decimal_commas());
  const auto refuse = [&](const std::string& complaint) { refuse_cell(records.line(), column, complaint); };
  switch (cell.kind) {
    case Cell::Kind::missing:
      refuse(fmt::format("missing value; {}", missing_rule));
      break;
    case Cell::Kind::text:
      refuse(number_complaint(text));
      break;
    case Cell::Kind::out_of_range:
      refuse(range_complaint(text));
      break;
    case Cell::Kind::number:
      marks.add(cell, records.line(), column);
  }
  return cell.value;
}

std::ifstream open_table(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& reason) {
    const std::string name = path.string();
    throw IoError(fmt::format("cannot read '{}': {}", shown(name, name.size()), reason));
  };
  std::error_code ignored;  // where status() fails, opening the file fails too
  const auto status = std::filesystem::status(path, ignored);
  if (status.type() == std::filesystem::file_type::not_found) fail("it does not exist");
  if (status.type() == std::filesystem::file_type::directory) fail("it is a directory");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(std::strerror(errno));
  return stream;
}

}  // namespace ridgelet
