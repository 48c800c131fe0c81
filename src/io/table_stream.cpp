#include "ridgelet/io/table_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "column_facts.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

std::vector<std::string> each_in_quotes(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back("'" + shown(name) + "'");
  return result;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// The response that a text asks for: a column of that name, or else the logarithm of one.
ResponseEncoding response_of(const std::string& text, const std::vector<std::string>& header) {
  if (!has(header, text))
    if (const auto column = column_in_log(text)) return {*column, ResponseTransform::log};
  return {text, ResponseTransform::none};
}

/// A column that is named as an input, or its logarithm.
struct NamedInput {
  std::string column;
  bool logarithm = false;
};

/// By the rule of responses: log(column) is a column of that name, or else the logarithm of one.
std::vector<NamedInput> inputs_of(const TableRequest& request, const std::vector<std::string>& header) {
  std::vector<NamedInput> inputs;
  for (const std::string& text : request.inputs) {
    const auto column = has(header, text) ? std::nullopt : column_in_log(text);
    inputs.push_back({column.value_or(text), column.has_value()});
  }
  return inputs;
}

bool is_input(const std::vector<NamedInput>& inputs, const std::string& column) {
  return std::ranges::find(inputs, column, &NamedInput::column) != inputs.end();
}

std::vector<ResponseEncoding> responses_of(const TableRequest& request, const std::vector<NamedInput>& inputs,
                                           const std::vector<std::string>& header) {
  std::vector<ResponseEncoding> responses;
  for (const std::string& text : request.outputs) {
    ResponseEncoding response = response_of(text, header);
    if (is_input(inputs, response.column))
      throw InvalidArgument("y", "'" + response.column + "' is an input already; name another column");
    if (std::ranges::find(responses, response.column, &ResponseEncoding::column) != responses.end())
      throw InvalidArgument("y", "'" + response.column + "' is listed twice");
    responses.push_back(std::move(response));
  }
  if (request.exposure) {
    if (is_input(inputs, *request.exposure) || *request.exposure == responses.front().column)
      throw InvalidArgument("exposure", "'" + *request.exposure + "' is an input or the response already");
    responses.push_back({.column = *request.exposure, .transform = ResponseTransform::log, .exposure = true});
  }
  return responses;
}

/// The columns that are surveyed: those that the request names or, if it names no inputs, every column that has a name
/// and need not be asked for.
std::vector<std::string> needed_columns(const std::vector<NamedInput>& inputs,
                                        const std::vector<ResponseEncoding>& responses,
                                        const TableSource& source) {
  std::vector<std::string> needed;
  for (const NamedInput& input : inputs) needed.push_back(input.column);
  for (const ResponseEncoding& response : responses) needed.push_back(response.column);
  if (!inputs.empty()) return needed;
  for (std::size_t k = 0; k < source.columns().size(); ++k) {
    const std::string& name = source.columns()[k];
    if (!name.empty() && !source.only_if_named(k) && !has(needed, name)) needed.push_back(name);
  }
  return needed;
}

/// The facts of all columns, joined in the order of the rows.
struct Survey {
  std::vector<ColumnFacts> columns;

  void add(const Survey& later) {
    for (std::size_t k = 0; k < columns.size(); ++k) columns[k].join(later.columns[k]);
  }
  void pack(Packer& packer) const {
    packer.put(columns.size());
    for (const ColumnFacts& facts : columns) packer.put_text(facts.packed());
  }
  static Survey unpack(Unpacker& unpacker) {
    Survey survey;
    for (auto left = unpacker.get<std::size_t>(); left > 0; --left)
      survey.columns.push_back(ColumnFacts::unpacked(unpacker.get_text()));
    return survey;
  }
};

/// How many rows are left out, and the least and greatest value of every input over the others.
struct RowsLeft {
  Index dropped = 0;
  Matrix low, high;

  explicit RowsLeft(const EncodedRows& rows) : dropped(rows.dropped) {
    const bool some = rows.X.rows() > 0;
    low = some ? Matrix(rows.X.colwise().minCoeff())
               : Matrix::Constant(1, rows.X.cols(), std::numeric_limits<double>::infinity());
    high = some ? Matrix(rows.X.colwise().maxCoeff()) : Matrix(-low);
  }
  RowsLeft(Index rows, Matrix least, Matrix greatest)
      : dropped(rows), low(std::move(least)), high(std::move(greatest)) {}

  void add(const RowsLeft& later) {
    dropped += later.dropped;
    low = low.cwiseMin(later.low).eval();
    high = high.cwiseMax(later.high).eval();
  }
  void pack(Packer& packer) const {
    packer.put(dropped);
    packer.put_matrix(low);
    packer.put_matrix(high);
  }
  static RowsLeft unpack(Unpacker& unpacker) {
    const auto rows = unpacker.get<Index>();
    Matrix least = unpacker.get_matrix();
    return {rows, std::move(least), unpacker.get_matrix()};
  }
};

}  // namespace

