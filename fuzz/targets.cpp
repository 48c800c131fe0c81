#include "targets.hpp"

#include <algorithm>
#include <sstream>

#include "command_line.hpp"
#include "file_targets.hpp"
#include "promises.hpp"
#include "ridgelet/core/threads.hpp"
#include "ridgelet/io/csv.hpp"
#include "ridgelet/io/model_file.hpp"
#include "ridgelet/io/table_file.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet::fuzz {

namespace {

/// Two points of three inputs.
const Matrix two_points{{0.3, -1.2, 4}, {-2, 0.1, 0.7}};

bool kernel(std::string_view bytes) {
  return read_or_refuse(bytes, [&] {
    const Kernel k = parse_kernel(bytes);
    const std::string text = k.text();
    require(parse_kernel(text).text() == text, "what a kernel says of itself is read back", bytes);
    k.validate_dimension(3);
    k.matrix(two_points, two_points);
  });
}

bool mean(std::string_view bytes) {
  return read_or_refuse(bytes, [&] {
    const MeanFunction m{std::string(bytes)};
    require(MeanFunction(m.text()).text() == m.text(), "what a mean says of itself is read back", bytes);
    m.validate_dimension(3, "mean");
    m(two_points);
    m.coefficients();
  });
}

bool model(std::string_view bytes) {
  return read_or_refuse(bytes, [&] {
    ModelSettings settings, again;
    read_model_text(std::string(bytes), "m.toml", settings);
    const std::string text = model_file_text(settings);
    read_model_text(text, "again.toml", again);
    require(model_file_text(again) == text, "what is written of a model is read back", bytes);
  });
}

/// The first byte chooses the number of rows in a tile and what is done about missing values.
bool table(std::string_view bytes) {
  if (bytes.empty()) return false;
  const auto choice = static_cast<unsigned char>(bytes[0]);
  const std::string text(bytes.substr(1));
  const TableRequest request{.outputs = {"y"},
                             .missing = choice % 2 ? MissingValues::drop : MissingValues::refuse};
  return read_or_refuse(bytes, [&] {
    const TableFile read = read_table_text(text, "t.csv", request, {.rows = 1 + choice / 2 % 7});
    require(read.table.X.allFinite() && read.table.Y.allFinite(), "a table that was read is finite", bytes);
    const std::string encoding = to_text(read.table.encoding);
    require(to_text(parse_table_encoding(encoding)) == encoding, "an encoding is read back", bytes);
  });
}

bool numbers(std::string_view bytes) {
  return read_or_refuse(bytes, [&] {
    std::istringstream stream{std::string(bytes)};
    require(read_csv(stream, "t.csv", {"x", "y"}).values.allFinite(), "a table that was read is finite",
            bytes);
  });
}

bool encoding(std::string_view bytes) {
  return read_or_refuse(bytes, [&] {
    const std::string text = to_text(parse_table_encoding(bytes));
    require(to_text(parse_table_encoding(text)) == text, "an encoding is read back", bytes);
  });
}

bool columns(std::string_view bytes) {
  return read_or_refuse(bytes, [&] { split_columns(std::string(bytes)); });
}

/// One word of a command line on each line. No word can have a zero, which stands for a line break within a word.
std::vector<std::string> words_of(std::string_view bytes) {
  std::vector<std::string> words;
  std::istringstream lines{std::string(bytes)};
  for (std::string word; std::getline(lines, word); words.push_back(word))
    std::ranges::replace(word, '\0', '\n');
  return words;
}

/// The whole program but its work: nothing is computed, and no file is opened.
bool command(std::string_view bytes) {
  try {
    app::CommandLine line;
    require(line.read(words_of(bytes)) != nullptr, "a command line that was read has a job", bytes);
    return true;
  } catch (const app::Refused& refused) {
    const std::string complaint = refused.what();
    require_a_line(complaint, bytes);
    const bool steers = std::ranges::any_of(complaint, [](unsigned char c) { return c < ' ' || c == 0x7f; });
    require(!steers, "nothing in a complaint steers a terminal", bytes);
  }
  return false;
}

}  // namespace

const std::vector<Target>& targets() {
  static const ThreadScope one_thread(1);
  static const std::vector<Target> all = {{"kernel", kernel},
                                          {"mean", mean},
                                          {"model", model},
                                          {"table", table},
                                          {"numbers", numbers},
                                          {"encoding", encoding},
                                          {"columns", columns},
                                          {"command", command},
                                          {"results", results, whole_results},
                                          {"edited-results", edited_results, no_edits},
                                          {"checkpoint", checkpoint, whole_checkpoints}};
  return all;
}

}  // namespace ridgelet::fuzz
