#include "ridgelet/io/table_file.hpp"

#include <utility>

namespace ridgelet {

namespace {

TableFile read_whole(std::unique_ptr<TableSource> source, const TableRequest& request) {
  const TableStream rows(std::move(source), request);
  TableFile file{.table = all_rows(rows), .notes = rows.notes(), .dropped = rows.rows_dropped()};
  validate(file.table, rows.name());
  return file;
}

}  // namespace

TableFile read_table(const std::filesystem::path& path, const TableRequest& request) {
  return read_whole(open_table_source({path}), request);
}

TableFile read_table_text(std::string text, const std::string& name, const TableRequest& request,
                          const TileOptions& tiles) {
  return read_whole(table_source_of(std::move(text), name, tiles), request);
}

RegressionTable read_regression_table(const std::filesystem::path& path,
                                      const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& outputs) {
  return read_table(path, {.inputs = inputs, .outputs = outputs}).table;
}

}  // namespace ridgelet
