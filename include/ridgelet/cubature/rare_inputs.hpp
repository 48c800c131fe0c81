/// Inputs that further rows with a rare level might have.
///
/// A level of a text that few rows have is a column that is 1 in them and 0 in all others. What the other columns may be
/// beside it those few rows do not show, and a network whose nodes lie at them alone is sure of itself between them: of
/// 6,000 rows with 5 of level c, 95 % intervals at new rows of that level held 38 % of them, those of the exact process
/// 92 %.
///
/// So rows are put together: columns of two values from a row with a rare one, all other columns from a random row.
/// Levels of one text come from one row that way, and stay a level.
#pragma once

#include <cstdint>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// The columns with exactly two values, as levels of a text have them. Between the two there are no rows.
std::vector<Index> columns_of_two_values(const Matrix& rows);

/// For each column of two values one of which at most a twentieth of the rows have: `of_each` such inputs with that value,
/// or fewer, so that there are no more than `most` in all. The order of the rows does not matter. Cost n log(n) d.
Matrix rare_inputs(const Matrix& rows, Index of_each, Index most, std::uint64_t seed);

}  // namespace ridgelet
