#include "ridgelet/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string_view>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

constexpr std::size_t longest_record = 1'000'000;
constexpr int end_of_text = -1;

/// What is wrong, and where; whoever knows what the text is called makes an InvalidArgument of it.
struct Refusal {
  std::string place;  ///< ", line 17, column 'co2_ppm'", or nothing if the whole text is meant
  std::string complaint;
};

/// Bytes of the UTF-8 character at the start of `text`; 0 if it is a control character or not UTF-8.
std::size_t printable_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const std::size_t length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  unsigned code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = (code << 6) | (byte(i) & 0x3f);
  }
  constexpr std::array<unsigned, 5> least = {0, 0, 0xa0, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000, line_break = code == 0x2028 || code == 0x2029;
  return code >= least[length] && code <= 0x10ffff && !surrogate && !line_break ? length : 0;
}

/// Fit for a message of one line: at most `longest` characters, those that cannot be printed as '?'.
std::string shown(std::string_view text, std::size_t longest = 40) {
  std::string result;
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == longest) return result + "...";
    const std::size_t length = printable_length(text);
    result += length == 0 ? "?" : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

[[noreturn]] void refuse(Index line, const std::string& complaint) {
  throw Refusal{fmt::format(", line {}", line), complaint};
}

[[noreturn]] void refuse(Index line, const std::string& column, const std::string& complaint) {
  throw Refusal{fmt::format(", line {}, column '{}'", line, shown(column)), complaint};
}

bool is_blank(int character) {
  return character == ' ' || character == '\t';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The records of a stream, one at a time; every line break is read as '\n'.
class Records {
 public:
  explicit Records(std::istream& stream) : stream_(stream) {
    fill();
    if (std::string_view(buffer_.data(), size_).starts_with("\xef\xbb\xbf")) at_ = 3;
  }

  /// Moves to the next record; false at the end of the text.
  bool next() {
    text_.clear();
    ends_.clear();
    length_ = 0;
    quoted_ = false;
    line_ = next_line_;
    if (peek() == end_of_text) return false;
    while (read_field()) {
    }
    return true;
  }

  Index line() const { return line_; }
  std::size_t size() const { return ends_.size(); }
  bool blank() const { return size() == 1 && text_.empty() && !quoted_; }

  /// Field i without its quotes and without blanks around it.
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return trimmed(std::string_view(text_).substr(begin, ends_[i] - begin));
  }

 private:
  void fill() {
    stream_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    if (stream_.bad()) throw std::ios_base::failure("reading failed");
    size_ = static_cast<std::size_t>(stream_.gcount());
    at_ = 0;
  }

  int peek() {
    if (at_ == size_) fill();
    if (size_ == 0) return end_of_text;
    return buffer_[at_] == '\r' ? '\n' : static_cast<unsigned char>(buffer_[at_]);
  }

  int take() {
    const int character = peek();
    if (character == end_of_text) return character;
    const bool carriage_return = buffer_[at_++] == '\r';
    if (carriage_return && peek() == '\n' && buffer_[at_] == '\n') ++at_;
    if (character == '\n') ++next_line_;
    if (character == '\0') refuse(line_, "a NUL byte; the file is binary or UTF-16, not plain text");
    if (++length_ > longest_record + (character == '\n' ? 1 : 0))
      refuse(line_, "a line longer than 1,000,000 characters, or a quote left open");
    return character;
  }

  void skip_blanks() {
    while (is_blank(peek())) take();
  }

  /// True if another field follows.
  bool read_field() {
    skip_blanks();
    peek() == '"' ? read_quoted() : read_plain();
    ends_.push_back(text_.size());
    const int delimiter = take();
    if (delimiter != ',' && delimiter != '\n' && delimiter != end_of_text)
      refuse(line_, fmt::format("text after the closing quote of field {}; a quote within quotes is doubled",
                                ends_.size()));
    return delimiter == ',';
  }

  void read_plain() {
    for (int c = peek(); c != ',' && c != '\n' && c != end_of_text; c = peek())
      text_.push_back(static_cast<char>(take()));
  }

  void read_quoted() {
    quoted_ = true;
    take();
    for (;;) {
      const int character = take();
      if (character == end_of_text)
        refuse(line_, fmt::format("unclosed quote in field {}", ends_.size() + 1));
      if (character == '"') {
        if (peek() != '"') break;
        take();
      }
      text_.push_back(static_cast<char>(character));
    }
    skip_blanks();
  }

  std::istream& stream_;
  std::vector<char> buffer_ = std::vector<char>(1 << 16);
  std::size_t at_ = 0, size_ = 0;  ///< in the buffer
  std::string text_;               ///< the record's fields, one after another
  std::vector<std::size_t> ends_;  ///< where each of them ends
  std::size_t length_ = 0;
  bool quoted_ = false;
  Index line_ = 1, next_line_ = 1;
};

