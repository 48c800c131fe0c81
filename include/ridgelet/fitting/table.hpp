/// A table as a fit sees it: columns of numbers with their names, in a person's own units.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"
#include "ridgelet/fitting/columns.hpp"

namespace ridgelet {

/// Inputs and outputs with their names. Where they were made from other columns, `encoding` says how: `inputs` and
/// `outputs` are then its input_names() and output_names(), and Y holds log(price) where that is the response.
struct RegressionTable {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  Matrix X;
  Matrix Y;
  TableEncoding encoding = {};  ///< none: every column is a number, as it is
};

/// The encoding of the table, also where it has none of its own.
TableEncoding encoding_of(const RegressionTable& table);

/// Throws InvalidArgument about "data" for fewer than two rows, numbers that are not finite, or a column that is the
/// same in every row. `name` stands for the table in messages.
void validate(const RegressionTable& table, const std::string& name);

/// At most so many of the rows 0 .. rows - 1, evenly spaced from the first to the last.
std::vector<Index> spread_rows(Index rows, Index at_most);

/// Rows that repeat an earlier one in every column.
Index repeated_rows(const RegressionTable& table);

}  // namespace ridgelet
