/// Rows of a data frame as the inputs of a fit; ridgelet/columns.py reads the frame.
#include "bindings.hpp"
#include "ridgelet/fitting/columns.hpp"

namespace ridgelet::python {

py::object frame_inputs(const py::object& X, const TableEncoding& encoding, const std::string& argument) {
  if (!py::hasattr(X, "iloc") || !py::hasattr(X, "columns")) return X;
  py::list names, dates, logarithms;
  py::dict levels;
  for (const ColumnEncoding& column : encoding.inputs) {
    names.append(column.name);
    if (column.kind == ColumnKind::date) dates.append(column.name);
    if (column.kind == ColumnKind::logarithm) logarithms.append(names.size() - 1);
    if (column.kind == ColumnKind::levels) levels[py::str(column.name)] = column.levels;
  }
  return py::module_::import("ridgelet.columns")
      .attr("inputs_by_name")(X, names, levels, dates, argument, logarithms);
}

}  // namespace ridgelet::python
