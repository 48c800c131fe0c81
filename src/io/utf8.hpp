/// Text must be UTF-8: it goes on into JSON, pictures and programs in other languages, which take nothing else.
#pragma once

#include <string>
#include <string_view>

namespace ridgelet {

/// The character at the start of a text that is not empty: its code point and how many bytes it has, 0 if it is not
/// UTF-8. Longer forms than needed, surrogates and code points above 0x10ffff are not UTF-8.
struct Utf8Character {
  std::size_t length = 0;
  unsigned code = 0;
};
Utf8Character first_character(std::string_view text);

bool is_utf8(std::string_view text);

/// "is not UTF-8, got 'Z?rich'; convert the file: iconv -f latin1 -t utf-8 in.csv > out.csv"
std::string utf8_complaint(std::string_view text);

}  // namespace ridgelet
