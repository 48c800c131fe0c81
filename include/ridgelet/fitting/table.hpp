/// A table as a fit sees it: columns of numbers with their names, in a person's own units.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// Inputs and outputs with the names of their columns.
struct RegressionTable {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  Matrix X;
  Matrix Y;
};

/// Throws InvalidArgument about "data" for fewer than two rows, numbers that are not finite, or a column that is the
/// same in every row. `name` stands for the table in messages.
void validate(const RegressionTable& table, const std::string& name);

/// Rows that repeat an earlier one in every column.
Index repeated_rows(const RegressionTable& table);

}  // namespace ridgelet
