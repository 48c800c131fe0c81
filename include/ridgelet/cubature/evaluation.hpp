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

/// The rows in the order of their first column, those that agree there in that of their second, and so on: a choice
/// among them then does not depend on the order in which they came.
Matrix sorted_rows(const Matrix& rows);

/// `count` midpoints: of a row of X at random and the nearest of a few others, each input in units of its range. The
/// order of rows does not matter.
Matrix points_between(const Matrix& rows, Index count, std::uint64_t seed);

}  // namespace ridgelet
