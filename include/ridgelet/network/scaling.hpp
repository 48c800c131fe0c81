/// Between a person's units and the network's: columns (v - centre) / scale.
#pragma once

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// With empty vectors it changes nothing.
struct Scaling {
  Vector centre = {};
  Vector scale = {};

  static Scaling none(Index columns);

  /// To mean 0 and standard deviation 1 in every column. Throws InvalidArgument about "data" if a mean or standard
  /// deviation is too large for a double, or a standard deviation is 0.
  static Scaling standardising(const Matrix& values);

  Matrix apply(const MatrixView& values) const;
  Matrix undo(const MatrixView& values) const;
};

/// Returns the scaling itself. Throws as Scaling::standardising does.
const Scaling& require_usable(const Scaling& scaling);

/// The standard deviation of each column, with divisor n.
Vector column_sds(const Matrix& values);

}  // namespace ridgelet