struct Column {
  std::string name;
  std::size_t field;
};

[[noreturn]] void refuse_unknown(const std::string& name, const Records& header) {
  constexpr std::size_t listed = 20, longest_suggestion = 200;
  std::vector<std::string> names, candidates;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (i < listed) names.push_back(shown(header[i]));
    if (header[i].size() <= longest_suggestion) candidates.emplace_back(header[i]);
  }
  if (header.size() > listed) names.push_back(fmt::format("... ({} in all)", header.size()));
  const std::string nearest = name.size() <= longest_suggestion ? nearest_name(name, candidates) : "";
  const bool other_separator = header.size() == 1 && header[0].find_first_of(";\t") != std::string_view::npos;
  refuse(header.line(),
         fmt::format("no column '{}'; the columns are {}{}{}", shown(name), join(names),
                     nearest.empty() ? "" : fmt::format("; did you mean '{}'?", shown(nearest)),
                     other_separator ? "; fields must be separated by commas" : ""));
}

Column find_column(const std::string& name, const Records& header) {
  Column column{name, header.size()};
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i] != name) continue;
    if (column.field < header.size()) refuse(header.line(), name, "stands in the header more than once");
    column.field = i;
  }
  if (column.field == header.size()) refuse_unknown(name, header);
  return column;
}

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 6> words = {"", "na", "n/a", "nan", "null", "none"};
  const auto same = [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b); };
  return std::ranges::any_of(words, [&](auto word) { return std::ranges::equal(text, word, same); });
}

double read_number(const Records& record, const Column& column) {
  const std::string_view text = record[column.field];
  const bool plus = text.starts_with('+') && !text.starts_with("+-");
  const char *begin = text.data() + (plus ? 1 : 0), *end = text.data() + text.size();
  double value = 0;
  const auto [rest, error] = std::from_chars(begin, end, value);
  const bool number = error != std::errc::invalid_argument && rest == end;
  if (is_missing(text) || (number && std::isnan(value)))
    refuse(record.line(), column.name,
           "missing value; missing values are refused, remove the row or fill it");
  if (!number) refuse(record.line(), column.name, fmt::format("must be a number, got '{}'", shown(text)));
  if (error == std::errc::result_out_of_range || std::isinf(value))
    refuse(record.line(), column.name,
           fmt::format("must be finite and within the range of a double, got '{}'", shown(text)));
  return value;
}

/// Moves to the next row; blank lines may only stand at the end.
bool next_row(Records& records, std::size_t fields) {
  if (!records.next()) return false;
  const Index line = records.line();
  const bool blank = records.blank();
  while (records.blank())
    if (!records.next()) return false;
  if (blank) refuse(line, "blank line between rows; remove it, or fill in its values");
  if (records.size() != fields)
    refuse(line, fmt::format("{} field{}, but the header has {}", records.size(),
                             records.size() == 1 ? "" : "s", fields));
  return true;
}

