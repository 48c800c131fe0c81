/// A table as a fit sees it: columns of numbers with their names, in a person's own units.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"
#include "ridgelet/fitting/columns.hpp"
#include "ridgelet/network/scaling.hpp"

namespace ridgelet {

/// The least and greatest value of each column.
struct ColumnRange {
  Vector low;
  Vector high;
};

/// What all rows of a table say of its columns, where only some of the rows are kept (kept_rows.hpp).
struct WholeTable {
  Index rows = 0;
  Scaling inputs;  ///< to mean 0 and standard deviation 1
  Scaling outputs;
  ColumnRange input_range;
  ColumnRange output_range;
};

/// Inputs and outputs with their names. Where they were made from other columns, `encoding` says how: `inputs` and
/// `outputs` are then its input_names() and output_names(), and Y holds log(price) where that is the response.
struct RegressionTable {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  Matrix X;
  Matrix Y;
  TableEncoding encoding = {};                     ///< if empty, every column is a number
  std::optional<WholeTable> whole = std::nullopt;  ///< where X and Y are only some of the rows

  /// Where rows were left out, or only some are kept: the number, in the table that they came from, of each row of X
  /// and Y, from 0.
  std::vector<Index> numbers = {};

  /// The number of row i in the table that it came from, from 0.
  Index number_of(Index i) const { return numbers.empty() ? i : numbers[static_cast<std::size_t>(i)]; }

  /// These four are of the whole table.
  Index row_count() const { return whole ? whole->rows : X.rows(); }
  ColumnRange input_range() const;
  Scaling standardised_inputs() const;
  Scaling standardised_outputs() const;
};

/// The encoding of the table; where it is empty, the one in which every column is a number.
TableEncoding encoding_of(const RegressionTable& table);

/// Responses that are the same in every row have nothing to learn from. Counts have, if they have an exposure, and tell
/// of their rate all the same if nothing is to be learned: that there are none is news.
enum class ConstantResponses { refused, allowed };

/// Throws InvalidArgument about "data" for fewer than two rows, numbers that are not finite, an input that is the same
/// in every row, as a response may only be if that is allowed or there is an exposure, or a response whose squares leave
/// the range of a double. `name` stands for the table in messages.
void validate(const RegressionTable& table, const std::string& name,
              ConstantResponses constant = ConstantResponses::refused);

/// At most `at_most` of the rows 0 .. rows - 1, evenly spaced from the first to the last.
std::vector<Index> spread_rows(Index rows, Index at_most);

/// The number of rows that repeat an earlier one in every column.
Index repeated_rows(const RegressionTable& table);

}  // namespace ridgelet
