/// NetCDF-4 files: groups of named arrays over named dimensions, with attributes; xarray and ArviZ read them.
///
/// Dimensions are declared once, for the whole file. Arrays are of doubles and row-major in the file: the
/// last dimension runs fastest. The same content gives the same bytes: no time and no name of a machine is stored.
/// A seal at the end tells damage from content (io/seal.hpp).
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "ridgelet/core/types.hpp"

namespace ridgelet {

using DimensionNames = std::vector<std::string>;

/// NetCDF has one state for the whole process: while a thread has a file open, others wait for their turn.
class NetcdfTurn {
 public:
  NetcdfTurn();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Builds the file in memory, then puts it in its place, whole or not at all. Memory: the size of the file.
class NetcdfWriter {
 public:
  NetcdfWriter();
  ~NetcdfWriter();
  NetcdfWriter(const NetcdfWriter&) = delete;
  NetcdfWriter& operator=(const NetcdfWriter&) = delete;

  void dimension(const std::string& name, Index size);

  /// Attributes of a group, "" for the file itself. The group is made when first named.
  void attribute(const std::string& group, const std::string& name, const std::string& text);
  void attribute(const std::string& group, const std::string& name, double value);

  /// An array given slab by slab: `fill(i, values)` writes slab i, where the leading `slab_dimensions` of the
  /// dimensions count the slabs, the last of them fastest, and the others make up a slab.
  void array(const std::string& group, const std::string& name, const DimensionNames& dimensions,
             const std::string& description, std::size_t slab_dimensions,
             const std::function<void(Index slab, Vector& values)>& fill);

  /// The rows of a matrix are the slabs: the leading dimensions count its rows.
  void matrix(const std::string& group, const std::string& name, const DimensionNames& dimensions,
              const std::string& description, std::size_t row_dimensions, const MatrixView& values);

  void vector(const std::string& group, const std::string& name, const std::string& dimension,
              const std::string& description, const VectorView& values);

  void names(const std::string& group, const std::string& name, const std::string& dimension,
             const std::string& description, const std::vector<std::string>& values);

  /// Closes and writes. Throws IoError.
  void commit(const std::filesystem::path& path);

 private:
  int group_of(const std::string& name);
  int define(const std::string& group, const std::string& name, int type, const DimensionNames& dimensions,
             const std::string& description);
  Index size_of(const std::string& dimension) const;

  NetcdfTurn turn_;
  int file_ = 0;
  bool open_ = true;
};

/// Reads such a file. What is damaged, missing, of another type, or larger than the file throws InvalidArgument
/// about `argument`, naming the file; a file that cannot be opened at all throws IoError. Damage is found before
/// anything is decoded, at the cost of one more pass over the file.
class NetcdfReader {
 public:
  NetcdfReader(std::filesystem::path path, std::string argument);
  ~NetcdfReader();
  NetcdfReader(const NetcdfReader&) = delete;
  NetcdfReader& operator=(const NetcdfReader&) = delete;

  bool has_attribute(const std::string& group, const std::string& name) const;
  bool has_array(const std::string& group, const std::string& name) const;
  std::string text(const std::string& group, const std::string& name) const;
  double number(const std::string& group, const std::string& name) const;
  Index size_of(const std::string& dimension) const;

  /// A row for each combination of the leading `row_dimensions` dimensions.
  Matrix matrix(const std::string& group, const std::string& name, std::size_t row_dimensions) const;
  Vector vector(const std::string& group, const std::string& name) const;
  std::vector<std::string> names(const std::string& group, const std::string& name) const;

  /// Throws InvalidArgument: "'model.nc' <complaint>".
  [[noreturn]] void refuse(const std::string& complaint) const;

 private:
  int group_of(const std::string& name) const;
  int variable_of(int group, const std::string& name) const;
  void expect(int status, const std::string& what) const;
  /// No size in the file is taken on trust: an array cannot be larger than the file that holds it.
  void expect_within_file(double bytes, const std::string& what) const;

  std::filesystem::path path_;
  std::string argument_;
  double bytes_ = 0;
  NetcdfTurn turn_;
  int file_ = 0;
};

}  // namespace ridgelet
