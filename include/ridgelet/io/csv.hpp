/// Tables of numbers as comma-separated text.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

/// A header line, then a line for each row; numbers read back as the same doubles.
void write_csv(std::ostream& stream, const std::vector<std::string>& header, const MatrixView& rows);

}  // namespace ridgelet
