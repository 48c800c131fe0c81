#include "ridgelet/io/netcdf.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <netcdf.h>
#include <netcdf_mem.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/io/output_file.hpp"
#include "ridgelet/io/seal.hpp"

namespace ridgelet {

namespace {

/// What HDF5 keeps of each text in an array: its length, and where it is.
constexpr double string_reference_bytes = 16;

constexpr const char* for_want_of_memory = "; memory, or addresses (ulimit -v), may be too few";

/// A file in memory can only fail for want of memory, or because a name was used wrongly.
void built(int status) {
  if (status != NC_NOERR)
    throw IoError(fmt::format("cannot build a NetCDF file: {}{}", nc_strerror(status), for_want_of_memory));
}

/// Where hyperslab number `slab` starts. The leading `counted` dimensions count the slabs; each slab spans the others.
struct Hyperslab {
  std::vector<std::size_t> start;
  std::vector<std::size_t> count;

  Hyperslab(const std::vector<std::size_t>& sizes, std::size_t counted, Index slab)
      : start(sizes.size(), 0), count(sizes) {
    auto rest = static_cast<std::size_t>(slab);
    for (std::size_t k = counted; k-- > 0;) {
      start[k] = rest % sizes[k];
      rest /= sizes[k];
      count[k] = 1;
    }
  }
};

Index product(std::vector<std::size_t>::const_iterator first, std::vector<std::size_t>::const_iterator last) {
  return static_cast<Index>(std::accumulate(first, last, std::size_t{1}, std::multiplies<>()));
}

/// HDF5, on which NetCDF is built, has a switch for each thread: whether its failed attempts are reported on the
/// standard error. NetCDF turns it off only on the first thread that calls it.
void silence_hdf5_on_this_thread() {
  using SetAuto = int (*)(std::int64_t stack, void* function, void* data);
  static const auto set_auto = reinterpret_cast<SetAuto>(dlsym(RTLD_DEFAULT, "H5Eset_auto2"));
  if (set_auto) set_auto(0, nullptr, nullptr);
}

}  // namespace

NetcdfTurn::NetcdfTurn() {
  static std::recursive_mutex one_at_a_time;
  lock_ = std::unique_lock(one_at_a_time);
  silence_hdf5_on_this_thread();
}

NetcdfWriter::NetcdfWriter() {
  built(nc_create_mem("results", NC_NETCDF4, 0, &file_));
  attribute("", seal_mark, seal_mark_text);
}

NetcdfWriter::~NetcdfWriter() {
  if (open_) nc_abort(file_);
}

void NetcdfWriter::dimension(const std::string& name, Index size) {
  int id = 0;
  built(nc_def_dim(file_, name.c_str(), static_cast<std::size_t>(size), &id));
}

int NetcdfWriter::group_of(const std::string& name) {
  int id = file_;
  if (!name.empty() && nc_inq_grp_ncid(file_, name.c_str(), &id) != NC_NOERR)
    built(nc_def_grp(file_, name.c_str(), &id));
  return id;
}

void NetcdfWriter::attribute(const std::string& group, const std::string& name, const std::string& text) {
  built(nc_put_att_text(group_of(group), NC_GLOBAL, name.c_str(), text.size(), text.data()));
}

void NetcdfWriter::attribute(const std::string& group, const std::string& name, double value) {
  built(nc_put_att_double(group_of(group), NC_GLOBAL, name.c_str(), NC_DOUBLE, 1, &value));
}

Index NetcdfWriter::size_of(const std::string& dimension) const {
  int id = 0;
  std::size_t size = 0;
  built(nc_inq_dimid(file_, dimension.c_str(), &id));
  built(nc_inq_dimlen(file_, id, &size));
  return static_cast<Index>(size);
}

int NetcdfWriter::define(const std::string& group, const std::string& name, int type,
                         const DimensionNames& dimensions, const std::string& description) {
  std::vector<int> ids;
  for (const std::string& dimension : dimensions)
    built(nc_inq_dimid(file_, dimension.c_str(), &ids.emplace_back()));
  const int id = group_of(group);
  int variable = 0;
  built(nc_def_var(id, name.c_str(), type, static_cast<int>(ids.size()), ids.data(), &variable));
  built(nc_put_att_text(id, variable, "description", description.size(), description.data()));
  return variable;
}

void NetcdfWriter::array(const std::string& group, const std::string& name, const DimensionNames& dimensions,
                         const std::string& description, std::size_t slab_dimensions,
                         const std::function<void(Index slab, Vector& values)>& fill) {
  const int variable = define(group, name, NC_DOUBLE, dimensions, description);
  std::vector<std::size_t> sizes;
  for (const std::string& dimension : dimensions)
    sizes.push_back(static_cast<std::size_t>(size_of(dimension)));
  const auto split = sizes.begin() + static_cast<std::ptrdiff_t>(slab_dimensions);
  Vector values(product(split, sizes.end()));
  for (Index slab = 0; slab < product(sizes.begin(), split); ++slab) {
    fill(slab, values);
    const Hyperslab at(sizes, slab_dimensions, slab);
    built(nc_put_vara_double(group_of(group), variable, at.start.data(), at.count.data(), values.data()));
  }
}

void NetcdfWriter::matrix(const std::string& group, const std::string& name, const DimensionNames& dimensions,
                          const std::string& description, std::size_t row_dimensions,
                          const MatrixView& values) {
  array(group, name, dimensions, description, row_dimensions,
        [&](Index row, Vector& slab) { slab = values.row(row); });
}

void NetcdfWriter::vector(const std::string& group, const std::string& name, const std::string& dimension,
                          const std::string& description, const VectorView& values) {
  array(group, name, {dimension}, description, 0, [&](Index, Vector& slab) { slab = values; });
}

void NetcdfWriter::names(const std::string& group, const std::string& name, const std::string& dimension,
                         const std::string& description, const std::vector<std::string>& values) {
  const int variable = define(group, name, NC_STRING, {dimension}, description);
  std::vector<const char*> texts;
  for (const std::string& value : values) texts.push_back(value.c_str());
  built(nc_put_var_string(group_of(group), variable, texts.data()));
}

void NetcdfWriter::commit(const std::filesystem::path& path) {
  NC_memio image{};
  open_ = false;
  built(nc_close_memio(file_, &image));
  const std::unique_ptr<void, decltype(&std::free)> owner(image.memory, &std::free);
  OutputFile file(path);
  write_sealed(file.stream(), {static_cast<const char*>(image.memory), image.size});
  file.commit();
}

NetcdfReader::NetcdfReader(std::filesystem::path path, std::string argument)
    : path_(std::move(path)), argument_(std::move(argument)) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path_, ignored);
  const auto require = [&](bool readable, const char* trouble) {
    if (!readable) throw IoError(fmt::format("cannot read '{}': {}", path_.string(), trouble));
  };
  require(!std::filesystem::is_directory(status), "it is a directory");
  // A pipe would have the next line wait for somebody to write to it.
  require(!std::filesystem::exists(status) || std::filesystem::is_regular_file(status),
          "it is no regular file, and results are read from all over a file; write them to one");
  errno = 0;
  const bool opened = std::ifstream(path_).is_open();
  require(opened, std::strerror(errno));
  const Seal seal = seal_of(path_);
  if (seal == Seal::broken) refuse("is not a results file of ridgelet, or it is cut off or damaged");
  bytes_ = static_cast<double>(std::filesystem::file_size(path_));
  if (nc_open(path_.c_str(), NC_NOWRITE, &file_) != NC_NOERR)
    refuse(seal == Seal::none
               ? "is not a results file of ridgelet, or it is damaged"
               : fmt::format("cannot be decoded, though its seal is whole{}", for_want_of_memory));
  int mark = 0;
  if (seal == Seal::none && nc_inq_attid(file_, NC_GLOBAL, seal_mark, &mark) != NC_ENOTATT) {
    nc_close(file_);
    refuse(fmt::format(
        "has lost its seal: it is cut off, or another program wrote it anew; take the file as it was, or "
        "remove its attribute '{}' to have it read on trust",
        seal_mark));
  }
}

