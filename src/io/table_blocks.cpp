#include "ridgelet/io/table_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

constexpr const char* missing_rule = "fill it, or leave such rows out with --missing drop";

}  // namespace

UnknownLevels parse_unknown_levels(const std::string& text) {
  if (text == "refuse") return UnknownLevels::refuse;
  if (text == "ignore") return UnknownLevels::ignore;
  throw InvalidArgument("unknown", unknown_name_complaint(text, {"refuse", "ignore"}));
}

TableBlocks::TableBlocks(const std::filesystem::path& path, TableEncoding encoding,
                         const TableBlocksOptions& options)
    : name_(path.string()),
      stream_(open_table(path)),
      encoding_(std::move(encoding)),
      options_(options),
      records_(reading_table(name_, [&] { return CsvRecords(stream_); })) {
  reading_table(name_, [&] {
    records_.read_header();
    columns_ = records_.fields();
    header_ = records_.record();
    for (const ColumnEncoding& column : encoding_.inputs)
      inputs_.push_back({records_.find_column(column.name)});
    if (options_.responses)
      for (const ResponseEncoding& response : encoding_.outputs)
        responses_.push_back({records_.find_column(response.column)});
  });
}

bool TableBlocks::lacks_value() const {
  const auto missing = [&](const Field& field) { return is_missing(records_[field.index]); };
  return std::ranges::any_of(inputs_, missing) || std::ranges::any_of(responses_, missing);
}

double TableBlocks::number(Field& field, const std::string& name) {
  const double value = read_number(records_, field.index, name, field.marks, missing_rule);
  decimal_commas_ = decimal_commas_ || field.marks.mark() == ',';
  return value;
}

double TableBlocks::response(std::size_t k) {
  const ResponseEncoding& encoding = encoding_.outputs[k];
  const double value = number(responses_[k], encoding.column);
  if (encoding.transform == ResponseTransform::log && value <= 0)
    refuse_cell(records_.line(), encoding.column,
                fmt::format("must be positive for {}, got '{}'", shown(encoding.name()),
                            shown(records_[responses_[k].index])));
  return value;
}

double TableBlocks::date(const Field& field, const std::string& name) const {
  const std::string_view text = records_[field.index];
  const auto days = days_since_1970(text);
  if (!days)
    refuse_cell(records_.line(), name,
                fmt::format("must be a date such as 2024-01-31, got '{}'", shown(text)));
  return *days;
}

void TableBlocks::refuse_level(const ColumnEncoding& column, std::string_view level) const {
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

void TableBlocks::encode(Vector& x) {
  Index first = 0;
  bool unknown = false;
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const ColumnEncoding& column = encoding_.inputs[k];
    const std::string_view text = records_[inputs_[k].index];
    if (column.kind == ColumnKind::number) {
      x(first) = number(inputs_[k], column.name);
    } else if (is_missing(text)) {
      refuse_cell(records_.line(), column.name, fmt::format("missing value; {}", missing_rule));
    } else if (column.kind == ColumnKind::date) {
      x(first) = date(inputs_[k], column.name);
    } else if (const auto place = column.place_of(text)) {
      x(first + *place) = 1;
    } else {
      if (options_.unknown == UnknownLevels::refuse) refuse_level(column, text);
      unknown = true;
    }
    first += column.width();
  }
  rows_with_unknown_ += unknown;
}

TableBlock TableBlocks::next(Index most) {
  TableBlock block{Matrix(), Matrix(), {}, {}};
  std::vector<double> inputs, responses;
  Vector x(encoding_.width());
  reading_table(name_, [&] {
    while (static_cast<Index>(block.rows.size()) < most && records_.next_row()) {
      ++rows_read_;
      if (options_.missing == MissingValues::drop && lacks_value()) {
        ++rows_dropped_;
        continue;
      }
      x.setZero();
      encode(x);
      inputs.insert(inputs.end(), x.begin(), x.end());
      for (std::size_t k = 0; k < responses_.size(); ++k) responses.push_back(response(k));
      block.records.emplace_back(records_.record());
      block.rows.push_back(rows_read_);
    }
    if (rows_read_ == 0) throw CsvRefusal{"", "a header without rows"};
  });
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto rows = static_cast<Index>(block.rows.size());
  block.X = Eigen::Map<const RowMajor>(inputs.data(), rows, x.size());
  block.Y = Eigen::Map<const RowMajor>(responses.data(), rows, static_cast<Index>(responses_.size()));
  return block;
}

}  // namespace ridgelet
