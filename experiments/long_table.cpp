#include "experiments/long_table.hpp"

#include <ostream>

#include "ridgelet/core/text.hpp"

namespace ridgelet::experiments {

namespace {

std::string quoted_if_needed(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string cell_text(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return shortest(*number);
  return quoted_if_needed(std::get<std::string>(cell));
}

void write_line(std::ostream& stream, const std::vector<std::string>& fields) {
  stream << join(fields, ",") << '\n';
}

}  // namespace

void write_csv(std::ostream& stream, const LongTable& table) {
  std::vector<std::string> fields;
  for (const std::string& name : table.header) fields.push_back(quoted_if_needed(name));
  write_line(stream, fields);
  for (const std::vector<Cell>& row : table.rows) {
    fields.clear();
    for (const Cell& cell : row) fields.push_back(cell_text(cell));
    write_line(stream, fields);
  }
}

}  // namespace ridgelet::experiments