TableStream::TableStream(std::unique_ptr<TableSource> source, const TableRequest& request, const Ranks& ranks)
    : ranks_(ranks), source_(std::move(source)), missing_(request.missing), counts_(request.counts) {
  if (request.outputs.empty()) throw InvalidArgument("y", "must name at least one column, got none");
  require_at_least(request.most_levels, 1, "most_levels");
  reading_table(name(), [&] {
    try {
      find_encoding(request);
    } catch (const CellComplaint& complaint) {
      source_->refuse(complaint);
    }
  });
}

std::vector<ColumnFacts> TableStream::survey(const std::vector<std::string>& names, Index most_levels) const {
  std::vector<std::size_t> columns;
  std::vector<ColumnFacts> none;
  for (const std::string& name : names) {
    columns.push_back(source_->find_column(name));
    none.emplace_back(name, most_levels);
  }
  // Columns of numbers have too many levels in every tile; once one tile has shown that, the others collect none.
  std::vector<std::atomic<bool>> too_many(columns.size());
  return sum_over_tiles<Survey>(
             tiles(), ranks_,
             [&](Index tile) {
               Survey of_tile{none};
               for (std::size_t k = 0; k < columns.size(); ++k)
                 if (too_many[k]) of_tile.columns[k].give_up_levels();
               source_->survey(tile, columns, of_tile.columns);
               for (std::size_t k = 0; k < columns.size(); ++k)
                 if (of_tile.columns[k].too_many_levels()) too_many[k] = true;
               return of_tile;
             },
             [](Index, Survey& of_tile) { return std::move(of_tile); })
      .columns;
}

void TableStream::leave_out(const std::vector<std::string>& names, const std::string& reason) {
  if (names.empty()) return;
  left_out_.insert(left_out_.end(), names.begin(), names.end());
  const bool one = names.size() == 1;
  notes_.push_back(fmt::format("column{} {} {} left out: {}", one ? "" : "s", join(each_in_quotes(names)),
                               one ? "is" : "are", reason));
}