NetcdfReader::~NetcdfReader() {
  nc_close(file_);
}

void NetcdfReader::refuse(const std::string& complaint) const {
  throw InvalidArgument(argument_, fmt::format("'{}' {}", path_.string(), complaint));
}

void NetcdfReader::expect(int status, const std::string& what) const {
  if (status != NC_NOERR)
    refuse(fmt::format("has no {} that can be read: it is damaged, or of another program", what));
}

void NetcdfReader::expect_within_file(double bytes, const std::string& what) const {
  expect(bytes <= bytes_ ? NC_NOERR : NC_EINVAL, what);
}

int NetcdfReader::group_of(const std::string& name) const {
  int id = file_;
  if (!name.empty()) expect(nc_inq_grp_ncid(file_, name.c_str(), &id), "group '" + name + "'");
  return id;
}

int NetcdfReader::variable_of(int group, const std::string& name) const {
  int variable = 0;
  expect(nc_inq_varid(group, name.c_str(), &variable), "array '" + name + "'");
  return variable;
}

bool NetcdfReader::has_attribute(const std::string& group, const std::string& name) const {
  int id = 0;
  return nc_inq_attid(group_of(group), NC_GLOBAL, name.c_str(), &id) == NC_NOERR;
}

bool NetcdfReader::has_array(const std::string& group, const std::string& name) const {
  int id = 0;
  return nc_inq_varid(group_of(group), name.c_str(), &id) == NC_NOERR;
}

