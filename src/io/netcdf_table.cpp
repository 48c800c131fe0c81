#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <limits>

#include "array_source.hpp"
#include "ridgelet/io/csv_records.hpp"
#include "ridgelet/io/netcdf.hpp"

namespace ridgelet {

namespace {

bool is_number(nc_type type) {
  return type >= NC_BYTE && type != NC_CHAR && type <= NC_UINT64;
}

/// A variable along the rows, as the netCDF conventions have it: numbers are scale * stored + offset.
struct NetcdfVariable {
  int id;
  bool coordinate;                   ///< it has the name of its dimension
  double wrap = 0;                   ///< added to negative values that stand for unsigned ones
  std::vector<double> missing = {};  ///< stored values that stand for a missing number
  double low = -std::numeric_limits<double>::infinity();  ///< what lies outside is missing
  double high = std::numeric_limits<double>::infinity();
  bool bounds_stored = true;  ///< the bounds apply to stored values, not to unpacked ones
  double scale = 1, offset = 0;

  double unwrapped(double stored) const { return stored < 0 ? stored + wrap : stored; }

  double number(double as_stored) const {
    const double stored = unwrapped(as_stored), number = scale * stored + offset;
    const double bounded = bounds_stored ? stored : number;
    const bool lacks = std::ranges::find(missing, stored) != missing.end() || bounded < low || bounded > high;
    return lacks ? std::numeric_limits<double>::quiet_NaN() : number;
  }
};

/// Reads what the attributes of a variable say of its values.
class NetcdfAttributes {
 public:
  NetcdfAttributes(int file, int id, std::string name, nc_type type)
      : file_(file), id_(id), name_(std::move(name)), type_(type) {}

  NetcdfVariable variable(bool coordinate) const {
    NetcdfVariable variable{.id = id_, .coordinate = coordinate, .wrap = wrap()};
    variable.missing = numbers("_FillValue", 1);
    if (variable.missing.empty() && type_ == NC_DOUBLE) variable.missing = default_fill();
    for (const double value : numbers("missing_value", 1)) variable.missing.push_back(value);
    for (double& value : variable.missing) value = variable.unwrapped(value);
    set_bounds(variable);
    for (const double scale : numbers("scale_factor", 1)) variable.scale = scale;
    for (const double offset : numbers("add_offset", 1)) variable.offset = offset;
    return variable;
  }

 private:
  /// Empty if there is no such attribute. Throws CsvRefusal unless it has `count` numbers.
  std::vector<double> numbers(const char* attribute, std::size_t count) const {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    if (nc_inq_att(file_, id_, attribute, &type, &length) != NC_NOERR) return {};
    std::vector<double> values(count);
    if (!is_number(type) || length != count ||
        nc_get_att_double(file_, id_, attribute, values.data()) != NC_NOERR)
      throw CsvRefusal{"",
                       fmt::format("variable '{}': its attribute '{}' must be {}; correct it, or remove it",
                                   shown(name_), attribute, count == 1 ? "a number" : "two numbers")};
    return values;
  }

  std::vector<double> default_fill() const {
    int without = 0;
    double fill = 0;
    const bool known = nc_inq_var_fill(file_, id_, &without, &fill) == NC_NOERR && !without;
    return known ? std::vector{fill} : std::vector<double>();
  }

  /// 2^bits for a signed type whose attribute _Unsigned is "true", or else 0: older files have no unsigned types.
  double wrap() const {
    std::array<char, 4> text = {};
    nc_type type = NC_NAT;
    std::size_t length = 0;
    if (nc_inq_att(file_, id_, "_Unsigned", &type, &length) != NC_NOERR || type != NC_CHAR ||
        length != text.size())
      return 0;
    nc_get_att_text(file_, id_, "_Unsigned", text.data());
    if (std::string_view(text.data(), text.size()) != "true") return 0;
    if (type_ == NC_BYTE) return 0x1p8;
    if (type_ == NC_SHORT) return 0x1p16;
    return type_ == NC_INT ? 0x1p32 : 0;
  }

