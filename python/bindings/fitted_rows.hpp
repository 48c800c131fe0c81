/// New rows for a fit, a block at a time.
#pragma once

#include <algorithm>
#include <string>

#include "bindings.hpp"
#include "fitted_network.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/errors.hpp"

namespace ridgelet::python {

/// Columns of a data frame are taken by name. Throws InvalidArgument about `argument` unless there is at least one row
/// and there are as many columns as the fit has inputs, or as its array had, of which some were left out.
inline Rows new_rows(const FittedNetwork& fitted, const py::object& X, const std::string& argument) {
  Rows rows(frame_inputs(X, encoding_of(fitted.model().regression().table()), argument), argument);
  if (auto places = fitted.places_among(rows.columns())) rows.take(*std::move(places));
  if (rows.count() == 0 || rows.columns() != fitted.inputs()) {
    const Matrix shape(rows.count(), rows.columns());
    require_nonempty(shape, argument);
    require_columns(shape, fitted.inputs(), argument);
  }
  return rows;
}

/// Calls use(X, first) for blocks of rows.
template <class Use>
void for_each_block(const FittedNetwork& fitted, const Rows& rows, Use&& use) {
  const Index block = fitted.model().rows_per_block();
  for (Index first = 0; first < rows.count(); first += block) {
    throw_if_cancelled();
    use(rows.block(first, std::min(block, rows.count() - first)), first);
  }
}

}  // namespace ridgelet::python
