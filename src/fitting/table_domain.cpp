#include "ridgelet/fitting/table_domain.hpp"

#include <fmt/format.h>

#include <charconv>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/text.hpp"

namespace ridgelet {

namespace {

/// A range of a domain, in numbers.
struct Range {
  std::string text;
  bool of_dates = false;
};

bool is_number(std::string_view text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && rest == text.data() + text.size();
}

/// Times have colons too: the one between the ends has a date or a number on both sides.
Range read_range(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    const std::string_view ends[] = {text.substr(0, colon), text.substr(colon + 1)};
    Range range;
    std::vector<std::string> numbers;
    for (const std::string_view end : ends) {
      const auto days = days_since_1970(end);
      range.of_dates = range.of_dates || days;
      if (days || is_number(end)) numbers.push_back(days ? shortest(*days) : std::string(end));
    }
    range.text = join(numbers, ":");
    if (numbers.size() == 2) return range;
  }
  return {.text = std::string(text)};
}

std::vector<Range> read_ranges(std::string_view domain) {
  std::vector<Range> ranges;
  for (std::size_t start = 0, end = 0; end != std::string_view::npos; start = end + 1) {
    end = domain.find(',', start);
    ranges.push_back(read_range(domain.substr(start, end - start)));
  }
  return ranges;
}

std::string as_text(const std::vector<Range>& ranges) {
  std::vector<std::string> texts;
  for (const Range& range : ranges) texts.push_back(range.text);
  return join(texts, ",");
}

/// "x", or "x, colour=blue, ... (31 in all)".
std::string first_names(std::vector<std::string> names) {
  constexpr std::size_t most = 20;
  const std::size_t all = names.size();
  if (all <= most) return join(names);
  names.resize(most);
  return fmt::format("{}, ... ({} in all)", join(names), all);
}

void require_no_dates(const Range& range, const std::string& input) {
  if (range.of_dates)
    throw InvalidArgument(
        "domain",
        fmt::format("must have a range of numbers for '{}', which has no dates, got one of dates", input));
}

}  // namespace

std::string domain_in_numbers(const std::string& domain) {
  return as_text(read_ranges(domain));
}

std::string domain_in_numbers(const std::string& domain, const TableEncoding& encoding) {
  const std::vector<Range> ranges = read_ranges(domain);
  const std::vector<std::string> names = encoding.input_names();
  if (ranges.size() != names.size())
    throw InvalidArgument(
        "domain", fmt::format("must have {} range{} LO:HI, for the input{} {} in this order, got {}",
                              names.size(), names.size() == 1 ? "" : "s", names.size() == 1 ? "" : "s",
                              first_names(names), ranges.size()));
  std::size_t at = 0;
  for (const ColumnEncoding& column : encoding.inputs)
    for (const std::string& input : column.input_names()) {
      if (column.kind != ColumnKind::date) require_no_dates(ranges[at], input);
      ++at;
    }
  return as_text(ranges);
}

}  // namespace ridgelet
