/// Where an axis has its tics, placed so that there is room for their texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridgelet/fitting/columns.hpp"

namespace ridgelet {

/// Letters that fit side by side below an axis: of a panel, of a map, and of a whole page.
inline constexpr int room_of_panel = 28, room_of_map = 40, room_of_page = 60;

/// At most six numbers, 1, 2 or 5 times a power of ten apart.
std::string number_tics(std::string_view axis, double low, double high, int room);

/// Days since 1970 as dates: years, months, days, or hours, whichever the range has a few of.
///   19000 .. 19800 (2022-01-08 to 2024-03-18)    2022-07  2023-01  2023-07  2024-01
std::string date_tics(std::string_view axis, double low, double high, int room);

/// Levels by their names at 0, 1, ..., shortened to fit; if there are many, only some of them.
std::string level_tics(std::string_view axis, const std::vector<std::string>& levels, int room);

/// The tics of a column: of levels, dates or numbers.
std::string column_tics(std::string_view axis, const ColumnEncoding& column, double low, double high,
                        int room);

}  // namespace ridgelet
