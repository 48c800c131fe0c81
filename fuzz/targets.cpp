#include "targets.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/io/checkpoint.hpp"
#include "ridgelet/io/csv.hpp"
#include "ridgelet/io/model_file.hpp"
#include "ridgelet/io/results.hpp"
#include "ridgelet/io/table_file.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::fuzz {

namespace {

/// What must hold does not.
[[noreturn]] void broken(const char* promise, std::string_view bytes) {
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::fwrite(bytes.data(), 1, bytes.size(), stderr);
  std::abort();
}

void require(bool holds, const char* promise, std::string_view bytes) {
  if (!holds) broken(promise, bytes);
}

/// Runs `read`; a refusal is one line of moderate length about one of our arguments. Anything else that is thrown leaves
/// the process.
template <class Read>
void read_or_refuse(std::string_view bytes, Read&& read) {
  try {
    read();
  } catch (const InvalidArgument& error) {
    const std::string line = error.what();
    require(!line.empty() && line.size() < 20'000, "a complaint is not endless", bytes);
    require(line.find('\n') == std::string::npos, "a complaint is one line", bytes);
  } catch (const IoError&) {
  }
}

/// A file with these bytes, in memory where the system has such a place; the same file every time.
std::filesystem::path file_with(std::string_view bytes, const std::string& name) {
  static const std::filesystem::path directory = [] {
    const std::filesystem::path memory = "/dev/shm";
    return std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
  }();
  const std::filesystem::path path = directory / ("ridgelet-fuzz-" + std::to_string(::getpid()) + "-" + name);
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

/// Two points of three inputs.
const Matrix two_points{{0.3, -1.2, 4}, {-2, 0.1, 0.7}};

void kernel(std::string_view bytes) {
  read_or_refuse(bytes, [&] {
    const Kernel k = parse_kernel(bytes);
    const std::string text = k.text();
    require(parse_kernel(text).text() == text, "what a kernel says of itself is read back", bytes);
    k.validate_dimension(3);
    k.matrix(two_points, two_points);
  });
}

void mean(std::string_view bytes) {
  read_or_refuse(bytes, [&] {
    const MeanFunction m{std::string(bytes)};
    require(MeanFunction(m.text()).text() == m.text(), "what a mean says of itself is read back", bytes);
    m.validate_dimension(3, "mean");
    m(two_points);
    m.coefficients();
  });
}

void model(std::string_view bytes) {
  read_or_refuse(bytes, [&] {
    ModelSettings settings, again;
    read_model_text(std::string(bytes), "m.toml", settings);
    const std::string text = model_file_text(settings);
    read_model_text(text, "again.toml", again);
    require(model_file_text(again) == text, "what is written of a model is read back", bytes);
  });
}

/// The first byte chooses rows of a tile and what is done about missing values.
void table(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto choice = static_cast<unsigned char>(bytes[0]);
  const std::string text(bytes.substr(1));
  const TableRequest request{.outputs = {"y"},
                             .missing = choice % 2 ? MissingValues::drop : MissingValues::refuse};
  read_or_refuse(bytes, [&] {
    const TableFile read = read_table_text(text, "t.csv", request, {.rows = 1 + choice / 2 % 7});
    require(read.table.X.allFinite() && read.table.Y.allFinite(), "a table that was read is finite", bytes);
    const std::string encoding = to_text(read.table.encoding);
    require(to_text(parse_table_encoding(encoding)) == encoding, "an encoding is read back", bytes);
  });
}

void numbers(std::string_view bytes) {
  read_or_refuse(bytes, [&] {
    std::istringstream stream{std::string(bytes)};
    require(read_csv(stream, "t.csv", {"x", "y"}).values.allFinite(), "a table that was read is finite",
            bytes);
  });
}

void encoding(std::string_view bytes) {
  read_or_refuse(bytes, [&] {
    const std::string text = to_text(parse_table_encoding(bytes));
    require(to_text(parse_table_encoding(text)) == text, "an encoding is read back", bytes);
  });
}

void columns(std::string_view bytes) {
  read_or_refuse(bytes, [&] { split_columns(std::string(bytes)); });
}

void results(std::string_view bytes) {
  const std::filesystem::path path = file_with(bytes, "results.nc");
  read_or_refuse(bytes, [&] { read_results(path); });
  std::filesystem::remove(path);
}

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
  wanted.sampling = {.chains = 2, .warmup = 1, .draws = 2};
  return wanted;
}

void checkpoint(std::string_view bytes) {
  static const auto regression = std::make_shared<const Regression>(two_chains().regression, eight_rows());
  static const std::string run = describe_run(eight_rows(), two_chains());
  static Sampling sampling(regression->shared_prior(), regression->shared_data(), two_chains().sampling, {});
  const std::filesystem::path path = file_with(bytes, "run.checkpoint");
  read_or_refuse(bytes, [&] { Checkpoint(path, run).resume(sampling); });
  std::filesystem::remove(path);
}

}  // namespace

const std::vector<Target>& targets() {
  static const ThreadScope one_thread(1);
  static const std::vector<Target> all = {
      {"kernel", kernel},   {"mean", mean},       {"model", model},
      {"table", table},     {"numbers", numbers}, {"encoding", encoding},
      {"columns", columns}, {"results", results}, {"checkpoint", checkpoint}};
  return all;
}

}  // namespace ridgelet::fuzz
