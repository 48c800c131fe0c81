#include <fmt/format.h>

#include <algorithm>

#include "ridgelet/core/text.hpp"
#include "ridgelet/io/csv_records.hpp"

namespace ridgelet {

namespace {

/// Whether all names are numbers, and not just those that columns without a name are given: 0, 1, 2, ...
bool is_row_of_numbers(const std::vector<std::string>& header) {
  bool counted = true;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (read_cell(header[i], false).kind != Cell::Kind::number) return false;
    counted = counted && header[i] == std::to_string(i);
  }
  return !counted;
}

/// What to do about a name that is not in the header, if the header tells; else nothing.
std::string header_advice(const std::vector<std::string>& header, const std::string& name) {
  if (header.size() == 1 && header[0].find_first_of(" |") != std::string::npos)
    return "; columns are separated by a comma, a semicolon or a tab";
  if (is_row_of_numbers(header)) return "; the first line must name the columns";
  for (const std::string& column : header)
    if (column.find(',') != std::string::npos && column.find(name) != std::string::npos)
      return fmt::format("; a name that has a comma is put in quotes, '\"{}\"'", shown(column));
  return "";
}

char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_but_for_case(const std::string& one, const std::string& other) {
  return std::ranges::equal(one, other, {}, lower_case, lower_case);
}

/// Longer names are neither compared nor suggested.
constexpr std::size_t longest_suggestion = 200;

/// The column that may have been meant, or an empty string. Short names are all within an edit of one another, so only
/// one of the same letters is worth reading.
std::string column_meant(const std::string& name, const std::vector<std::string>& candidates) {
  constexpr std::size_t shortest = 3;
  if (name.size() > longest_suggestion) return "";
  if (name.size() >= shortest) return nearest_name(name, candidates);
  const auto same = std::ranges::find_if(
      candidates, [&](const std::string& candidate) { return same_but_for_case(name, candidate); });
  return same == candidates.end() ? "" : *same;
}

[[noreturn]] void refuse_unknown_column(const std::vector<std::string>& header, const std::string& name,
                                        Index line, const std::vector<std::string>& taken) {
  constexpr std::size_t listed = 20;
  std::vector<std::string> names, candidates;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (i < listed) names.push_back(shown(header[i]));
    if (header[i].size() <= longest_suggestion && std::ranges::find(taken, header[i]) == taken.end())
      candidates.push_back(header[i]);
  }
  if (header.size() > listed) names.push_back(fmt::format("... ({} in all)", header.size()));
  const std::string nearest = column_meant(name, candidates);
  const std::string advice = header_advice(header, name);
  refuse_record(line, fmt::format("no column '{}'; the columns are {}{}", shown(name), join(names),
                                  !advice.empty()   ? advice
                                  : nearest.empty() ? ""
                                                    : fmt::format("; did you mean '{}'?", shown(nearest))));
}

}  // namespace

std::size_t find_column(const std::vector<std::string>& header, const std::string& name, Index line,
                        const std::vector<std::string>& taken) {
  const auto found = std::ranges::find(header, name);
  if (found == header.end()) refuse_unknown_column(header, name, line, taken);
  if (std::ranges::count(header, name) > 1)
    refuse_cell(line, name, "stands in the header more than once; give each column a name of its own");
  return static_cast<std::size_t>(found - header.begin());
}

}  // namespace ridgelet
