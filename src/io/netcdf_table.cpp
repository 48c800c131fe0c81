#include <fmt/format.h>
#include <netcdf.h>

#include <array>
#include <limits>

#include "array_source.hpp"
#include "ridgelet/io/csv_records.hpp"
#include "ridgelet/io/netcdf.hpp"

namespace ridgelet {

namespace {

class NetcdfTable : public NumberFile {
 public:
  explicit NetcdfTable(const std::filesystem::path& path) : name_(path.string()) {
    const NetcdfTurn turn;
    if (const int status = nc_open(path.c_str(), NC_NOWRITE, &file_); status != NC_NOERR)
      fail(nc_strerror(status));
    reading_table(name_, [&] { find_columns(); });
  }
  ~NetcdfTable() override {
    const NetcdfTurn turn;
    nc_close(file_);
  }
  NetcdfTable(const NetcdfTable&) = delete;
  NetcdfTable& operator=(const NetcdfTable&) = delete;

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  Index rows() const override { return rows_; }

  Matrix read(Index first, Index count, const std::vector<std::size_t>& wanted) const override {
    const NetcdfTurn turn;
    Matrix values(count, static_cast<Index>(wanted.size()));
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const Variable& variable = variables_[wanted[k]];
      const auto start = static_cast<std::size_t>(first), size = static_cast<std::size_t>(count);
      auto column = values.col(static_cast<Index>(k));
      if (const int status = nc_get_vara_double(file_, variable.id, &start, &size, column.data());
          status != NC_NOERR)
        fail(nc_strerror(status));
      for (double& value : column)
        if (value == variable.fill) value = std::numeric_limits<double>::quiet_NaN();
    }
    return values;
  }

 private:
  struct Variable {
    int id;
    double fill;  ///< stands for a missing value
  };

  [[noreturn]] void fail(const std::string& reason) const {
    throw IoError(fmt::format("cannot read '{}': {}", shown(name_, name_.size()), reason));
  }

  void find_columns() {
    int variables = 0, dimension = -1;
    nc_inq_nvars(file_, &variables);
    for (int id = 0; id < variables; ++id) {
      std::array<char, NC_MAX_NAME + 1> name = {}, along = {};
      std::array<int, NC_MAX_VAR_DIMS> dimensions = {};
      nc_type type = NC_NAT;
      int count = 0;
      nc_inq_var(file_, id, name.data(), &type, &count, dimensions.data(), nullptr);
      if (count != 1 || type < NC_BYTE || type == NC_CHAR || type > NC_UINT64) continue;
      nc_inq_dimname(file_, dimensions[0], along.data());
      if (std::string(name.data()) == along.data()) continue;
      if (dimension < 0) dimension = dimensions[0];
      if (dimensions[0] != dimension) continue;
      int without_fill = 0;
      double fill = std::numeric_limits<double>::quiet_NaN();
      if (nc_get_att_double(file_, id, "_FillValue", &fill) != NC_NOERR && type == NC_DOUBLE)
        nc_inq_var_fill(file_, id, &without_fill, &fill);
      columns_.emplace_back(name.data());
      variables_.push_back({id, fill});
    }
    if (columns_.empty())
      throw CsvRefusal{"", "has no variable of numbers along one dimension, which a table is made of"};
    std::size_t length = 0;
    nc_inq_dimlen(file_, dimension, &length);
    rows_ = static_cast<Index>(length);
  }

  std::string name_;
  int file_ = 0;
  std::vector<std::string> columns_;
  std::vector<Variable> variables_;
  Index rows_ = 0;
};

}  // namespace

std::unique_ptr<NumberFile> open_netcdf_table(const std::filesystem::path& path) {
  return std::make_unique<NetcdfTable>(path);
}

}  // namespace ridgelet
