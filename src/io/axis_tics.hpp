/// Where an axis has its tics, placed so that there is room for their texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridgelet/fitting/columns.hpp"

namespace ridgelet {

/// Letters that fit side by side below an axis: of a panel, of a map, and of a whole page. Beside an axis that stands
/// upright they never meet.
inline constexpr int room_of_panel = 28, room_of_map = 26, room_of_page = 60, room_beside = 1000;

/// Letters of a name that fit along an axis, and of the title of the second of two maps.
inline constexpr int letters_below_map = 38, letters_beside_panel = 26, letters_beside_page = 45,
                     letters_above_map = 46;

/// Letters of 0.2, 0.4, ....
inline constexpr int letters_of_share = 3;

/// At most six numbers, or nine beside an upright axis, 1, 2 or 5 times a power of ten apart. Where six digits cannot
/// tell them apart, or they are very large or small, the tics say their difference from a round number, or how many of
/// a power of ten they are, and number_name() adds that to the name of the axis.
///   9.999999 .. 10.000001, "y"    -1  -0.5  0  0.5  1    "y − 10, in 1e-6"
std::string number_tics(std::string_view axis, double low, double high, int room);

/// The letters of the longest of these tics.
int number_letters(double low, double high, int room);

/// The name loses letters in its middle, so that all has at most `letters`.
std::string number_name(const std::string& name, double low, double high, int room, int letters);

/// Days since 1970 as dates: years, months, days, or hours, whichever the range has a few of.
///   19000 .. 19800 (2022-01-08 to 2024-03-18)    2022-07  2023-01  2023-07  2024-01
std::string date_tics(std::string_view axis, double low, double high, int room);

/// Levels by their names at 0, 1, ...: whole if there is room, or shortened so that they can be told apart; if there are
/// many, only some of them.
std::string level_tics(std::string_view axis, const std::vector<std::string>& levels, int room);

/// The tics of a column, of levels, dates or numbers, the letters of the longest where they are not levels, and the name
/// of its axis, in at most `letters`.
std::string column_tics(std::string_view axis, const ColumnEncoding& column, double low, double high,
                        int room);
int column_letters(const ColumnEncoding& column, double low, double high, int room);
std::string column_name(const ColumnEncoding& column, double low, double high, int room, int letters);

}  // namespace ridgelet
