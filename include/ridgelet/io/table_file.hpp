/// The table of a fit, read from a CSV file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ridgelet/fitting/table.hpp"

namespace ridgelet {

/// Reads the columns. Throws what read_csv and validate(RegressionTable) throw.
RegressionTable read_regression_table(const std::filesystem::path& path,
                                      const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs);

}  // namespace ridgelet