void TableStream::find_encoding(const TableRequest& request) {
  const bool named = !request.inputs.empty();
  const std::vector<std::string>& header = source_->columns();
  const std::vector<NamedInput> inputs = inputs_of(request, header);
  encoding_.outputs = responses_of(request, inputs, header);
  for (const NamedInput& input : inputs)
    source_->find_column(input.column, response_columns(encoding_.outputs));
  const std::vector<ColumnFacts> facts =
      survey(needed_columns(inputs, encoding_.outputs, *source_), request.most_levels);
  if (const auto unnamed = std::ranges::count(header, ""); !named && unnamed > 0)
    notes_.push_back(fmt::format("{} without a name {} left out",
                                 unnamed == 1 ? "the column" : fmt::format("{} columns", unnamed),
                                 unnamed == 1 ? "is" : "are"));
  std::optional<CellComplaint> first;
  const auto consider = [&](const std::optional<CellComplaint>& complaint) {
    if (complaint && (!first || complaint->place < first->place)) first = complaint;
  };
  std::vector<std::string> without_values, constant;
  std::vector<const ColumnFacts*> numbers;
  Index missing = 0;
  for (std::size_t k = 0; k < facts.size(); ++k) {
    const ColumnFacts& column = facts[k];
    const auto response = std::ranges::find(encoding_.outputs, column.name(), &ResponseEncoding::column);
    const bool is_response = response != encoding_.outputs.end();
    if (!is_response && !named && (column.empty() || column.constant())) {
      (column.empty() ? without_values : constant).push_back(column.name());
      continue;
    }
    if (const auto wrong = column.wrong_encoding()) throw *wrong;
    const bool of_classes = is_response && response->transform == ResponseTransform::none &&
                            (request.classes == TableRequest::Classes::always ||
                             (request.classes == TableRequest::Classes::of_text && column.is_text()));
    if (of_classes) {
      response->levels = column.classes(request.classes == TableRequest::Classes::always);
    } else if (is_response) {
      consider(column.complaint_as_response(*response));
      numbers.push_back(&column);
    } else {
      const bool logarithm = k < inputs.size() && inputs[k].logarithm;
      const ColumnKind kind = logarithm ? column.kind_as_logarithm() : column.kind(named);
      consider(column.complaint(kind));
      if (kind == ColumnKind::number) numbers.push_back(&column);
      encoding_.inputs.push_back(column.encoding(kind));
    }
    if (missing_ == MissingValues::refuse) consider(column.missing_value(named || is_response));
    missing += column.missing();
  }
  consider(ColumnFacts::mixed_marks(numbers));
  leave_out(without_values, "no values");
  leave_out(constant, "the same value in every row");
  if (encoding_.inputs.empty()) {
    if (source_->rows() == 1) throw CsvRefusal{"", "it has one row; a fit needs at least two"};
    throw CsvRefusal{"", header.size() == encoding_.outputs.size()
                             ? "no column is left for an input beside the response; add one to the table"
                             : "no column is left for an input beside the response, since none of the others "
                               "varies; add one that does"};
  }
  if (first) throw *first;
  if (missing > 0) leave_rows_out(named);
}

void TableStream::leave_rows_out(bool named) {
  const auto left = sum_over_tiles<RowsLeft>(
      tiles(), ranks_, [&](Index index) { return RowsLeft(encoded(index)); },
      [](Index, RowsLeft& of_tile) { return std::move(of_tile); });
  dropped_ = left.dropped;
  if (rows() == 0)
    throw CsvRefusal{"",
                     "every row has a missing value; name the inputs with --x, without those that lack many"};
  std::vector<ColumnEncoding> kept;
  std::vector<std::string> constant;
  Index first = 0;
  for (ColumnEncoding& column : encoding_.inputs) {
    const Index width = column.width();
    const auto low = left.low.row(0).segment(first, width), high = left.high.row(0).segment(first, width);
    first += width;
    if (column.kind == ColumnKind::levels) {
      // Drops the levels that no remaining row has.
      std::vector<std::string> levels;
      for (Index i = 0; i < width; ++i)
        if (high(i) > 0) levels.push_back(column.levels[static_cast<std::size_t>(i)]);
      column.levels = std::move(levels);
    }
    const bool varies = column.kind == ColumnKind::levels ? column.width() > 1 : low(0) < high(0);
    if (varies || named)
      kept.push_back(column);
    else
      constant.push_back(column.name);
  }
  encoding_.inputs = std::move(kept);
  leave_out(constant, "the same value in every row that is left");
  if (encoding_.inputs.empty())
    throw CsvRefusal{"",
                     "no column is left for an input: none varies over the rows that have no missing value; "
                     "name the inputs with --x, without those that lack many"};
}

EncodedRows TableStream::encoded(Index tile) const {
  return source_->encoded(tile, encoding_, {.missing = missing_, .responses = true, .counts = counts_});
}

RowTile TableStream::tile(Index index) const {
  EncodedRows rows = encoded(index);
  for (std::size_t k = 0; k < encoding_.outputs.size(); ++k)
    if (encoding_.outputs[k].transform == ResponseTransform::log)
      for (double& value : rows.Y.col(static_cast<Index>(k))) value = std::log(value);
  for (Index& number : rows.rows) --number;
  return {.X = std::move(rows.X), .Y = std::move(rows.Y), .numbers = std::move(rows.rows)};
}

}  // namespace ridgelet
