#include "marked_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

namespace {

constexpr std::array<std::string_view, 4> wide_blanks = {" ", "\u00a0", "\u2009", "\u202f"};
constexpr std::array<std::string_view, 3> signs = {"-", "+", "\u2212"};
constexpr std::array<std::string_view, 8> currencies = {"$", "€", "£", "¥", "USD", "EUR", "GBP", "CHF"};
constexpr std::array<std::string_view, 34> units = {"%",  "‰",   "mm", "cm", "m",  "km",   "m2", "m²",  "in",
                                                    "ft", "mi",  "g",  "mg", "kg", "t",    "lb", "lbs", "oz",
                                                    "ml", "l",   "L",  "s",  "ms", "min",  "h",  "hrs", "W",
                                                    "kW", "kWh", "V",  "°C", "°F", "km/h", "mph"};

bool take_one_of(std::string_view& text, const auto& words) {
  const auto found = std::ranges::find_if(words, [&](auto word) { return text.starts_with(word); });
  if (found == words.end()) return false;
  text.remove_prefix(found->size());
  return true;
}

/// "-", or nothing for no sign and for a plus.
std::string take_sign(std::string_view& text) {
  const bool minus = text.starts_with('-') || text.starts_with("\u2212");
  take_one_of(text, signs);
  return minus ? "-" : "";
}

std::string_view take_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

/// A mark between thousands, or nothing.
std::string_view mark_at(std::string_view text) {
  for (const std::string_view mark : {",", ".", "'", "\u2019"})
    if (text.starts_with(mark)) return mark;
  for (const std::string_view blank : wide_blanks)
    if (text.starts_with(blank)) return blank;
  return {};
}

/// Appends the groups of three digits that follow, all behind the same mark: ",200,000".
void take_thousands(std::string_view& text, std::string& number) {
  const std::string_view mark = mark_at(text);
  while (!mark.empty() && text.starts_with(mark)) {
    std::string_view rest = text.substr(mark.size());
    const std::string_view digits = take_digits(rest);
    if (digits.size() != 3) return;
    number += digits;
    text = rest;
  }
}

/// Appends the decimals that follow: ".50" or ",50".
bool take_decimals(std::string_view& text, std::string& number) {
  if (!text.starts_with('.') && !text.starts_with(',')) return true;
  text.remove_prefix(1);
  const std::string_view digits = take_digits(text);
  number += "." + std::string(digits);
  return !digits.empty();
}

/// Blanks and a currency or unit, up to the end of the text.
bool is_dressing(std::string_view text) {
  take_one_of(text, wide_blanks);
  return text.empty() || std::ranges::find(currencies, text) != currencies.end() ||
         std::ranges::find(units, text) != units.end();
}

}  // namespace

std::optional<std::string> without_marks(std::string_view text) {
  std::string number = take_sign(text);
  if (take_one_of(text, currencies)) {
    take_one_of(text, wide_blanks);
    if (number.empty()) number = take_sign(text);
  }
  const std::string_view digits = take_digits(text);
  if (digits.empty()) return std::nullopt;
  number += digits;
  // A point in front of three digits is decimal unless more of them or a decimal comma follow.
  std::string_view rest = text;
  std::string thousands = number;
  if (digits.size() <= 3) take_thousands(rest, thousands);
  const bool decimal_point =
      text.starts_with('.') && thousands.size() == number.size() + 3 && !rest.starts_with(',');
  if (!decimal_point) {
    text = rest;
    number = thousands;
  }
  if (!take_decimals(text, number) || !is_dressing(text)) return std::nullopt;
  return number;
}

std::string number_complaint(std::string_view text) {
  return fmt::format("must be a number, got '{}'; {}", shown(text),
                     without_marks(text) ? plain_number_advice(text) : "correct it, or leave the row out");
}

std::string plain_number_advice(std::string_view text) {
  return fmt::format("write plain numbers: {}, not '{}'", shown(without_marks(text).value_or("")),
                     shown(text));
}

}  // namespace ridgelet
