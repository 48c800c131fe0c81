/// Tables whose columns have a unit in common: pixels of a picture, answers on one scale, percentages.
///
/// A table does not say what its columns are measured in. But columns that were measured independently hardly ever have
/// the same smallest and the same largest number, and columns on one scale do: where most of them do, their own
/// unit is one in which a lengthscale may be shared (target/kernel_choice.hpp). Whether it is shared is for the
/// evidence to decide. Multiplying one column of such a table by a number may therefore change a fit, as it should: the
/// columns then no longer have a unit in common.
#pragma once

#include "ridgelet/fitting/table.hpp"

namespace ridgelet {

/// The size of the unit in each column of a table whose columns are standardised: u / sd_k with u the geometric mean of
/// the standard deviations sd_k. Empty where columns have no unit in common: if there are fewer than four, if one of them
/// is text or a date, or if fewer than half of them have one range, the same smallest and largest number.
Vector common_unit(const RegressionTable& table);

}  // namespace ridgelet