/// Doubles the room for numbers once it is full, if the memory is there.
void make_room(std::vector<double>& numbers, std::size_t more) {
  constexpr std::size_t first_room = 1 << 12;
  if (numbers.size() + more <= numbers.capacity()) return;
  const std::size_t room = std::max(first_room, 2 * (numbers.size() + more));
  require_memory(sizeof(double) * static_cast<double>(room), "data",
                 fmt::format("room for more than {} numbers", numbers.size()));
  numbers.reserve(room);
}

Matrix read_rows(Records& records, const std::vector<Column>& columns) {
  const std::size_t fields = records.size();
  std::vector<double> numbers;
  while (next_row(records, fields)) {
    make_room(numbers, columns.size());
    for (const Column& column : columns) numbers.push_back(read_number(records, column));
  }
  if (numbers.empty()) throw Refusal{"", "a header without rows"};
  require_memory(sizeof(double) * static_cast<double>(numbers.size()), "data", "the table");
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Index width = static_cast<Index>(columns.size()), count = static_cast<Index>(numbers.size());
  return Eigen::Map<const RowMajor>(numbers.data(), count / width, width);
}

Matrix read_table(std::istream& stream, const std::vector<std::string>& names) {
  Records records(stream);
  if (!records.next()) throw Refusal{"", "the file is empty"};
  if (records.blank()) refuse(records.line(), "blank line where the header should be");
  std::vector<Column> columns;
  for (const std::string& name : names) columns.push_back(find_column(name, records));
  return read_rows(records, columns);
}

std::vector<std::string> read_names(std::istream& stream) {
  Records record(stream);
  if (!record.next() || record.blank()) throw Refusal{"", "must name at least one column"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < record.size(); ++i) {
    const std::string name(record[i]);
    if (name.empty()) throw Refusal{"", fmt::format("name {} is empty", i + 1)};
    if (std::ranges::find(names, name) != names.end())
      throw Refusal{"", fmt::format("'{}' is listed twice", shown(name))};
    names.push_back(name);
  }
  if (record.next()) throw Refusal{"", "must be one line"};
  return names;
}

/// In quotes if it would not read back as it is.
std::string as_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && trimmed(text) == text) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

[[noreturn]] void fail(const std::string& name, const std::string& reason) {
  throw IoError(fmt::format("cannot read '{}': {}", shown(name, name.size()), reason));
}

}  // namespace

void write_csv(std::ostream& stream, const std::vector<std::string>& header, const MatrixView& rows) {
  std::vector<std::string> names;
  for (const std::string& name : header) names.push_back(as_field(name));
  stream << join(names, ",") << '\n';
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index j = 0; j < rows.cols(); ++j) stream << (j == 0 ? "" : ",") << shortest(rows(i, j));
    stream << '\n';
  }
}

CsvTable read_csv(const std::filesystem::path& path, const std::vector<std::string>& columns) {
  std::error_code ignored;  // what cannot be looked at cannot be opened either
  const auto status = std::filesystem::status(path, ignored);
  if (status.type() == std::filesystem::file_type::not_found) fail(path.string(), "it does not exist");
  if (status.type() == std::filesystem::file_type::directory) fail(path.string(), "it is a directory");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(path.string(), std::strerror(errno));
  return read_csv(stream, path.string(), columns);
}

CsvTable read_csv(std::istream& stream, const std::string& name, const std::vector<std::string>& columns) {
  if (columns.empty()) throw InvalidArgument("columns", "must name at least one column, got none");
  try {
    return {columns, read_table(stream, columns)};
  } catch (const Refusal& refusal) {
    throw InvalidArgument(
        "data", fmt::format("'{}'{}: {}", shown(name, name.size()), refusal.place, refusal.complaint));
  } catch (const std::ios_base::failure&) {
    fail(name, "reading failed");
  }
}

std::vector<std::string> split_columns(const std::string& list) {
  std::istringstream stream(list);
  try {
    return read_names(stream);
  } catch (const Refusal& refusal) {
    throw InvalidArgument("columns", fmt::format("{}, got '{}'", refusal.complaint, shown(list)));
  }
}

}  // namespace ridgelet
