/// Small helpers for text that people read: names close to a mistyped one, numbers, lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgelet {

/// The shortest decimal text that reads back as the same double: 0.1, 1.5, 1e-06.
std::string shortest(double value);

/// "a, b, c".
std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

/// The candidate with the least edit distance to `word`, or an empty string if none is within two edits (one
/// for words of up to four letters), so that a suggestion is worth reading. A swap of neighbours is one edit.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

/// "must be one of tanh, sigmoid, gaussian, relu, got 'tahn'; did you mean 'tanh'?"
std::string unknown_name_complaint(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace ridgelet
