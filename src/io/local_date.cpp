#include "local_date.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

namespace {

/// A number of one or two digits, or of four, taken from the start of the text.
struct Part {
  int value = 0;
  std::size_t digits = 0;
};

std::optional<Part> take_part(std::string_view& text) {
  Part part;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    part.value = 10 * part.value + (text.front() - '0');
    if (++part.digits > 4) return std::nullopt;
    text.remove_prefix(1);
  }
  return part.digits == 0 || part.digits == 3 ? std::nullopt : std::optional(part);
}

bool take(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  return true;
}

/// "14:05" or "14:05:30", and nothing behind.
bool is_time(std::string_view text) {
  const auto hours = take_part(text);
  if (!hours || hours->digits > 2 || hours->value > 24) return false;
  for (int parts = 1; parts <= 2; ++parts) {
    const bool more = take(text, ':');
    if (!more) return parts == 2 && text.empty();
    const auto part = take_part(text);
    if (!part || part->digits != 2 || part->value > 60) return false;
  }
  return text.empty();
}

bool is_day_and_month(const Part& one, const Part& other) {
  const auto [less, more] = std::minmax(one.value, other.value);
  return std::max(one.digits, other.digits) <= 2 && less >= 1 && less <= 12 && more <= 31;
}

}  // namespace

bool is_local_date(std::string_view text) {
  if (is_time(text)) return true;
  std::array<Part, 3> parts;
  const auto first = take_part(text);
  if (!first || text.empty()) return false;
  const char mark = text.front();
  if (mark != '.' && mark != '/' && mark != '-') return false;
  parts[0] = *first;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto part = take(text, mark) ? take_part(text) : std::nullopt;
    if (!part) return false;
    parts[i] = *part;
  }
  if (!text.empty() && !(take(text, ' ') && is_time(text))) return false;
  const auto& [a, b, c] = parts;
  if (a.digits == 4) return is_day_and_month(b, c);
  return (c.digits == 4 || (c.digits == 2 && mark != '.')) && is_day_and_month(a, b);
}

std::string iso_date_advice(std::string_view text) {
  return is_time(text)
             ? fmt::format("write times of day as numbers of hours, such as 14.5, not '{}'", shown(text))
             : fmt::format("write dates as 2024-01-31, not '{}'", shown(text));
}

}  // namespace ridgelet
