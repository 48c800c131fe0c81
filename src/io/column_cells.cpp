#include "column_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridgelet {

namespace {

/// A table with so few rows that its texts may well all differ.
constexpr std::size_t few_levels = 10;

std::string must_be(const std::string& what, const std::string& got) {
  return fmt::format("must be a {}, got '{}'", what, shown(got));
}

}  // namespace

void ColumnCells::Seen::add(Index at, std::string_view cell) {
  if (count++ > 0) return;
  line = at;
  text = cell.substr(0, 200);
}

void ColumnCells::reserve(std::size_t rows) {
  values_.reserve(rows);
  if (!too_many_levels_) codes_.reserve(rows);
}

void ColumnCells::add(const CsvRecords& records) {
  const std::string_view text = records[field_];
  const Cell cell = read_cell(text, records.decimal_commas());
  marks_.add(cell, records.line(), name_);
  values_.push_back(value_of(cell, text, records.line()));
  if (!too_many_levels_) add_code(text, cell.kind == Cell::Kind::missing);
}

double ColumnCells::value_of(const Cell& cell, std::string_view text, Index line) {
  constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
  if (cell.kind == Cell::Kind::missing) {
    missing_.add(line, text);
    return no_value;
  }
  if (cell.kind == Cell::Kind::text) {
    const auto days = days_since_1970(text);
    (days ? dates_ : words_).add(line, text);
    return days.value_or(no_value);
  }
  numbers_.add(line, text);
  if (cell.kind == Cell::Kind::out_of_range) {
    out_of_range_.add(line, text);
    return no_value;
  }
  if (cell.value <= 0) not_positive_.add(line, text);
  return cell.value;
}

void ColumnCells::add_code(std::string_view text, bool missing) {
  auto found = code_of_.find(text);
  if (!missing && found == code_of_.end()) {
    if (texts_.size() == most_levels_) {
      too_many_levels_ = true;
      codes_ = {};
      return;
    }
    found = code_of_.emplace(text, static_cast<unsigned char>(texts_.size())).first;
    texts_.emplace_back(text);
  }
  codes_.push_back(missing ? no_code : found->second);
}

bool ColumnCells::constant() const {
  if (words_.count > 0) return !too_many_levels_ && texts_.size() == 1;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values_) {
    low = std::fmin(low, value);  // which leaves NaN aside
    high = std::fmax(high, value);
  }
  return low == high;
}

CellComplaint ColumnCells::about(const Seen& seen, const std::string& complaint) const {
  return {seen.line, name_, complaint};
}

ColumnKind ColumnCells::kind(bool named) const {
  const Index all = numbers_.count + dates_.count + words_.count;
  if (numbers_.count == all) return ColumnKind::number;
  if (dates_.count == all) return ColumnKind::date;
  const bool of_numbers = 2 * numbers_.count > all, of_dates = 2 * dates_.count > all;
  if (of_numbers || of_dates) {
    const Seen& others = of_numbers ? dates_ : numbers_;
    const Seen& first =
        words_.count > 0 && (others.count == 0 || words_.line < others.line) ? words_ : others;
    refuse_cell(first.line, name_,
                fmt::format("{}, as most of the column; correct it, or name the inputs without it",
                            must_be(of_numbers ? "number" : "date", first.text)));
  }
  const bool of_names = !named && texts_.size() > few_levels && 2 * static_cast<Index>(texts_.size()) > all;
  if (too_many_levels_ || of_names) {
    const std::string reason = too_many_levels_
                                   ? fmt::format("has more than {} different texts", most_levels_)
                                   : fmt::format("has {} different texts in {} rows", texts_.size(), all);
    throw CsvRefusal{
        fmt::format(", column '{}'", shown(name_)),
        fmt::format("{}, such as '{}', too many for inputs of their own; name the inputs with --x, "
                    "without it",
                    reason, shown(words_.text))};
  }
  return ColumnKind::levels;
}

std::optional<CellComplaint> ColumnCells::complaint(ColumnKind kind) const {
  if (kind == ColumnKind::number && out_of_range_.count > 0)
    return about(out_of_range_, fmt::format("must be finite and within the range of a double, got '{}'",
                                            shown(out_of_range_.text)));
  return std::nullopt;
}

std::optional<CellComplaint> ColumnCells::complaint_as_response(ResponseTransform transform) const {
  std::optional<CellComplaint> first = complaint(ColumnKind::number);
  for (const Seen* other : {&words_, &dates_})
    if (other->count > 0 && (!first || other->line < first->line))
      first = about(*other, must_be("number", other->text));
  if (transform == ResponseTransform::log && not_positive_.count > 0 &&
      (!first || not_positive_.line < first->line))
    first = about(not_positive_, fmt::format("must be positive for log({}), got '{}'", shown(name_),
                                             shown(not_positive_.text)));
  return first;
}

std::optional<CellComplaint> ColumnCells::missing_value(bool named) const {
  if (missing_.count == 0) return std::nullopt;
  return about(missing_, fmt::format("missing value; fill it, leave such rows out with --missing drop{}",
                                     named ? "" : ", or name the inputs with --x"));
}

bool ColumnCells::is_missing(Index row, ColumnKind kind) const {
  const auto i = static_cast<std::size_t>(row);
  return kind == ColumnKind::levels ? codes_[i] == no_code : std::isnan(values_[i]);
}

}  // namespace ridgelet
