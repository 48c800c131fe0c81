/// An order of rows that does not depend on the order in which they came.
#pragma once

#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// The numbers of the rows, sorted by their first column, those that agree there by their second, and so on: what is chosen
/// by places in this order is the same rows, however a table is sorted. Cost n log(n) comparisons.
std::vector<Index> order_by_contents(const Matrix& rows);

}  // namespace ridgelet
