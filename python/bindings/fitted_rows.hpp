/// New rows of a fit, a block at a time.
#pragma once

#include <algorithm>
#include <string>

#include "bindings.hpp"
#include "fitted_network.hpp"
#include "ridgelet/core/cancellation.hpp"
#include "ridgelet/core/errors.hpp"

namespace ridgelet::python {

/// Throws InvalidArgument about `argument` unless there is a row, and as many columns as the fit has inputs.
inline Rows new_rows(const FittedNetwork& fitted, const py::object& X, const std::string& argument) {
  Rows rows(X, argument);
  if (rows.count() == 0 || rows.columns() != fitted.inputs()) {
    const Matrix shape(rows.count(), rows.columns());
    require_nonempty(shape, argument);
    require_columns(shape, fitted.inputs(), argument);
  }
  return rows;
}

/// Calls use(X, first) for blocks of rows whose mixtures of all components take about 64 MB.
template <class Use>
void for_each_block(const FittedNetwork& fitted, const Rows& rows, Use&& use) {
  constexpr Index components = 1 << 22, fewest = 64, most = 8192;
  const Index of_row = fitted.model().components() * fitted.model().regression().data().outputs();
  const Index block = std::clamp(components / of_row, fewest, most);
  for (Index first = 0; first < rows.count(); first += block) {
    throw_if_cancelled();
    use(rows.block(first, std::min(block, rows.count() - first)), first);
  }
}

}  // namespace ridgelet::python
