/// Numbers that a spreadsheet has dressed up for people: "1,200", "$1200", "12%", "35 kg".
///
/// Such cells are text to a reader of numbers. Left alone they would become as many classes or levels as there are
/// different amounts, which is never what was meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgelet {

/// The number as it should be written, of a cell that is no number as it stands; nothing for any other text. Marks are
/// those between thousands (comma, point, blank, apostrophe), a decimal comma, the sign of a currency before or behind, and a
/// per cent sign or one of the common units behind.
///   without_marks("1,200") = "1200"        without_marks("$ 1.200,50") = "1200.50"
///   without_marks("12%") = "12"            without_marks("2020-Q1"), ("10-20"), ("A1"), ("1.2.3"): nothing
std::optional<std::string> without_marks(std::string_view text);

/// "write plain numbers: 1200, not '1,200'", where `text` is a number with marks.
std::string plain_number_advice(std::string_view text);

/// "must be a number, got '-'; correct it, or leave the row out", or with the advice on marks.
std::string number_complaint(std::string_view text);

}  // namespace ridgelet