  void set_bounds(NetcdfVariable& variable) const {
    for (const double low : numbers("valid_min", 1)) variable.low = low;
    for (const double high : numbers("valid_max", 1)) variable.high = high;
    if (const std::vector<double> range = numbers("valid_range", 2); !range.empty()) {
      variable.low = range[0];
      variable.high = range[1];
    }
    // By the conventions, bounds have the type of the values that they apply to, stored or unpacked.
    for (const char* attribute : {"valid_min", "valid_max", "valid_range"})
      if (nc_type type = type_; nc_inq_atttype(file_, id_, attribute, &type) == NC_NOERR)
        variable.bounds_stored = type == type_;
    if (!variable.bounds_stored) return;
    variable.low = variable.unwrapped(variable.low);
    variable.high = variable.unwrapped(variable.high);
  }

  int file_, id_;
  std::string name_;
  nc_type type_;
};

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
  bool only_if_named(std::size_t column) const override { return variables_[column].coordinate; }
  Index rows() const override { return rows_; }

  Matrix read(Index first, Index count, const std::vector<std::size_t>& wanted) const override {
    const NetcdfTurn turn;
    Matrix values(count, static_cast<Index>(wanted.size()));
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const NetcdfVariable& variable = variables_[wanted[k]];
      const auto start = static_cast<std::size_t>(first), size = static_cast<std::size_t>(count);
      auto column = values.col(static_cast<Index>(k));
      if (const int status = nc_get_vara_double(file_, variable.id, &start, &size, column.data());
          status != NC_NOERR)
        fail(nc_strerror(status));
      for (double& value : column) value = variable.number(value);
    }
    return values;
  }

 private:
  /// A variable of numbers along one dimension.
  struct Candidate {
    int id;
    std::string name;
    nc_type type;
    int dimension;
    bool coordinate;
  };

  [[noreturn]] void fail(const std::string& reason) const {
    throw IoError(fmt::format("cannot read '{}': {}", shown(name_, name_.size()), reason));
  }

  std::vector<Candidate> candidates() const {
    std::vector<Candidate> found;
    int variables = 0;
    nc_inq_nvars(file_, &variables);
    for (int id = 0; id < variables; ++id) {
      std::array<char, NC_MAX_NAME + 1> name = {}, along = {};
      std::array<int, NC_MAX_VAR_DIMS> dimensions = {};
      nc_type type = NC_NAT;
      int count = 0;
      nc_inq_var(file_, id, name.data(), &type, &count, dimensions.data(), nullptr);
      if (count != 1 || !is_number(type)) continue;
      nc_inq_dimname(file_, dimensions[0], along.data());
      found.push_back({id, name.data(), type, dimensions[0], std::string_view(name.data()) == along.data()});
    }
    return found;
  }

  void find_columns() {
    const std::vector<Candidate> all = candidates();
    const auto first = std::ranges::find(all, false, &Candidate::coordinate);
    if (first == all.end())
      throw CsvRefusal{"", "has no variable of numbers along one dimension, which a table is made of"};
    for (const Candidate& found : all) {
      if (found.dimension != first->dimension) continue;
      columns_.push_back(found.name);
      variables_.push_back(
          NetcdfAttributes(file_, found.id, found.name, found.type).variable(found.coordinate));
    }
    std::size_t length = 0;
    nc_inq_dimlen(file_, first->dimension, &length);
    rows_ = static_cast<Index>(length);
  }

  std::string name_;
  int file_ = 0;
  std::vector<std::string> columns_;
  std::vector<NetcdfVariable> variables_;
  Index rows_ = 0;
};

}  // namespace

std::unique_ptr<NumberFile> open_netcdf_table(const std::filesystem::path& path) {
  return std::make_unique<NetcdfTable>(path);
}

}  // namespace ridgelet
