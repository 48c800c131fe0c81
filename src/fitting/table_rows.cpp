#include "ridgelet/fitting/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"

namespace ridgelet {

TableInMemory::TableInMemory(RegressionTable table, std::string name, Index tile_rows)
    : table_(std::move(table)),
      encoding_(encoding_of(table_)),
      name_(std::move(name)),
      tile_rows_(tile_rows) {
  require_at_least(tile_rows_, 1, "tile_rows");
}

RowTile TableInMemory::tile(Index index) const {
  const Index first = index * tile_rows_, count = std::min(tile_rows_, rows() - first);
  RowTile tile{.X = table_.X.middleRows(first, count), .Y = table_.Y.middleRows(first, count), .numbers = {}};
  for (Index i = first; i < first + count; ++i) tile.numbers.push_back(table_.number_of(i));
  return tile;
}

RegressionTable all_rows(const TableRows& rows) {
  const TableEncoding& encoding = rows.encoding();
  const Index M = rows.rows(), inputs = encoding.width(),
              outputs = static_cast<Index>(encoding.outputs.size());
  require_memory(8 * static_cast<double>(M) * static_cast<double>(inputs + outputs), "data",
                 fmt::format("{} rows of {} inputs", M, inputs));
  RegressionTable table{.inputs = encoding.input_names(),
                        .outputs = encoding.output_names(),
                        .X = Matrix(M, inputs),
                        .Y = Matrix(M, outputs),
                        .encoding = encoding};
  Index first = 0;
  for_each_tile(
      {.first = 0, .end = rows.tiles()}, [&](Index index) { return rows.tile(index); },
      [&](Index, const RowTile& tile) {
        table.X.middleRows(first, tile.X.rows()) = tile.X;
        table.Y.middleRows(first, tile.Y.rows()) = tile.Y;
        table.numbers.insert(table.numbers.end(), tile.numbers.begin(), tile.numbers.end());
        first += tile.X.rows();
      });
  const bool all_in_order = table.numbers.empty() || table.numbers.back() + 1 == M;
  if (all_in_order) table.numbers.clear();
  return table;
}

}  // namespace ridgelet
