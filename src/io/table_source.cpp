#include "ridgelet/io/table_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "array_source.hpp"
#include "column_facts.hpp"
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

void TableSource::refuse(const CellComplaint& complaint) const {
  const std::string& name = part_name(complaint.place.part);
  throw InvalidArgument("data",
                        fmt::format("'{}', {} {}, column '{}': {}", shown(name, name.size()), counted_by(),
                                    complaint.place.line, shown(complaint.column), complaint.complaint));
}

std::size_t TableSource::find_column(const std::string& name, const std::vector<std::string>& taken) const {
  constexpr Index header_line = 1;
  return reading_table(name_, [&] { return ridgelet::find_column(columns_, name, header_line, taken); });
}

namespace {

using OpenNumbers = std::unique_ptr<NumberFile> (*)(const std::filesystem::path&);

/// Null for text.
OpenNumbers opener_of(const std::filesystem::path& path) {
  if (path.extension() == ".npy") return open_npy;
  return path.extension() == ".nc" ? open_netcdf_table : nullptr;
}

std::unique_ptr<TableSource> open_files(std::vector<FileBytes> files, const TileOptions& options,
                                        const Ranks& ranks) {
  require_at_least(options.rows, 1, "tile_rows");
  return std::make_unique<RecordSource>(std::move(files), options, ranks);
}

}  // namespace

std::unique_ptr<TableSource> open_table_source(const std::vector<std::filesystem::path>& paths,
                                               const TileOptions& options, const Ranks& ranks) {
  if (paths.empty()) throw InvalidArgument("data", "must name at least one file");
  const OpenNumbers open = opener_of(paths.front());
  for (const std::filesystem::path& path : paths)
    if (opener_of(path) != open)
      throw InvalidArgument("data", fmt::format("'{}' and '{}' are of different formats; a table is of one",
                                                paths.front().string(), path.string()));
  if (open) {
    require_at_least(options.rows, 1, "tile_rows");
    std::vector<std::unique_ptr<NumberFile>> numbers;
    for (const std::filesystem::path& path : paths) numbers.push_back(open(path));
    return std::make_unique<ArraySource>(std::move(numbers), options);
  }
  std::vector<FileBytes> files;
  for (const std::filesystem::path& path : paths) files.emplace_back(path);
  return open_files(std::move(files), options, ranks);
}

std::unique_ptr<TableSource> table_source_of(std::string text, const std::string& name,
                                             const TileOptions& options, const Ranks& ranks) {
  std::vector<FileBytes> files;
  files.emplace_back(name, std::move(text));
  return open_files(std::move(files), options, ranks);
}

}  // namespace ridgelet
