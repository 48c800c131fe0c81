#include "ridgelet/io/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "column_cells.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

/// A column that is needed, and what it is.
struct UsedColumn {
  const ColumnCells* cells;
  ColumnKind kind = ColumnKind::number;
};

class TableReader {
 public:
  TableReader(std::istream& stream, const TableRequest& request)
      : records_(stream), request_(request), named_(!request.inputs.empty()) {}

  TableFile read() {
    find_columns();
    read_rows();
    choose_inputs();
    refuse_bad_cells();
    keep_rows();
    return {make_table(), std::move(notes_)};
  }

 private:
  void find_columns();
  void read_rows();
  void make_room(std::size_t rows);
  void choose_inputs();
  void refuse_bad_cells() const;
  void keep_rows();
  RegressionTable make_table();
  ColumnEncoding encoding_of_column(const UsedColumn& column) const;
  void fill(const UsedColumn& column, const ColumnEncoding& encoding, Eigen::Ref<Matrix> inputs) const;
  const ColumnCells& cells_of(const std::string& name) const;
  void leave_out(const std::vector<std::string>& names, const std::string& reason);

  CsvRecords records_;
  const TableRequest& request_;
  bool named_;
  std::vector<ColumnCells> columns_;
  std::vector<ResponseEncoding> responses_;
  std::vector<UsedColumn> inputs_;
  std::vector<Index> rows_;  ///< that are kept
  std::size_t room_ = 0;
  std::vector<std::string> notes_;
};

std::vector<std::string> each_in_quotes(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back("'" + shown(name) + "'");
  return result;
}

/// The response that a text asks for: a column of that name, or else the logarithm of one.
ResponseEncoding response_of(const std::string& text, const std::vector<std::string>& header) {
  if (std::ranges::find(header, text) == header.end())
    if (const auto column = column_in_log(text)) return {*column, ResponseTransform::log};
  return {text, ResponseTransform::none};
}

void TableReader::find_columns() {
  records_.read_header();
  const std::vector<std::string> header = records_.fields();
  for (const std::string& text : request_.outputs) {
    responses_.push_back(response_of(text, header));
    const std::string& column = responses_.back().column;
    const auto same = [&](const ResponseEncoding& other) { return other.column == column; };
    if (std::ranges::find(request_.inputs, column) != request_.inputs.end())
      throw InvalidArgument("y", "'" + column + "' is an input already; name another column");
    if (std::ranges::count_if(responses_, same) > 1)
      throw InvalidArgument("y", "'" + column + "' is listed twice");
  }
  std::vector<std::string> needed = request_.inputs;
  for (const ResponseEncoding& response : responses_) needed.push_back(response.column);
  if (!named_)
    for (const std::string& name : header)
      if (!name.empty() && std::ranges::find(needed, name) == needed.end()) needed.push_back(name);
  for (const std::string& name : needed)
    columns_.emplace_back(name, records_.find_column(name), request_.most_levels);
  const auto unnamed = std::ranges::count(header, "");
  if (!named_ && unnamed > 0)
    notes_.push_back(fmt::format("{} without a name {} left out",
                                 unnamed == 1 ? "the column" : fmt::format("{} columns", unnamed),
                                 unnamed == 1 ? "is" : "are"));
}

void TableReader::make_room(std::size_t rows) {
  constexpr std::size_t first_room = 1 << 10;
  if (rows <= room_) return;
  room_ = std::max(first_room, 2 * rows);
  require_memory(ColumnCells::bytes_per_cell * static_cast<double>(columns_.size() * room_), "data",
                 fmt::format("room for more than {} rows of {} columns", rows - 1, columns_.size()));
  for (ColumnCells& column : columns_) column.reserve(room_);
}

void TableReader::read_rows() {
  std::size_t rows = 0;
  while (records_.next_row()) {
    make_room(++rows);
    for (ColumnCells& column : columns_) column.add(records_);
  }
  if (rows == 0) throw CsvRefusal{"", "a header without rows"};
}

const ColumnCells& TableReader::cells_of(const std::string& name) const {
  return *std::ranges::find(columns_, name, &ColumnCells::name);
}

void TableReader::leave_out(const std::vector<std::string>& names, const std::string& reason) {
  if (names.empty()) return;
  const bool one = names.size() == 1;
  notes_.push_back(fmt::format("column{} {} {} left out: {}", one ? "" : "s", join(each_in_quotes(names)),
                               one ? "is" : "are", reason));
}

void TableReader::choose_inputs() {
  std::vector<std::string> without_values, constant;
  for (const ColumnCells& column : columns_) {
    if (std::ranges::find(responses_, column.name(), &ResponseEncoding::column) != responses_.end()) continue;
    if (!named_ && column.empty())
      without_values.push_back(column.name());
    else if (!named_ && column.constant())
      constant.push_back(column.name());
    else
      inputs_.push_back({&column, column.kind(named_)});
  }
  leave_out(without_values, "no values");
  leave_out(constant, "the same value in every row");
  if (inputs_.empty()) throw CsvRefusal{"", "no column is left for an input beside the response"};
}

