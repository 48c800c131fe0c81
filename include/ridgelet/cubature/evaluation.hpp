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

}  // namespace ridgelet
