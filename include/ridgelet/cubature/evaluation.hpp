/// Points of the domain at which errors are measured and paths are drawn.
///
/// One or two inputs: a regular grid that includes the boundary, of about `count` points (n = count, or
/// round(sqrt(count)) on each axis, the first axis slowest). More inputs: `count` points uniform on the
/// domain, drawn from the seed.
#pragma once

#include <cstdint>

#include "ridgelet/cubature/box.hpp"

namespace ridgelet {

Matrix evaluation_points(const Box& domain, Index count, std::uint64_t seed);

/// The rows in the order of core/row_order.hpp: a choice among them then does not depend on the order in which they came.
Matrix sorted_rows(const Matrix& rows);

/// `count` inputs between and around the rows, where predictions will be asked for: midpoints, each between a random row
/// and the nearest of a few other random rows, with every input in units of its range; in three inputs or more
/// half of them are inputs that further rows might have (likely_inputs.hpp), and up to a fifth lie in the gaps of columns
/// that have some (gap_inputs.hpp). Columns of two values keep them, since half a level is none. The order of the rows does
/// not matter.
Matrix points_between(const Matrix& rows, Index count, std::uint64_t seed);

}  // namespace ridgelet
