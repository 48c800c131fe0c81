#include "ridgelet/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

namespace {

struct Column {
  std::string name;
  std::size_t field;
};

/// Doubles the room for numbers once it is full, provided that there is enough memory.
void make_room(std::vector<double>& numbers, std::size_t more) {
  constexpr std::size_t first_room = 1 << 12;
  if (numbers.size() + more <= numbers.capacity()) return;
  const std::size_t room = std::max(first_room, 2 * (numbers.size() + more));
  require_memory(sizeof(double) * static_cast<double>(room), "data",
                 fmt::format("room for more than {} numbers", numbers.size()));
  numbers.reserve(room);
}

Matrix read_rows(CsvRecords& records, const std::vector<Column>& columns) {
  std::vector<double> numbers;
  DecimalMarks marks;
  while (records.next_row()) {
    make_room(numbers, columns.size());
    for (const Column& column : columns)
      numbers.push_back(read_number(records, column.field, column.name, marks));
  }
  if (numbers.empty())
    throw CsvRefusal{"", "a header without rows; put a line of values for each row below it"};
  require_memory(sizeof(double) * static_cast<double>(numbers.size()), "data", "the table");
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Index width = static_cast<Index>(columns.size()), count = static_cast<Index>(numbers.size());
  return Eigen::Map<const RowMajor>(numbers.data(), count / width, width);
}

Matrix read_columns(std::istream& stream, const std::vector<std::string>& names) {
  CsvRecords records(stream);
  records.read_header();
  std::vector<Column> columns;
  for (const std::string& name : names) columns.push_back({name, records.find_column(name)});
  return read_rows(records, columns);
}

std::vector<std::string> read_names(std::istream& stream) {
  CsvRecords record(stream, ',');
  if (!record.next() || record.blank()) throw CsvRefusal{"", "must name at least one column"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < record.size(); ++i) {
    const std::string name(record[i]);
    if (name.empty()) throw CsvRefusal{"", fmt::format("name {} is empty", i + 1)};
    if (std::ranges::find(names, name) != names.end())
      throw CsvRefusal{"", fmt::format("'{}' is listed twice", shown(name))};
    names.push_back(name);
  }
  if (record.next()) throw CsvRefusal{"", "must be one line"};
  return names;
}

}  // namespace

std::string csv_field(const std::string& text) {
  const bool padded =
      !text.empty() && (text.find_first_of(" \t") == 0 || text.find_last_of(" \t") + 1 == text.size());
  if (!padded && text.find_first_of(",;\t\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

void write_csv(std::ostream& stream, const std::vector<std::string>& header, const MatrixView& rows) {
  std::vector<std::string> names;
  for (const std::string& name : header) names.push_back(csv_field(name));
  stream << join(names, ",") << '\n';
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index j = 0; j < rows.cols(); ++j) stream << (j == 0 ? "" : ",") << shortest(rows(i, j));
    stream << '\n';
  }
}

CsvTable read_csv(const std::filesystem::path& path, const std::vector<std::string>& columns) {
  std::ifstream stream = open_table(path);
  return read_csv(stream, path.string(), columns);
}

CsvTable read_csv(std::istream& stream, const std::string& name, const std::vector<std::string>& columns) {
  if (columns.empty()) throw InvalidArgument("columns", "must name at least one column, got none");
  return reading_table(name, [&] { return CsvTable{columns, read_columns(stream, columns)}; });
}

std::vector<std::string> split_columns(const std::string& list) {
  std::istringstream stream(list);
  try {
    return read_names(stream);
  } catch (const CsvRefusal& refusal) {
    throw InvalidArgument("columns", fmt::format("{}, got '{}'", refusal.complaint, shown(list)));
  }
}

}  // namespace ridgelet
