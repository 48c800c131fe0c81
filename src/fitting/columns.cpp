#include "ridgelet/fitting/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include "ridgelet/core/errors.hpp"

namespace ridgelet {

namespace {

constexpr std::array<std::pair<std::string_view, ColumnKind>, 4> kind_names = {
    {{"number", ColumnKind::number},
     {"log", ColumnKind::logarithm},
     {"date", ColumnKind::date},
     {"levels", ColumnKind::levels}}};
constexpr std::array<std::pair<std::string_view, ResponseTransform>, 2> transform_names = {
    {{"none", ResponseTransform::none}, {"log", ResponseTransform::log}}};

template <class Names, class Value>
std::string_view name_of(const Names& names, Value value) {
  return std::ranges::find(names, value, [](const auto& each) { return each.second; })->first;
}

/// In quotes; whatever is not a printable ASCII character is written as \xNN.
std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (c >= ' ' && c <= '~')
      result += c;
    else
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return result + '"';
}

/// Words and quoted texts of an encoding, one after the other.
class EncodingReader {
 public:
  explicit EncodingReader(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }

  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!take(c)) refuse();
  }

  std::string_view word() {
    const std::string_view taken = text_.substr(0, std::min(text_.find(' '), text_.size()));
    text_.remove_prefix(taken.size());
    expect(' ');
    return taken;
  }

  std::string quoted_text() {
    std::string result;
    for (expect('"'); !take('"');) result += take('\\') ? escaped() : next();
    return result;
  }

  template <class Names>
  auto value_of(const Names& names) {
    const std::string_view name = word();
    const auto found = std::ranges::find(names, name, [](const auto& each) { return each.first; });
    if (found == names.end()) refuse();
    return found->second;
  }

  [[noreturn]] void refuse() const {
    throw InvalidArgument("encoding",
                          fmt::format("cannot be read {} characters before its end", text_.size()));
  }

 private:
  char next() {
    if (text_.empty()) refuse();
    const char c = text_.front();
    text_.remove_prefix(1);
    return c;
  }

  char escaped() {
    const char c = next();
    if (c == '"' || c == '\\') return c;
    unsigned value = 0;
    const std::string_view digits = text_.substr(0, 2);
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (c != 'x' || error != std::errc{} || digits.size() != 2 || stop != digits.data() + 2) refuse();
    text_.remove_prefix(2);
    return static_cast<char>(value);
  }

  std::string_view text_;
};

