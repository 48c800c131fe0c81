#include "utf8.hpp"

#include <fmt/format.h>

#include <array>

#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

Utf8Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {.length = 1, .code = lead};
  const std::size_t length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (length == 0 || text.size() < length) return {};
  unsigned code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3f);
  }
  constexpr std::array<unsigned, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < least[length] || code > 0x10ffff || surrogate) return {};
  return {.length = length, .code = code};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = first_character(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string utf8_complaint(std::string_view text) {
  return fmt::format("is not UTF-8, got '{}'; convert the file: iconv -f latin1 -t utf-8 in.csv > out.csv",
                     shown(text));
}

}  // namespace ridgelet
