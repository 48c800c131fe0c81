#include "file_targets.hpp"

#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "promises.hpp"
#include "ridgelet/core/checksum.hpp"
#include "ridgelet/io/checkpoint.hpp"
#include "ridgelet/io/netcdf.hpp"
#include "ridgelet/io/results.hpp"
#include "ridgelet/io/seal.hpp"

namespace ridgelet::fuzz {

namespace {

RegressionTable eight_rows() {
  const Vector x = Vector::LinSpaced(8, -2, 2);
  return {.inputs = {"x"}, .outputs = {"y"}, .X = x, .Y = x.array().sin()};
}

FitSettings two_chains() {
  FitSettings wanted;
  wanted.regression.model.kernel = "se()";
  wanted.regression.model.units = 3;
  wanted.regression.model.points = 4;
  wanted.regression.model.noise = Vector::Constant(1, 0.1);
  wanted.sampling = {.chains = 2, .warmup = 1, .draws = 4};
  wanted.most_watched = 2;
  wanted.domain_points = 2;
  wanted.force = true;
  return wanted;
}

std::string results_of(const RegressionTable& table, const FitSettings& settings) {
  const ScratchFile file("", "seed.nc");
  write_results(file.path(), fit(table, settings));
  return file.bytes();
}

bool read_results_file(const std::filesystem::path& path, std::string_view bytes) {
  return read_or_refuse(bytes, [&] {
    const FittedModel model = read_results(path);
    model.predict(Matrix::Zero(1, model.regression().data().X.cols()));
  });
}

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double endless = std::numeric_limits<double>::infinity();
constexpr std::array odd_numbers = {0.0, 1.0, -1.0, 0.5, 3.0, 1e300, -1e300, 1e-300, 9.3e18, endless, none};

/// The one of `count` that a byte chooses; 0 if there are none.
std::size_t chosen(char byte, std::size_t count) {
  return count == 0 ? 0 : static_cast<unsigned char>(byte) % count;
}

/// The groups of a file; the file itself is the first.
std::vector<int> groups_of(int file) {
  int count = 0;
  nc_inq_grps(file, &count, nullptr);
  std::vector<int> groups(static_cast<std::size_t>(count));
  nc_inq_grps(file, nullptr, groups.data());
  groups.insert(groups.begin(), file);
  return groups;
}

void copy_group(int from, int to) {
  int variables = 0, attributes = 0;
  nc_inq(from, nullptr, &variables, &attributes, nullptr);
  std::array<char, NC_MAX_NAME + 1> name{};
  for (int i = 0; i < attributes; ++i)
    if (nc_inq_attname(from, NC_GLOBAL, i, name.data()) == NC_NOERR &&
        std::strcmp(name.data(), seal_mark) != 0)
      nc_copy_att(from, NC_GLOBAL, name.data(), to, NC_GLOBAL);
  for (int i = 0; i < variables; ++i) nc_copy_var(from, i, to);
}

/// Results as another program would write them anew, without the seal and its mark. (A file that was made in memory
/// cannot be changed in place.)
std::string rewritten(const std::string& results) {
  const NetcdfTurn turn;
  const ScratchFile source(results, "source.nc"), target("", "target.nc");
  int from = 0, to = 0, dimensions = 0;
  nc_open(source.path().c_str(), NC_NOWRITE, &from);
  nc_create(target.path().c_str(), NC_NETCDF4, &to);
  nc_inq_ndims(from, &dimensions);
  std::array<char, NC_MAX_NAME + 1> name{};
  for (int i = 0, id = 0; i < dimensions; ++i) {
    std::size_t size = 0;
    nc_inq_dim(from, i, name.data(), &size);
    nc_def_dim(to, name.data(), size, &id);
  }
  for (const int group : groups_of(from)) {
    int copy = to;
    nc_inq_grpname(group, name.data());
    if (group != from) nc_def_grp(to, name.data(), &copy);
    copy_group(group, copy);
  }
  nc_close(from);
  nc_close(to);
  return target.bytes();
}

void change_number(int group, int variable, char place, double value) {
  nc_type type = NC_NAT;
  int rank = 0;
  if (nc_inq_vartype(group, variable, &type) != NC_NOERR || type != NC_DOUBLE) return;
  nc_inq_varndims(group, variable, &rank);
  std::vector<int> dimensions(static_cast<std::size_t>(rank));
  nc_inq_vardimid(group, variable, dimensions.data());
  std::vector<std::size_t> index;
  for (const int dimension : dimensions) {
    std::size_t size = 0;
    nc_inq_dimlen(group, dimension, &size);
    index.push_back(chosen(place, size));
  }
  nc_put_var1_double(group, variable, index.data(), &value);
}

void change_attribute(int group, const char* name, char place, char value) {
  nc_type type = NC_NAT;
  std::size_t length = 0;
  nc_inq_att(group, NC_GLOBAL, name, &type, &length);
  if (type == NC_DOUBLE) {
    nc_put_att_double(group, NC_GLOBAL, name, NC_DOUBLE, 1, &odd_numbers[chosen(value, odd_numbers.size())]);
  } else if (type == NC_CHAR && length > 0) {
    std::string text(length, '\0');
    nc_get_att_text(group, NC_GLOBAL, name, text.data());
    text[chosen(place, length)] = value;
    nc_put_att_text(group, NC_GLOBAL, name, length, text.data());
  }
}

/// An edit, given by four bytes: it changes a number of an array, or a number or character of an attribute, or removes
/// an attribute.
void edit(int file, std::string_view four) {
  const std::vector<int> groups = groups_of(file);
  const auto where = static_cast<unsigned char>(four[1]);
  const int group = groups[where % groups.size()];
  const auto which = static_cast<int>(where / groups.size());
  int variables = 0, attributes = 0;
  nc_inq(group, nullptr, &variables, &attributes, nullptr);
  if (four[0] % 2 == 0 && variables > 0)
    change_number(group, which % variables, four[2], odd_numbers[chosen(four[3], odd_numbers.size())]);
  std::array<char, NC_MAX_NAME + 1> name{};
  if (four[0] % 2 == 0 || attributes == 0 ||
      nc_inq_attname(group, NC_GLOBAL, which % attributes, name.data()) != NC_NOERR)
    return;
  if (four[0] % 8 == 7)
    nc_del_att(group, NC_GLOBAL, name.data());
  else
    change_attribute(group, name.data(), four[2], four[3]);
}

/// Where a record of a checkpoint says that it ends, its checksum included; a place beyond the file if it has no end.
std::size_t end_of_record(std::string_view bytes, std::size_t begin) {
  constexpr std::size_t head = 16, tail = 8;
  std::uint64_t count = bytes.size();
  if (bytes.size() - begin >= head + tail) std::memcpy(&count, bytes.data() + begin + 8, 8);
  return count > bytes.size() ? bytes.size() + 1 : begin + head + count + tail;
}

std::string with_right_checksums(std::string bytes) {
  std::size_t begin = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
  for (std::size_t end = end_of_record(bytes, begin); end <= bytes.size();
       end = end_of_record(bytes, begin)) {
    Checksum sum;
    sum.add(bytes.data() + begin, end - 8 - begin);
    const std::uint64_t value = sum.value();
    std::memcpy(bytes.data() + end - 8, &value, 8);
    begin = end;
  }
  return bytes;
}

const std::shared_ptr<const Regression>& small_regression() {
  static const auto regression = std::make_shared<const Regression>(two_chains().regression, eight_rows());
  return regression;
}

Sampling small_run() {
  return Sampling(small_regression()->shared_prior(), small_regression()->shared_data(),
                  two_chains().sampling, {});
}

bool read_checkpoint(std::string_view bytes) {
  static const std::string run = describe_run(eight_rows(), two_chains());
  const ScratchFile file(bytes, "run.checkpoint");
  Sampling chains = small_run();
  return read_or_refuse(bytes, [&] { Checkpoint(file.path(), run).resume(chains); });
}

}  // namespace

std::vector<std::string> whole_results() {
  static const std::vector<std::string> seeds = [] {
    FitSettings fixed = two_chains(), sampled = two_chains(), classes = two_chains();
    fixed.networks = 2;
    sampled.hidden = HiddenLayersAre::sampled;
    sampled.regression.model.layers = 2;
    classes.regression.model.likelihood = "bernoulli";
    classes.regression.model.noise = {};
    classes.latent.draws = 20;
    RegressionTable two_classes = eight_rows();
    two_classes.Y = (two_classes.Y.array() > 0).cast<double>();
    two_classes.encoding = TableEncoding::of_numbers(two_classes.inputs, two_classes.outputs);
    two_classes.encoding.outputs[0].levels = {"low", "high"};
    return std::vector<std::string>{results_of(eight_rows(), fixed), results_of(eight_rows(), sampled),
                                    results_of(two_classes, classes)};
  }();
  return seeds;
}

bool results(std::string_view bytes) {
  const ScratchFile file(bytes, "results.nc");
  return read_results_file(file.path(), bytes);
}

std::vector<std::string> no_edits() {
  return {std::string(1, '\0'), "\1", "\2"};
}

bool edited_results(std::string_view bytes) {
  if (bytes.empty()) return false;
  static const std::vector<std::string> fits = [] {
    std::vector<std::string> copies = whole_results();
    std::ranges::transform(copies, copies.begin(), rewritten);
    return copies;
  }();
  const ScratchFile file(fits[chosen(bytes[0], fits.size())], "edited.nc");
  {
    const NetcdfTurn turn;
    int id = 0;
    require(nc_open(file.path().c_str(), NC_WRITE, &id) == NC_NOERR, "another program opens the file", bytes);
    for (std::size_t i = 1; i + 4 <= bytes.size() && i < 40; i += 4) edit(id, bytes.substr(i, 4));
    require(nc_close(id) == NC_NOERR, "another program closes the file", bytes);
  }
  return read_results_file(file.path(), bytes);
}

std::vector<std::string> whole_checkpoints() {
  std::vector<std::string> seeds;
  for (const int steps : {0, 4, 10}) {
    const ScratchFile file("", "seed.checkpoint");
    Sampling chains = small_run();
    int asked = 0;
    chains.run([&] { return asked++ >= steps; }, [](Index, Index) {});
    Checkpoint(file.path(), describe_run(eight_rows(), two_chains())).save(chains);
    seeds.push_back(file.bytes());
  }
  return seeds;
}

bool checkpoint(std::string_view bytes) {
  const bool read = read_checkpoint(bytes);
  return read_checkpoint(with_right_checksums(std::string(bytes))) || read;
}

}  // namespace ridgelet::fuzz
