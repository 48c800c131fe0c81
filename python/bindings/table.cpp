#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/fitting/latent_response.hpp"

namespace ridgelet::python {

namespace {

/// Columns by name, with the levels of texts and which of them are dates. X has their inputs in this order.
TableEncoding encoding_from(const std::vector<std::string>& columns, const std::vector<std::string>& outputs,
                            const std::map<std::string, std::vector<std::string>>& levels,
                            const std::vector<std::string>& dates) {
  TableEncoding encoding = TableEncoding::of_numbers(columns, outputs);
  const auto find = [&](const std::string& name, const std::string& argument) -> ColumnEncoding& {
    const auto found = std::ranges::find(encoding.inputs, name, &ColumnEncoding::name);
    if (found == encoding.inputs.end())
      throw InvalidArgument(argument,
                            "must be of columns in inputs: " + unknown_name_complaint(name, columns));
    return *found;
  };
  for (const std::string& name : dates) find(name, "dates").kind = ColumnKind::date;
  for (const auto& [name, texts] : levels) {
    ColumnEncoding& column = find(name, "levels");
    column.kind = ColumnKind::levels;
    column.levels = texts;
    if (texts.empty() || std::ranges::adjacent_find(texts, std::greater_equal()) != texts.end())
      throw InvalidArgument("levels", fmt::format("of '{}' must be sorted and different", name));
  }
  return encoding;
}

/// Adds the exposure over which counts were made: its logarithm becomes a second column.
void add_exposure(RegressionTable& table, const py::object& exposure, const std::string& likelihood) {
  if (!is_of_counts(likelihood))
    throw InvalidArgument("exposure",
                          "is for counts; add likelihood='poisson' or 'negative-binomial', or leave it out");
  const Vector given = exposure_from(exposure, table.Y.rows());
  if (table.Y.cols() != 1) throw InvalidArgument("exposure", "belongs to counts, one column of them");
  table.Y.conservativeResize(Eigen::NoChange, 2);
  table.Y.col(1) = given.unaryExpr([](double each) { return to_fitted_scale(each, ResponseTransform::log); });
  table.encoding.outputs.push_back(
      {.column = "exposure", .transform = ResponseTransform::log, .exposure = true});
  table.outputs.push_back(table.encoding.outputs.back().name());
}

}  // namespace

RegressionTable table_from(const py::object& X, const py::object& y, const ColumnsGiven& given,
                           const std::string& likelihood) {
  RegressionTable table{.inputs = {}, .outputs = {}, .X = matrix_from(X, "X"), .Y = outputs_from(y)};
  require_nonempty(table.X, "X");
  require_rows(table.Y, table.X.rows(), "y");
  table.outputs = column_names(given.outputs, table.Y.cols(), "outputs", "y");
  if (given.levels.empty() && given.dates.empty()) {
    table.inputs = column_names(given.inputs, table.X.cols(), "inputs", "x");
  } else {
    const std::vector<std::string> columns = given.inputs.value_or(std::vector<std::string>());
    table.encoding = encoding_from(columns, table.outputs, given.levels, given.dates);
    table.inputs = table.encoding.input_names();
    require_columns(table.X, table.encoding.width(), "X");
  }
  if (!given.classes && given.exposure.is_none()) return table;
  if (table.encoding.inputs.empty()) table.encoding = TableEncoding::of_numbers(table.inputs, table.outputs);
  if (given.classes) table.encoding.outputs.front().levels = *given.classes;
  if (!given.exposure.is_none()) add_exposure(table, given.exposure, likelihood);
  return table;
}

}  // namespace ridgelet::python
