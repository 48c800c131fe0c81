/// Inputs that further rows might have in the gaps of a skewed column.
///
/// The largest of 300 areas may be 254, 261 and 398. A further row may lie between the last two, where inputs that resemble
/// rows (likely_inputs.hpp) hardly ever do: a network whose nodes lie at rows alone had an error of a third of the process's
/// standard deviation there, and a certificate of 0.4 %.
///
/// A gap is the space between two neighbouring values of a column if it is wider than a twentieth of the column's range
/// and than six times the mean distance of neighbouring values, so that a column of whole numbers has none. An input
/// of a gap has a random value in it; all other columns are by turns those of the row at one of its ends and of any row.
#pragma once

#include <cstdint>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// `of_each` such inputs for each gap, the widest parts of a range first, but no more than `most` in all. There are none
/// where no column has a gap. The order of the rows does not matter. Cost n log(n) d.
Matrix gap_inputs(const Matrix& rows, Index of_each, Index most, std::uint64_t seed);

}  // namespace ridgelet
