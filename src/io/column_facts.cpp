#include "column_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "local_date.hpp"
#include "marked_number.hpp"
#include "ridgelet/core/packed.hpp"
#include "ridgelet/core/text.hpp"
#include "utf8.hpp"

namespace ridgelet {

namespace {

/// Up to so many different texts do not count as names of the rows: in a short table all texts may well differ.
constexpr std::size_t few_levels = 10;

/// One text for each number, the shortest that it has; sorted by size.
std::vector<std::string> one_for_each_number(std::vector<std::string> texts) {
  using Key = std::tuple<std::optional<double>, std::size_t, std::string>;
  std::ranges::sort(texts, {},
                    [](const std::string& text) { return Key(number_of_class(text), text.size(), text); });
  const auto repeated = std::ranges::unique(texts, {}, number_of_class);
  texts.erase(repeated.begin(), repeated.end());
  return texts;
}

}  // namespace

void ColumnFacts::Seen::add(const CellPlace& at, std::string_view cell) {
  if (count++ > 0) return;
  place = at;
  text = cell.substr(0, 200);
}

void ColumnFacts::Seen::join(const Seen& later) {
  const Index all = count + later.count;
  if (count == 0) *this = later;
  count = all;
}

void ColumnFacts::add(std::string_view text, bool decimal_commas, const CellPlace& place) {
  const Cell cell = read_cell(text, decimal_commas);
  if (cell.kind == Cell::Kind::missing) {
    missing_.add(place, text);
    return;
  }
  add_level(text);
  if (cell.kind == Cell::Kind::text) return add_text(text, place);
  if (cell.kind == Cell::Kind::out_of_range) {
    numbers_.add(place, text);
    return out_of_range_.add(place, text);
  }
  if (cell.decimal_mark != 0) (cell.decimal_mark == '.' ? points_ : commas_).add(place, text);
  add_number(cell.value, text, place);
}

void ColumnFacts::add(double value, const CellPlace& place) {
  if (std::isnan(value)) return missing_.add(place, "");
  if (std::isfinite(value)) {
    if (!too_many_levels_) add_level(shortest(value));
    return add_number(value, "", place);
  }
  numbers_.add(place, "");
  out_of_range_.add(place, value > 0 ? "inf" : "-inf");
}

void ColumnFacts::add_number(double value, std::string_view text, const CellPlace& place) {
  numbers_.add(place, text);
  low_ = std::min(low_, value);
  high_ = std::max(high_, value);
  if (value <= 0 && not_positive_.count == 0)
    not_positive_.add(place, text.empty() ? shortest(value) : std::string(text));
}

void ColumnFacts::add_text(std::string_view text, const CellPlace& place) {
  const auto days = days_since_1970(text);
  (days ? dates_ : words_).add(place, text);
  if (!days) {
    if (!is_utf8(text)) not_utf8_.add(place, text);
    if (without_marks(text)) marked_.add(place, text);
    if (is_local_date(text)) local_dates_.add(place, text);
    return;
  }
  low_ = std::min(low_, *days);
  high_ = std::max(high_, *days);
}

void ColumnFacts::add_level(std::string_view text) {
  if (too_many_levels_ || levels_.find(text) != levels_.end()) return;
  if (levels_.size() == most_levels_)
    give_up_levels();
  else
    levels_.emplace(text);
}

template <class Facts, class Visit>
void ColumnFacts::for_each_seen(Facts& facts, Visit&& visit) {
  visit(facts.missing_);
  visit(facts.numbers_);
  visit(facts.dates_);
  visit(facts.words_);
  visit(facts.out_of_range_);
  visit(facts.not_positive_);
  visit(facts.marked_);
  visit(facts.local_dates_);
  visit(facts.not_utf8_);
  visit(facts.points_);
  visit(facts.commas_);
}

void ColumnFacts::join(const ColumnFacts& later) {
  std::vector<const Seen*> seen;
  for_each_seen(later, [&](const Seen& each) { seen.push_back(&each); });
  for_each_seen(*this, [at = seen.begin()](Seen& each) mutable { each.join(**at++); });
  low_ = std::min(low_, later.low_);
  high_ = std::max(high_, later.high_);
  for (const std::string& level : later.levels_) add_level(level);
  if (later.too_many_levels_) give_up_levels();
}

bool ColumnFacts::constant() const {
  if (words_.count > 0) return !too_many_levels_ && levels_.size() == 1;
  return out_of_range_.count == 0 && low_ == high_;
}

CellComplaint ColumnFacts::about(const Seen& seen, const std::string& complaint) const {
  return {seen.place, name_, complaint};
}

/// Whether the texts are nearly as many as the rows, and not just few rows.
bool ColumnFacts::identifies_rows() const {
  return levels_.size() > few_levels && 2 * static_cast<Index>(levels_.size()) > rows() - missing_.count;
}

/// About the first number with marks in a column that consists of such numbers, and plain ones, for the most part.
std::optional<CellComplaint> ColumnFacts::marked_numbers() const {
  if (marked_.count == 0 || 2 * (numbers_.count + marked_.count) <= rows() - missing_.count)
    return std::nullopt;
  return about(marked_, fmt::format("is a number with marks; {}, or begin each with a letter if it is a name",
                                    plain_number_advice(marked_.text)));
}

/// About the first date of another form than ISO's in a column that consists of such dates for the most part.
std::optional<CellComplaint> ColumnFacts::local_dates() const {
  if (2 * local_dates_.count <= rows() - missing_.count) return std::nullopt;
  return about(local_dates_,
               fmt::format("is read as a text, of which every one becomes an input; {}, or name the "
                           "inputs with --x, without this column",
                           iso_date_advice(local_dates_.text)));
}

ColumnKind ColumnFacts::kind(bool named) const {
  const Index all = numbers_.count + dates_.count + words_.count;
  if (numbers_.count == all) return ColumnKind::number;
  if (dates_.count == all) return ColumnKind::date;
  if (const auto marked = marked_numbers()) throw *marked;
  if (const auto dates = local_dates()) throw *dates;
  const bool of_numbers = 2 * numbers_.count > all, of_dates = 2 * dates_.count > all;
  if (of_numbers || of_dates) {
    const Seen& others = of_numbers ? dates_ : numbers_;
    const Seen& first =
        words_.count > 0 && (others.count == 0 || words_.place < others.place) ? words_ : others;
    throw about(
        first,
        fmt::format("must be a {}, as most of its column is, got '{}'; correct it, leave the row out, or "
                    "name the inputs with --x, without this column",
                    of_numbers ? "number" : "date", shown(first.text)));
  }
  if (too_many_levels_ || (!named && identifies_rows())) {
    const std::string reason = too_many_levels_
                                   ? fmt::format("has more than {} different texts", most_levels_)
                                   : fmt::format("has {} different texts in {} rows", levels_.size(), all);
    throw CsvRefusal{
        fmt::format(", column '{}'", shown(name_)),
        fmt::format("{}, such as '{}', too many for inputs of their own; name the inputs with --x, "
                    "without it",
                    reason, shown(words_.text))};
  }
  return ColumnKind::levels;
}

std::vector<std::string> ColumnFacts::classes(bool asked) const {
  const auto refuse = [&](const std::string& complaint) {
    throw CsvRefusal{fmt::format(", column '{}'", shown(name_)), complaint};
  };
  if (!asked)
    if (const auto marked = marked_numbers()) throw *marked;
  if (too_many_levels_)
    refuse(
        fmt::format("has more than {} different values, too many for classes; name a response of numbers "
                    "or of fewer classes with --y",
                    most_levels_));
  if (!asked && identifies_rows())
    refuse(
        fmt::format("has {} different texts in {} rows, such as '{}', too many for classes; name another "
                    "response with --y, or add --likelihood categorical if these are classes",
                    levels_.size(), rows() - missing_.count, shown(words_.text)));
  std::vector<std::string> sorted(levels_.begin(), levels_.end());
  const bool of_numbers = words_.count + dates_.count + out_of_range_.count == 0;
  return of_numbers ? one_for_each_number(std::move(sorted)) : sorted;
}

ColumnEncoding ColumnFacts::encoding(ColumnKind kind) const {
  ColumnEncoding encoding{.name = name_, .kind = kind};
  if (kind == ColumnKind::levels) encoding.levels.assign(levels_.begin(), levels_.end());
  return encoding;
}

ColumnKind ColumnFacts::kind_as_logarithm() const {
  for (const Seen* other : {&words_, &dates_})
    if (other->count > 0) throw about(*other, number_complaint(other->text));
  return ColumnKind::logarithm;
}

std::optional<CellComplaint> ColumnFacts::complaint_as_logarithm(LogarithmOf what) const {
  if (not_positive_.count == 0) return std::nullopt;
  return about(not_positive_, positive_complaint(not_positive_.text, name_, what));
}

std::optional<CellComplaint> ColumnFacts::complaint(ColumnKind kind) const {
  if (kind != ColumnKind::number && kind != ColumnKind::logarithm) return std::nullopt;
  std::optional<CellComplaint> first =
      kind == ColumnKind::logarithm ? complaint_as_logarithm(LogarithmOf::column) : std::nullopt;
  if (out_of_range_.count > 0 && (!first || out_of_range_.place < first->place))
    first = about(out_of_range_, range_complaint(out_of_range_.text));
  return first;
}

std::optional<CellComplaint> ColumnFacts::mixed_marks(const std::vector<const ColumnFacts*>& columns) {
  const ColumnFacts *point = nullptr, *comma = nullptr;
  for (const ColumnFacts* each : columns) {
    if (each->points_.count > 0 && (!point || each->points_.place < point->points_.place)) point = each;
    if (each->commas_.count > 0 && (!comma || each->commas_.place < comma->commas_.place)) comma = each;
  }
  if (!point || !comma) return std::nullopt;
  // Of two in one line it is the point that can be doubted.
  if (comma->commas_.place <= point->points_.place)
    return point->about(point->points_, another_mark('.', comma->commas_.place.line, comma->name()));
  return comma->about(comma->commas_, another_mark(',', point->points_.place.line, point->name()));
}

std::optional<CellComplaint> ColumnFacts::complaint_as_response(const ResponseEncoding& response) const {
  std::optional<CellComplaint> first = complaint(ColumnKind::number);
  for (const Seen* other : {&words_, &dates_})
    if (other->count > 0 && (!first || other->place < first->place))
      first = about(*other, number_complaint(other->text));
  if (const auto marked = marked_numbers(); marked && (!first || marked->place <= first->place))
    first = marked;
  if (response.transform == ResponseTransform::log && not_positive_.count > 0 &&
      (!first || not_positive_.place < first->place))
    first = complaint_as_logarithm(logarithm_of(response));
  return first;
}

std::optional<CellComplaint> ColumnFacts::wrong_encoding() const {
  if (not_utf8_.count == 0) return std::nullopt;
  return about(not_utf8_, utf8_complaint(not_utf8_.text));
}

std::optional<CellComplaint> ColumnFacts::missing_value(bool named) const {
  if (missing_.count == 0) return std::nullopt;
  return about(missing_, fmt::format("missing value; fill it, leave such rows out with --missing drop{}",
                                     named ? "" : ", or name the inputs with --x"));
}

std::string ColumnFacts::packed() const {
  Packer packer;
  packer.put_text(name_);
  packer.put(most_levels_);
  packer.put(too_many_levels_);
  packer.put(low_);
  packer.put(high_);
  packer.put(levels_.size());
  for (const std::string& level : levels_) packer.put_text(level);
  for_each_seen(*this, [&](const Seen& seen) {
    packer.put(seen.count);
    packer.put(seen.place.part);
    packer.put(seen.place.line);
    packer.put_text(seen.text);
  });
  return packer.take();
}

ColumnFacts ColumnFacts::unpacked(std::string_view bytes) {
  Unpacker unpacker(bytes);
  std::string name = unpacker.get_text();
  ColumnFacts facts(std::move(name), static_cast<Index>(unpacker.get<std::size_t>()));
  facts.too_many_levels_ = unpacker.get<bool>();
  facts.low_ = unpacker.get<double>();
  facts.high_ = unpacker.get<double>();
  for (auto left = unpacker.get<std::size_t>(); left > 0; --left) facts.levels_.insert(unpacker.get_text());
  for_each_seen(facts, [&](Seen& seen) {
    seen.count = unpacker.get<Index>();
    seen.place = {.part = unpacker.get<Index>(), .line = unpacker.get<Index>()};
    seen.text = unpacker.get_text();
  });
  return facts;
}

}  // namespace ridgelet
