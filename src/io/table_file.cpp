#include "ridgelet/io/table_file.hpp"

#include <algorithm>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/io/csv.hpp"

namespace ridgelet {

RegressionTable read_regression_table(const std::filesystem::path& path,
                                      const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs) {
  std::vector<std::string> columns = inputs;
  for (const std::string& name : outputs) {
    // Said before the file is read, which may take its time.
    if (std::ranges::find(inputs, name) != inputs.end())
      throw InvalidArgument("y", "'" + name + "' is an input already; name another column");
    columns.push_back(name);
  }
  const Matrix values = read_csv(path, columns).values;
  const auto d = static_cast<Index>(inputs.size());
  RegressionTable table{.inputs = inputs,
                        .outputs = outputs,
                        .X = values.leftCols(d),
                        .Y = values.rightCols(values.cols() - d)};
  validate(table, path.string());
  return table;
}

}  // namespace ridgelet