void TableReader::refuse_bad_cells() const {
  std::optional<CellComplaint> first;
  const auto consider = [&](const std::optional<CellComplaint>& complaint) {
    if (complaint && (!first || complaint->line < first->line)) first = complaint;
  };
  const bool refused = request_.missing == MissingValues::refuse;
  for (const ResponseEncoding& response : responses_) {
    const ColumnCells& cells = cells_of(response.column);
    consider(cells.complaint_as_response(response.transform));
    if (refused) consider(cells.missing_value(true));
  }
  for (const UsedColumn& input : inputs_) {
    consider(input.cells->complaint(input.kind));
    if (refused) consider(input.cells->missing_value(named_));
  }
  if (first) refuse_cell(first->line, first->column, first->complaint);
}

void TableReader::keep_rows() {
  std::vector<UsedColumn> needed = inputs_;
  for (const ResponseEncoding& response : responses_) needed.push_back({&cells_of(response.column)});
  const Index rows = columns_.front().rows();
  require_memory(sizeof(Index) * static_cast<double>(rows), "data", fmt::format("a list of {} rows", rows));
  for (Index i = 0; i < rows; ++i)
    if (std::ranges::none_of(
            needed, [&](const UsedColumn& column) { return column.cells->is_missing(i, column.kind); }))
      rows_.push_back(i);
  const Index dropped = rows - static_cast<Index>(rows_.size());
  if (rows_.empty())
    throw CsvRefusal{"",
                     "every row has a missing value; name the inputs with --x, without those that lack many"};
  if (dropped > 0)
    notes_.push_back(fmt::format("{} of {} rows {} left out: a missing value", dropped, rows,
                                 dropped == 1 ? "is" : "are"));
}

ColumnEncoding TableReader::encoding_of_column(const UsedColumn& column) const {
  ColumnEncoding encoding{.name = column.cells->name(), .kind = column.kind};
  if (column.kind != ColumnKind::levels) return encoding;
  for (const Index row : rows_) {
    const std::string& level = column.cells->level(row);
    const auto place = std::ranges::lower_bound(encoding.levels, level);
    if (place == encoding.levels.end() || *place != level) encoding.levels.insert(place, level);
  }
  return encoding;
}

void TableReader::fill(const UsedColumn& column, const ColumnEncoding& encoding,
                       Eigen::Ref<Matrix> inputs) const {
  inputs.setZero();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto row = static_cast<Index>(i);
    if (column.kind == ColumnKind::levels)
      inputs(row, *encoding.place_of(column.cells->level(rows_[i]))) = 1;
    else
      inputs(row, 0) = column.cells->value(rows_[i]);
  }
}

RegressionTable TableReader::make_table() {
  const auto M = static_cast<Index>(rows_.size()), outputs = static_cast<Index>(responses_.size());
  TableEncoding encoding{.inputs = {}, .outputs = responses_};
  for (const UsedColumn& column : inputs_) encoding.inputs.push_back(encoding_of_column(column));
  require_memory(8 * static_cast<double>(M) * static_cast<double>(encoding.width() + outputs), "data",
                 fmt::format("{} rows of {} inputs", M, encoding.width()));
  RegressionTable table{.inputs = {},
                        .outputs = encoding.output_names(),
                        .X = Matrix(M, encoding.width()),
                        .Y = Matrix(M, outputs),
                        .encoding = {}};
  std::vector<std::string> constant;
  Index first = 0;
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const ColumnEncoding& column = encoding.inputs[k];
    auto values = table.X.middleCols(first, column.width());
    fill(inputs_[k], column, values);
    const bool varies = column.width() > 1 || values.minCoeff() != values.maxCoeff();
    if (!varies && !named_) {
      constant.push_back(column.name);
      continue;
    }
    table.encoding.inputs.push_back(column);
    first += column.width();
  }
  leave_out(constant, "the same value in every row that is left");
  if (first == 0) throw CsvRefusal{"", "no column is left for an input beside the response"};
  table.X.conservativeResize(M, first);
  for (Index k = 0; k < outputs; ++k) {
    const ResponseEncoding& response = responses_[static_cast<std::size_t>(k)];
    fill({&cells_of(response.column)}, {}, table.Y.middleCols(k, 1));
    if (response.transform == ResponseTransform::log)
      for (double& value : table.Y.col(k)) value = std::log(value);
  }
  table.encoding.outputs = responses_;
  table.inputs = table.encoding.input_names();
  return table;
}

}  // namespace

MissingValues parse_missing_values(const std::string& text) {
  if (text == "refuse") return MissingValues::refuse;
  if (text == "drop") return MissingValues::drop;
  throw InvalidArgument("missing", unknown_name_complaint(text, {"refuse", "drop"}));
}

TableFile read_table(const std::filesystem::path& path, const TableRequest& request) {
  std::ifstream stream = open_table(path);
  return read_table(stream, path.string(), request);
}

TableFile read_table(std::istream& stream, const std::string& name, const TableRequest& request) {
  if (request.outputs.empty()) throw InvalidArgument("y", "must name at least one column, got none");
  if (request.most_levels < 1 || request.most_levels >= ColumnCells::no_code)
    throw InvalidArgument("most_levels", fmt::format("must be from 1 to {}, got {}", ColumnCells::no_code - 1,
                                                     request.most_levels));
  TableFile file = reading_table(name, [&] { return TableReader(stream, request).read(); });
  validate(file.table, name);
  return file;
}

RegressionTable read_regression_table(const std::filesystem::path& path,
                                      const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs) {
  return read_table(path, {.inputs = inputs, .outputs = outputs}).table;
}

}  // namespace ridgelet
