/// The table of a fit, from arrays of Python and what is said about their columns.
#pragma once

#include <map>

#include "bindings.hpp"
#include "ridgelet/fitting/table.hpp"

namespace ridgelet::python {

/// What a person, or the package for a data frame, says about the columns of X and y.
struct ColumnsGiven {
  std::optional<std::vector<std::string>> inputs;   ///< names; x1, x2, ... if there are none
  std::optional<std::vector<std::string>> outputs;  ///< names; y, or y1, y2, ... if there are none
  std::map<std::string, std::vector<std::string>>
      levels;                                       ///< of texts, each of which is as many columns of X
  std::vector<std::string> dates;                   ///< columns that hold days since 1970-01-01
  std::optional<std::vector<std::string>> classes;  ///< y has their places 0, 1, ...
  py::object exposure;                              ///< None, or what counts were counted over
};

/// Throws InvalidArgument about "X", "y", or the argument that does not suit them.
RegressionTable table_from(const py::object& X, const py::object& y, const ColumnsGiven& given,
                           const std::string& likelihood);

}  // namespace ridgelet::python
