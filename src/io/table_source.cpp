#include "ridgelet/io/table_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "record_source.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

MissingValues parse_missing_values(const std::string& text) {
  if (text == "refuse") return MissingValues::refuse;
  if (text == "drop") return MissingValues::drop;
  throw InvalidArgument("missing", unknown_name_complaint(text, {"refuse", "drop"}));
}

UnknownLevels parse_unknown_levels(const std::string& text) {
  if (text == "refuse") return UnknownLevels::refuse;
  if (text == "ignore") return UnknownLevels::ignore;
  throw InvalidArgument("unknown", unknown_name_complaint(text, {"refuse", "ignore"}));
}

std::size_t TableSource::find_column(const std::string& name) const {
  return reading_table(name_, [&] { return ridgelet::find_column(columns_, name); });
}

std::unique_ptr<TableSource> open_table_source(const std::vector<std::filesystem::path>& paths,
                                               Index tile_rows) {
  require_at_least(tile_rows, 1, "tile_rows");
  if (paths.empty()) throw InvalidArgument("data", "must name at least one file");
  std::vector<FileBytes> files;
  for (const std::filesystem::path& path : paths) files.emplace_back(path);
  return std::make_unique<RecordSource>(std::move(files), tile_rows);
}

std::unique_ptr<TableSource> table_source_of(std::string text, const std::string& name, Index tile_rows) {
  require_at_least(tile_rows, 1, "tile_rows");
  std::vector<FileBytes> files;
  files.emplace_back(name, std::move(text));
  return std::make_unique<RecordSource>(std::move(files), tile_rows);
}

}  // namespace ridgelet
