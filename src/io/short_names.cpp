#include "short_names.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

namespace ridgelet {

namespace {

constexpr const char* ellipsis = "…";

/// In UTF-8 a letter may have several bytes; those after the first begin with the bits 10.
bool begins_letter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

/// `count` letters, from number `first` on.
std::string part_of(const std::string& text, std::size_t first, std::size_t count) {
  std::string part;
  std::size_t letter = 0;
  for (const char byte : text) {
    if (begins_letter(byte)) ++letter;
    if (letter > first && letter <= first + count) part += byte;
  }
  return part;
}

/// At most `most` letters, the first of them an ellipsis where there were more.
std::string without_beginning(const std::string& text, std::size_t most) {
  const std::size_t letters = letters_of(text);
  return letters <= most ? text : ellipsis + part_of(text, letters - most + 1, most - 1);
}

/// The largest number of letters, up to `most`, for which part(name, number) is the same for all names.
std::size_t letters_in_common(const std::vector<std::string>& names, std::size_t most,
                              const std::function<std::string(const std::string&, std::size_t)>& part) {
  std::size_t common = 0;
  while (common < most && std::ranges::all_of(names, [&](const std::string& name) {
           return part(name, common + 1) == part(names[0], common + 1);
         }))
    ++common;
  return common;
}

/// Whether a word may go on after this letter.
bool is_of_word(const std::string& letter) {
  return letter.size() > 1 || std::isalnum(static_cast<unsigned char>(letter[0]));
}

/// Letters that all names begin with, up to the end of a word: of "No. 10" and "No. 12" they are "No. ", and not "No. 1".
std::size_t common_beginning(const std::vector<std::string>& names, std::size_t most) {
  std::size_t common = letters_in_common(
      names, most, [](const std::string& name, std::size_t n) { return part_of(name, 0, n); });
  while (common > 0 && is_of_word(part_of(names[0], common - 1, 1))) --common;
  return common;
}

/// The same at the end of all names.
std::size_t common_end(const std::vector<std::string>& names, std::size_t most) {
  std::size_t common = letters_in_common(names, most, [](const std::string& name, std::size_t n) {
    return part_of(name, letters_of(name) - n, n);
  });
  while (common > 0 && is_of_word(part_of(names[0], letters_of(names[0]) - common, 1))) --common;
  return common;
}

/// Names without what all of them begin and end with, for which an ellipsis stands.
std::vector<std::string> what_differs(const std::vector<std::string>& names) {
  std::size_t shortest = letters_of(names[0]);
  for (const std::string& name : names) shortest = std::min(shortest, letters_of(name));
  const std::size_t beginning = common_beginning(names, shortest),
                    end = common_end(names, shortest - beginning);
  std::vector<std::string> parts;
  for (const std::string& name : names)
    parts.push_back((beginning > 0 ? ellipsis : "") +
                    part_of(name, beginning, letters_of(name) - beginning - end) + (end > 0 ? ellipsis : ""));
  return parts;
}

bool are_distinct(const std::vector<std::string>& names) {
  return std::set(names.begin(), names.end()).size() == names.size();
}

}  // namespace

std::size_t letters_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_letter));
}

std::string shortened(const std::string& text, std::size_t most) {
  return letters_of(text) <= most ? text : part_of(text, 0, most - 1) + ellipsis;
}

std::string shortened_within(const std::string& text, std::size_t most) {
  const std::size_t letters = letters_of(text);
  if (letters <= most) return text;
  const std::size_t end = (most - 1) / 2;
  return part_of(text, 0, most - 1 - end) + ellipsis + part_of(text, letters - end, end);
}

std::vector<std::string> distinct_short_names(const std::vector<std::string>& names, std::size_t most) {
  const auto each = [most](const std::vector<std::string>& all, const auto& shorten) {
    std::vector<std::string> short_names;
    for (const std::string& name : all) short_names.push_back(shorten(name, most));
    return short_names;
  };
  const std::vector<std::string> different = what_differs(names);
  for (const std::vector<std::string>& candidate :
       {each(names, shortened), each(names, shortened_within), each(different, shortened),
        each(names, without_beginning), each(different, without_beginning)})
    if (are_distinct(candidate)) return candidate;
  return each(names, shortened);
}

}  // namespace ridgelet
