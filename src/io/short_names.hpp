/// Names that fit into the room that a picture has for them.
///
/// A letter is one code point of UTF-8.
#pragma once

#include <string>
#include <vector>

namespace ridgelet {

std::size_t letters_of(const std::string& text);

/// At most `most` letters, the last of them an ellipsis where there were more.
std::string shortened(const std::string& text, std::size_t most);

/// At most `most` letters, with an ellipsis in the middle where there were more: the beginning of a name says what it
/// is, and its end often has the unit.
///   "floor area by survey (square metres)", 21    "floor area…re metres)"
std::string shortened_within(const std::string& text, std::size_t most);

/// Names that differ from one another as those of `names` do, of at most `most` letters if that is possible: they lose
/// their end, their middle, their beginning, or the words that all of them begin and end with. Names that fit stay as they are.
///   {"zone number 1 west", "zone number 2 west"}, 5    {"…1…", "…2…"}
std::vector<std::string> distinct_short_names(const std::vector<std::string>& names, std::size_t most);

}  // namespace ridgelet
