#include "record_encoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ridgelet/core/text.hpp"
#include "ridgelet/fitting/latent_response.hpp"
#include "utf8.hpp"

namespace ridgelet {

namespace {

constexpr const char* missing_rule = "fill it, or leave such rows out with --missing drop";

}  // namespace

RecordEncoder::RecordEncoder(CsvRecords& records, const TableSource& table, const TableEncoding& encoding,
                             const RowOptions& options)
    : records_(records), encoding_(encoding), options_(options) {
  for (const ColumnEncoding& column : encoding_.inputs) inputs_.push_back(table.find_column(column.name));
  if (options_.responses)
    for (const ResponseEncoding& response : encoding_.outputs)
      responses_.push_back(table.find_column(response.column));
}

bool RecordEncoder::lacks_value() const {
  const auto missing = [&](std::size_t field) { return is_missing(records_[field]); };
  return std::ranges::any_of(inputs_, missing) || std::ranges::any_of(responses_, missing);
}

double RecordEncoder::number(std::size_t field, const std::string& name) {
  return read_number(records_, field, name, marks_, missing_rule);
}

double RecordEncoder::positive_number(std::size_t field, const std::string& name, LogarithmOf what) {
  const double value = number(field, name);
  if (value <= 0) refuse_cell(records_.line(), name, positive_complaint(records_[field], name, what));
  return value;
}

double RecordEncoder::response(std::size_t k) {
  const ResponseEncoding& encoding = encoding_.outputs[k];
  if (!encoding.levels.empty()) return class_of(k);
  if (encoding.transform == ResponseTransform::log)
    return positive_number(responses_[k], encoding.column, logarithm_of(encoding));
  const double value = number(responses_[k], encoding.column);
  if (options_.counts && k == 0)
    if (const auto complaint = count_complaint(value, encoding.column))
      refuse_cell(records_.line(), encoding.column, *complaint);
  return value;
}

double RecordEncoder::class_of(std::size_t k) const {
  const ResponseEncoding& encoding = encoding_.outputs[k];
  const std::string_view text = records_[responses_[k]];
  if (is_missing(text))
    refuse_cell(records_.line(), encoding.column, fmt::format("missing value; {}", missing_rule));
  const auto place = encoding.place_of(text);
  if (!place) {
    require_utf8(text, encoding.column);
    refuse_cell(records_.line(), encoding.column,
                fmt::format("'{}' is no class of the fit, which had {}", shown(text), join(encoding.levels)));
  }
  return static_cast<double>(*place);
}

void RecordEncoder::require_utf8(std::string_view text, const std::string& column) const {
  if (!is_utf8(text)) refuse_cell(records_.line(), column, utf8_complaint(text));
}

double RecordEncoder::date(std::size_t field, const std::string& name) const {
  const std::string_view text = records_[field];
  const auto days = days_since_1970(text);
  if (!days)
    refuse_cell(records_.line(), name,
                fmt::format("must be a date such as 2024-01-31, got '{}'", shown(text)));
  return *days;
}

void RecordEncoder::refuse_level(const ColumnEncoding& column, std::string_view level) const {
  constexpr std::size_t listed = 10;
  std::vector<std::string> levels;
  for (std::size_t i = 0; i < std::min(listed, column.levels.size()); ++i)
    levels.push_back(shown(column.levels[i]));
  if (column.levels.size() > listed) levels.push_back(fmt::format("... ({} in all)", column.levels.size()));
  refuse_cell(
      records_.line(), column.name,
      fmt::format("'{}' was no level of the fit, which had {}; correct it, or take it for none of them with "
                  "--unknown ignore",
                  shown(level), join(levels)));
}

void RecordEncoder::encode(Vector& x, EncodedRows& rows) {
  Index first = 0;
  bool unknown = false;
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const ColumnEncoding& column = encoding_.inputs[k];
    const std::string_view text = records_[inputs_[k]];
    if (column.kind == ColumnKind::number) {
      x(first) = number(inputs_[k], column.name);
    } else if (column.kind == ColumnKind::logarithm) {
      x(first) = std::log(positive_number(inputs_[k], column.name, LogarithmOf::column));
    } else if (is_missing(text)) {
      refuse_cell(records_.line(), column.name, fmt::format("missing value; {}", missing_rule));
    } else if (column.kind == ColumnKind::date) {
      x(first) = date(inputs_[k], column.name);
    } else if (const auto place = column.place_of(text)) {
      x(first + *place) = 1;
    } else {
      require_utf8(text, column.name);
      if (options_.unknown == UnknownLevels::refuse) refuse_level(column, text);
      unknown = true;
    }
    first += column.width();
  }
  rows.unknown.push_back(unknown);
}

EncodedRows RecordEncoder::read(Index first_row) {
  EncodedRows rows;
  std::vector<double> inputs, responses;
  Vector x(encoding_.width());
  for (Index row = first_row; records_.next_row(); ++row) {
    ++rows.read;
    if (options_.missing == MissingValues::drop && lacks_value()) {
      ++rows.dropped;
      continue;
    }
    x.setZero();
    encode(x, rows);
    inputs.insert(inputs.end(), x.begin(), x.end());
    for (std::size_t k = 0; k < responses_.size(); ++k) responses.push_back(response(k));
    if (options_.records) rows.records.emplace_back(records_.record());
    rows.rows.push_back(row);
  }
  rows.marks = marks_;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto count = static_cast<Index>(rows.rows.size());
  rows.X = Eigen::Map<const RowMajor>(inputs.data(), count, x.size());
  rows.Y = Eigen::Map<const RowMajor>(responses.data(), count, static_cast<Index>(responses_.size()));
  return rows;
}

}  // namespace ridgelet
