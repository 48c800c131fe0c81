/// Tables of numbers in binary files: NumPy's `.npy`, and NetCDF. NaN is a missing value.
#pragma once

#include "ridgelet/io/table_source.hpp"

namespace ridgelet {

/// One file of numbers.
class NumberFile {
 public:
  virtual ~NumberFile() = default;
  virtual const std::string& name() const = 0;
  virtual const std::vector<std::string>& columns() const = 0;
  virtual bool only_if_named(std::size_t) const { return false; }
  virtual Index rows() const = 0;

  /// `count` rows from row `first`, in the columns asked for. Any thread may call it at any time. Throws IoError.
  virtual Matrix read(Index first, Index count, const std::vector<std::size_t>& columns) const = 0;
};

/// A matrix of shape (rows, columns), stored by rows or by columns, or a structured array of shape (rows,), of
/// little-endian numbers. Throws InvalidArgument about "data" for any other.
std::unique_ptr<NumberFile> open_npy(const std::filesystem::path& path);

/// The variables of numbers along one dimension. A variable with the same name as its dimension is a coordinate, and an
/// input only if it is named; the dimension is that of the first variable that is not a coordinate. Numbers are
/// unpacked (scale_factor, add_offset, _Unsigned); fill values and what lies outside the valid range are missing.
/// Throws InvalidArgument about "data".
std::unique_ptr<NumberFile> open_netcdf_table(const std::filesystem::path& path);

class ArraySource : public TableSource {
 public:
  ArraySource(std::vector<std::unique_ptr<NumberFile>> files, const TileOptions& options);

  const std::string& part_name(Index part) const override;
  bool only_if_named(std::size_t column) const override { return files_.front()->only_if_named(column); }
  std::string header() const override;
  char separator() const override { return ','; }
  Index rows() const override { return rows_; }
  Index tiles() const override { return static_cast<Index>(tiles_.size()); }
  void survey(Index tile, const std::vector<std::size_t>& columns,
              std::vector<ColumnFacts>& facts) const override;
  EncodedRows encoded(Index tile, const TableEncoding& encoding, const RowOptions& options) const override;

 private:
  const char* counted_by() const override { return "row"; }

  struct Tile {
    Index part = 0;
    Index first = 0;  ///< row of the part
    Index count = 0;
    Index row = 0;  ///< row of the table, from 0
  };
  const NumberFile& file(const Tile& tile) const { return *files_[static_cast<std::size_t>(tile.part)]; }

  std::vector<std::unique_ptr<NumberFile>> files_;
  std::vector<Tile> tiles_;
  Index rows_ = 0;
};

}  // namespace ridgelet