/// A number of exactly `digits` digits at the start of the text, which moves past it.
std::optional<int> take_digits(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// Two numbers below 24 and 60 with a colon between, as minutes.
std::optional<int> take_minutes(std::string_view& text) {
  const auto hours = take_digits(text, 2);
  if (!hours || !take(text, ':')) return std::nullopt;
  const auto minutes = take_digits(text, 2);
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return 60 * *hours + *minutes;
}

/// ":ss" or ":ss.fff" as seconds, 0 if the time ends before them.
std::optional<double> take_seconds(std::string_view& text) {
  if (!take(text, ':')) return 0.0;
  const auto whole = take_digits(text, 2);
  if (!whole || *whole > 59) return std::nullopt;
  double seconds = *whole;
  if (!text.starts_with('.')) return seconds;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  double fraction = 0;
  if (std::from_chars(text.data(), text.data() + end, fraction).ec != std::errc{}) return std::nullopt;
  text.remove_prefix(end);
  return seconds + fraction;
}

/// "Z", "+02:00" or nothing, as minutes ahead of universal time.
std::optional<int> take_offset(std::string_view& text) {
  if (text.empty() || take(text, 'Z')) return 0;
  const bool behind = text.starts_with('-');
  if (!take(text, '+') && !take(text, '-')) return std::nullopt;
  const auto minutes = take_minutes(text);
  return !minutes ? minutes : behind ? -*minutes : *minutes;
}

/// A day YYYY-MM-DD, or the first day of a month YYYY-MM with nothing behind it.
std::optional<double> take_day(std::string_view& text) {
  const auto year = take_digits(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_digits(text, 2);
  const bool of_month = text.empty();
  if (!month || (!of_month && !take(text, '-'))) return std::nullopt;
  const auto day = of_month ? 1 : take_digits(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

}  // namespace

Index ColumnEncoding::width() const {
  return kind == ColumnKind::levels ? static_cast<Index>(levels.size()) : 1;
}

std::vector<std::string> ColumnEncoding::input_names() const {
  if (kind == ColumnKind::logarithm) return {log_of(name)};
  if (kind != ColumnKind::levels) return {name};
  std::vector<std::string> names;
  for (const std::string& level : levels) names.push_back(name + "=" + level);
  return names;
}

std::optional<Index> ColumnEncoding::place_of(std::string_view level) const {
  const auto found = std::ranges::lower_bound(levels, level, std::less<>{});
  if (found == levels.end() || *found != level) return std::nullopt;
  return found - levels.begin();
}

std::optional<Index> ResponseEncoding::place_of(std::string_view level) const {
  auto found = std::ranges::find(levels, level);
  const auto is_number = [](std::string_view text) { return number_of_class(text).has_value(); };
  if (found == levels.end() && is_number(level) && std::ranges::all_of(levels, is_number))
    found = std::ranges::find(levels, number_of_class(level), number_of_class);
  if (found == levels.end()) return std::nullopt;
  return found - levels.begin();
}

std::string ResponseEncoding::name() const {
  return transform == ResponseTransform::log ? log_of(column) : column;
}

TableEncoding TableEncoding::of_numbers(const std::vector<std::string>& inputs,
                                        const std::vector<std::string>& outputs) {
  TableEncoding encoding;
  for (const std::string& name : inputs) encoding.inputs.push_back({.name = name});
  for (const std::string& name : outputs) encoding.outputs.push_back({.column = name});
  return encoding;
}

Index TableEncoding::width() const {
  Index sum = 0;
  for (const ColumnEncoding& column : inputs) sum += column.width();
  return sum;
}

std::vector<std::string> TableEncoding::input_names() const {
  std::vector<std::string> names;
  for (const ColumnEncoding& column : inputs)
    std::ranges::move(column.input_names(), std::back_inserter(names));
  return names;
}

std::vector<std::string> TableEncoding::output_names() const {
  std::vector<std::string> names;
  for (const ResponseEncoding& response : outputs) names.push_back(response.name());
  return names;
}

std::vector<std::string> TableEncoding::response_names() const {
  std::vector<std::string> names;
  for (const ResponseEncoding& response : outputs)
    if (!response.exposure) names.push_back(response.name());
  return names;
}

std::vector<std::string> response_columns(const std::vector<ResponseEncoding>& responses) {
  std::vector<std::string> names;
  for (const ResponseEncoding& response : responses) names.push_back(response.column);
  return names;
}

std::optional<std::string> TableEncoding::exposure() const {
  const auto found = std::ranges::find(outputs, true, &ResponseEncoding::exposure);
  return found == outputs.end() ? std::nullopt : std::optional(found->column);
}

std::string to_text(const TableEncoding& encoding) {
  std::string lines;
  for (const ColumnEncoding& column : encoding.inputs) {
    lines += fmt::format("input {} {}", name_of(kind_names, column.kind), in_quotes(column.name));
    for (const std::string& level : column.levels) lines += " " + in_quotes(level);
    lines += "\n";
  }
  for (const ResponseEncoding& response : encoding.outputs) {
    lines += fmt::format("{} {} {}", response.exposure ? "exposure" : "output",
                         name_of(transform_names, response.transform), in_quotes(response.column));
    for (const std::string& level : response.levels) lines += " " + in_quotes(level);
    lines += "\n";
  }
  return lines;
}

TableEncoding parse_table_encoding(std::string_view text) {
  TableEncoding encoding;
  EncodingReader reader(text);
  while (!reader.at_end()) {
    const std::string_view role = reader.word();
    if (role == "input") {
      const ColumnKind kind = reader.value_of(kind_names);
      ColumnEncoding& column = encoding.inputs.emplace_back(ColumnEncoding{reader.quoted_text(), kind});
      while (reader.take(' ')) column.levels.push_back(reader.quoted_text());
    } else if (role == "output" || role == "exposure") {
      const ResponseTransform transform = reader.value_of(transform_names);
      ResponseEncoding& response =
          encoding.outputs.emplace_back(ResponseEncoding{reader.quoted_text(), transform});
      while (reader.take(' ')) response.levels.push_back(reader.quoted_text());
      response.exposure = role == "exposure";
    } else {
      reader.refuse();
    }
    reader.expect('\n');
  }
  return encoding;
}

std::optional<double> days_since_1970(std::string_view text) {
  const auto day = take_day(text);
  if (!day || text.empty()) return day;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const auto minutes = take_minutes(text);
  if (!minutes) return std::nullopt;
  const auto seconds = take_seconds(text);
  if (!seconds) return std::nullopt;
  const auto offset = take_offset(text);
  if (!offset || !text.empty()) return std::nullopt;
  return *day + (60.0 * (*minutes - *offset) + *seconds) / 86400;
}

std::string day_text(double days) {
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(std::floor(days))))};
  return fmt::format("{:04}-{:02}-{:02}", int(date.year()), unsigned(date.month()), unsigned(date.day()));
}

std::optional<double> number_of_class(std::string_view text) {
  std::string digits(text.substr(text.starts_with('+') && !text.starts_with("+-") ? 1 : 0));
  if (digits.find('.') == std::string::npos)
    if (const std::size_t comma = digits.find(','); comma != std::string::npos) digits[comma] = '.';
  double value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || stop != digits.data() + digits.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string log_of(const std::string& column) {
  return "log(" + column + ")";
}

std::optional<std::string> column_in_log(std::string_view text) {
  constexpr std::string_view opening = "log(";
  if (!text.starts_with(opening) || !text.ends_with(')')) return std::nullopt;
  text = text.substr(opening.size(), text.size() - opening.size() - 1);
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return std::nullopt;
  return std::string(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

}  // namespace ridgelet
