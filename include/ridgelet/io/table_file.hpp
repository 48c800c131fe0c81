/// The table of a fit, read whole from a file whose columns may be numbers, dates or text (table_stream.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ridgelet/io/table_stream.hpp"

namespace ridgelet {

struct TableFile {
  RegressionTable table;
  std::vector<std::string> notes = {};  ///< which columns were left out, in plain words
  Index dropped = 0;                    ///< rows that were left out for a missing value
};

/// Memory: the numbers of the table. Whether there is enough is checked before any is taken.
///
/// Throws what TableStream and validate(RegressionTable) throw.
TableFile read_table(const std::filesystem::path& path, const TableRequest& request);

/// The same from a text; `name` stands for the file in messages.
TableFile read_table_text(std::string text, const std::string& name, const TableRequest& request,
                          const TileOptions& tiles = {});

/// The table alone.
RegressionTable read_regression_table(const std::filesystem::path& path,
                                      const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs);

}  // namespace ridgelet
