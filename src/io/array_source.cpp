#include "array_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "column_facts.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/fitting/latent_response.hpp"
#include "ridgelet/io/csv.hpp"

namespace ridgelet {

namespace {

std::string record_of(const Matrix& values, Index row) {
  std::string record;
  for (Index k = 0; k < values.cols(); ++k) {
    if (k > 0) record += ',';
    if (!std::isnan(values(row, k))) record += shortest(values(row, k));
  }
  return record;
}

}  // namespace

ArraySource::ArraySource(std::vector<std::unique_ptr<NumberFile>> files, const TileOptions& options)
    : files_(std::move(files)) {
  name_ = files_.size() == 1 ? files_.front()->name()
                             : fmt::format("{} and {} more", files_.front()->name(), files_.size() - 1);
  columns_ = files_.front()->columns();
  for (std::size_t part = 0; part < files_.size(); ++part) {
    const NumberFile& file = *files_[part];
    reading_table(file.name(), [&] {
      if (file.columns() != columns_)
        throw CsvRefusal{"", fmt::format("other columns than those of '{}'", shown(part_name(0), 200))};
    });
    for (Index first = 0; first < file.rows(); first += options.rows)
      tiles_.push_back({.part = static_cast<Index>(part),
                        .first = first,
                        .count = std::min(options.rows, file.rows() - first),
                        .row = rows_ + first});
    rows_ += file.rows();
  }
  reading_table(name_, [&] {
    if (rows_ == 0) throw CsvRefusal{"", "no rows"};
  });
}

const std::string& ArraySource::part_name(Index part) const {
  return files_[static_cast<std::size_t>(part)]->name();
}

std::string ArraySource::header() const {
  std::vector<std::string> names;
  for (const std::string& column : columns_) names.push_back(csv_field(column));
  return join(names, ",");
}

void ArraySource::survey(Index index, const std::vector<std::size_t>& columns,
                         std::vector<ColumnFacts>& facts) const {
  const Tile& tile = tiles_[static_cast<std::size_t>(index)];
  const Matrix values = file(tile).read(tile.first, tile.count, columns);
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (Index i = 0; i < tile.count; ++i)
      facts[k].add(values(i, static_cast<Index>(k)), {.part = tile.part, .line = tile.first + i + 1});
}

EncodedRows ArraySource::encoded(Index index, const TableEncoding& encoding,
                                 const RowOptions& options) const {
  const Tile& tile = tiles_[static_cast<std::size_t>(index)];
  std::vector<std::size_t> columns;
  for (const ColumnEncoding& column : encoding.inputs) {
    if (column.kind != ColumnKind::number && column.kind != ColumnKind::logarithm)
      refuse({{.part = tile.part, .line = tile.first + 1},
              column.name,
              "was text or dates in the fit, and is numbers here"});
    columns.push_back(find_column(column.name));
  }
  if (options.responses)
    for (const ResponseEncoding& response : encoding.outputs) columns.push_back(find_column(response.column));
  const Matrix values = file(tile).read(tile.first, tile.count, columns);
  EncodedRows rows;
  rows.read = tile.count;
  std::vector<Index> kept;
  for (Index i = 0; i < tile.count; ++i) {
    const auto wrong = [&](std::size_t k, const std::string& complaint) {
      refuse({{.part = tile.part, .line = tile.first + i + 1}, columns_[columns[k]], complaint});
    };
    bool missing = false;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double value = values(i, static_cast<Index>(k));
      missing = missing || std::isnan(value);
      if (std::isinf(value)) wrong(k, range_complaint(value > 0 ? "inf" : "-inf"));
      if (std::isnan(value) && options.missing == MissingValues::refuse)
        wrong(k, "missing value; fill it, or leave such rows out with --missing drop");
      const bool is_input = k < encoding.inputs.size();
      const bool of_log =
          is_input ? encoding.inputs[k].kind == ColumnKind::logarithm
                   : encoding.outputs[k - encoding.inputs.size()].transform == ResponseTransform::log;
      if (of_log && value <= 0)
        wrong(k, positive_complaint(shortest(value), columns_[columns[k]],
                                    is_input ? LogarithmOf::column
                                             : logarithm_of(encoding.outputs[k - encoding.inputs.size()])));
      if (is_input) continue;
      const ResponseEncoding& response = encoding.outputs[k - encoding.inputs.size()];
      if (options.counts && k == encoding.inputs.size() && !std::isnan(value))
        if (const auto complaint = count_complaint(value, response.column)) wrong(k, *complaint);
    }
    if (missing) {
      ++rows.dropped;
      continue;
    }
    kept.push_back(i);
    rows.rows.push_back(tile.row + i + 1);
    rows.unknown.push_back(false);
  }
  const auto inputs = static_cast<Index>(encoding.inputs.size());
  rows.X = values.leftCols(inputs)(kept, Eigen::all);
  for (Index k = 0; k < inputs; ++k)
    if (encoding.inputs[static_cast<std::size_t>(k)].kind == ColumnKind::logarithm)
      for (double& x : rows.X.col(k)) x = std::log(x);
  rows.Y = values.rightCols(values.cols() - inputs)(kept, Eigen::all);
  for (Index k = 0; k < rows.Y.cols(); ++k) {
    const ResponseEncoding& response = encoding.outputs[static_cast<std::size_t>(k)];
    if (response.levels.empty()) continue;
    for (Index i = 0; i < rows.Y.rows(); ++i) {
      const std::string text = shortest(rows.Y(i, k));
      const auto place = response.place_of(text);
      if (!place)
        refuse({{.part = tile.part, .line = tile.first + kept[static_cast<std::size_t>(i)] + 1},
                response.column,
                fmt::format("'{}' is no class of the fit, which had {}", text, join(response.levels))});
      rows.Y(i, k) = static_cast<double>(*place);
    }
  }
  if (options.records) {
    std::vector<std::size_t> all(columns_.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    const Matrix cells = file(tile).read(tile.first, tile.count, all);
    for (const Index i : kept) rows.records.push_back(record_of(cells, i));
  }
  return rows;
}

}  // namespace ridgelet