std::string NetcdfReader::text(const std::string& group, const std::string& name) const {
  const int id = group_of(group);
  std::size_t length = 0;
  expect(nc_inq_attlen(id, NC_GLOBAL, name.c_str(), &length), "attribute '" + name + "'");
  expect_within_file(static_cast<double>(length), "attribute '" + name + "'");
  std::string text(length, '\0');
  expect(nc_get_att_text(id, NC_GLOBAL, name.c_str(), text.data()), "attribute '" + name + "'");
  return text;
}

double NetcdfReader::number(const std::string& group, const std::string& name) const {
  const int id = group_of(group);
  std::size_t length = 0;
  double value = 0;
  const bool single = nc_inq_attlen(id, NC_GLOBAL, name.c_str(), &length) == NC_NOERR && length == 1 &&
                      nc_get_att_double(id, NC_GLOBAL, name.c_str(), &value) == NC_NOERR;
  expect(single ? NC_NOERR : NC_EINVAL, "attribute '" + name + "'");
  return value;
}

Index NetcdfReader::size_of(const std::string& dimension) const {
  int id = 0;
  std::size_t size = 0;
  expect(nc_inq_dimid(file_, dimension.c_str(), &id), "dimension '" + dimension + "'");
  expect(nc_inq_dimlen(file_, id, &size), "dimension '" + dimension + "'");
  return static_cast<Index>(size);
}

Matrix NetcdfReader::matrix(const std::string& group, const std::string& name,
                            std::size_t row_dimensions) const {
  const int id = group_of(group), variable = variable_of(id, name);
  int rank = 0;
  expect(nc_inq_varndims(id, variable, &rank), "array '" + name + "'");
  if (static_cast<std::size_t>(rank) < row_dimensions) expect(NC_EINVAL, "array '" + name + "'");
  std::vector<int> dimensions(static_cast<std::size_t>(rank));
  expect(nc_inq_vardimid(id, variable, dimensions.data()), "array '" + name + "'");
  std::vector<std::size_t> sizes(dimensions.size());
  for (std::size_t k = 0; k < sizes.size(); ++k)
    expect(nc_inq_dimlen(id, dimensions[k], &sizes[k]), "array '" + name + "'");
  double count = 1;
  for (const std::size_t size : sizes) count *= static_cast<double>(size);
  expect_within_file(8 * count, "array '" + name + "'");
  const auto split = sizes.begin() + static_cast<std::ptrdiff_t>(row_dimensions);
  const Index rows = product(sizes.begin(), split), columns = product(split, sizes.end());
  require_memory(8.0 * static_cast<double>(rows) * static_cast<double>(columns), argument_,
                 fmt::format("'{}' of '{}'", name, path_.string()));
  Matrix values(rows, columns);
  Vector row(columns);
  for (Index i = 0; i < rows; ++i) {
    const Hyperslab at(sizes, row_dimensions, i);
    expect(nc_get_vara_double(id, variable, at.start.data(), at.count.data(), row.data()),
           "array '" + name + "'");
    values.row(i) = row;
  }
  return values;
}

Vector NetcdfReader::vector(const std::string& group, const std::string& name) const {
  return matrix(group, name, 0).row(0);
}

std::vector<std::string> NetcdfReader::names(const std::string& group, const std::string& name) const {
  const int id = group_of(group), variable = variable_of(id, name);
  int rank = 0, dimension = 0;
  std::size_t size = 0;
  const bool list = nc_inq_varndims(id, variable, &rank) == NC_NOERR && rank == 1 &&
                    nc_inq_vardimid(id, variable, &dimension) == NC_NOERR &&
                    nc_inq_dimlen(id, dimension, &size) == NC_NOERR;
  expect(list ? NC_NOERR : NC_EINVAL, "array '" + name + "'");
  expect_within_file(string_reference_bytes * static_cast<double>(size), "array '" + name + "'");
  std::vector<char*> texts(size, nullptr);
  expect(nc_get_var_string(id, variable, texts.data()), "array '" + name + "'");
  std::vector<std::string> values;
  for (const char* text : texts) values.emplace_back(text ? text : "");
  nc_free_string(size, texts.data());
  return values;
}

}  // namespace ridgelet
