#include "axis_tics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "figure_parts.hpp"
#include "short_names.hpp"

namespace ridgelet {

namespace {

constexpr int most_tics = 5, most_tics_beside = 8;
constexpr std::size_t tic_limit = 100;
constexpr int letters_between = 2;  ///< letters between two texts
constexpr int shortest_name_of_axis = 12;

struct Tic {
  double place;
  std::string text;
};

std::size_t longest_text(const std::vector<Tic>& tics) {
  std::size_t most = 0;
  for (const Tic& tic : tics) most = std::max(most, tic.text.size());
  return most;
}

bool have_room(const std::vector<Tic>& tics, int room) {
  return static_cast<int>(tics.size() * (longest_text(tics) + letters_between)) <= room + letters_between;
}

/// The largest k with base^k <= value.
int whole_log(double value, double base) {
  return static_cast<int>(std::floor(std::log(value) / std::log(base) + 1e-9));
}

/// How the numbers of an axis are written whose tics are `step` apart: less `base_steps` steps, in units of 10^power.
struct NumberScale {
  double step;
  double base_steps = 0;
  int power = 0;

  bool is_plain() const { return base_steps == 0 && power == 0; }
  double unit() const { return std::pow(10, power); }

  std::string text_of(double steps) const {
    return fmt::format("{:.6g}", (steps - base_steps) * (step / unit()));
  }
};

NumberScale scale_of(double low, double high, double step) {
  constexpr int digits_of_a_tic = 6;
  constexpr double largest = 1e6, smallest = 1e-3;
  NumberScale scale{.step = step};
  const double size = std::max(std::abs(low), std::abs(high));
  // Digits from the first of the largest number to that of the step.
  if (whole_log(size, 10) - whole_log(step, 10) >= digits_of_a_tic)
    scale.base_steps = 10 * std::round((low + high) / (20 * step));
  const double base = scale.base_steps * step, reach = std::max(std::abs(low - base), std::abs(high - base));
  if (reach >= largest || reach < smallest) scale.power = 3 * whole_log(reach, 1000);
  return scale;
}

std::vector<Tic> numbers_at(double low, double high, double step) {
  constexpr int most = most_tics_beside;
  const NumberScale scale = scale_of(low, high, step);
  std::vector<Tic> tics;
  const double first = std::ceil(low / step);
  for (int i = 0; i <= most && first + i <= high / step; ++i)
    tics.push_back({(first + i) * step, scale.text_of(first + i)});
  return tics;
}

/// The next larger of 1, 2, 5, 10, ...
double next_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step * 1.0001)));
  for (const double digit : {2, 5})
    if (step < 0.999 * digit * power) return digit * power;
  return 10 * power;
}

std::chrono::year_month_day date_of(double day) {
  return std::chrono::sys_days(std::chrono::days(static_cast<int>(std::floor(day))));
}

/// The first day of every `step`-th month, counted from a January.
std::vector<Tic> months_at(double low, double high, int step) {
  std::vector<Tic> tics;
  const std::chrono::year_month_day begin = date_of(low);
  const int first = 12 * int(begin.year()) + static_cast<int>(unsigned(begin.month())) - 1;
  for (int month = first - first % step; tics.size() < tic_limit; month += step) {
    const auto date = std::chrono::year(month / 12) /
                      std::chrono::month(static_cast<unsigned>(month % 12 + 1)) / std::chrono::day(1);
    const auto day = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
    if (day > high) break;
    if (day >= low) tics.push_back({day, day_text(day).substr(0, step % 12 == 0 ? 4 : 7)});
  }
  return tics;
}

std::vector<Tic> days_at(double low, double high, int step) {
  std::vector<Tic> tics;
  for (auto i = static_cast<Index>(std::ceil(low / step)); tics.size() < tic_limit; ++i) {
    const auto day = static_cast<double>(i * step);
    if (day > high) break;
    tics.push_back({day, day_text(day)});
  }
  return tics;
}

std::vector<Tic> hours_at(double low, double high, int step) {
  std::vector<Tic> tics;
  const double part = step / 24.0;
  for (auto i = static_cast<Index>(std::ceil(low / part)); tics.size() < tic_limit; ++i) {
    const double day = static_cast<double>(i) * part;
    if (day > high) break;
    const auto hour = static_cast<int>(std::lround(24 * (day - std::floor(day + 1e-9))));
    tics.push_back({day, day_text(day + 1e-9).substr(5) + fmt::format(" {:02}:00", hour)});
  }
  return tics;
}

std::string tics_text(std::string_view axis, const std::vector<Tic>& tics) {
  std::string list;
  for (const Tic& tic : tics)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", plain_text(tic.text), tic.place);
  return fmt::format("set {}tics ({}) noenhanced\n", axis, list);
}

/// How far apart the tics of an axis of numbers are.
double number_step(double low, double high, int room) {
  const double span = high - low;
  const int most = room >= room_beside ? most_tics_beside : most_tics;
  double step = std::pow(10, std::floor(std::log10(span / most)));
  const auto crowded = [&] {
    return span > most * step || (span > 2 * step && !have_room(numbers_at(low, high, step), room));
  };
  for (int larger = 0; larger < 9 && crowded(); ++larger) step = next_step(step);
  return step;
}

/// None if the range has too few or too many years, months, days and hours.
std::vector<Tic> dates_at(double low, double high, int room) {
  const auto good = [&](const std::vector<Tic>& tics) {
    return tics.size() <= most_tics + 1 && have_room(tics, room);
  };
  constexpr std::size_t fewest = 2;
  for (const int step : {1, 2, 3, 6, 12, 24})
    if (auto tics = hours_at(low, high, step); good(tics) && tics.size() >= fewest) return tics;
  for (const int step : {1, 2, 5, 10, 20})
    if (auto tics = days_at(low, high, step); good(tics) && tics.size() >= fewest) return tics;
  for (const int step : {1, 2, 3, 6, 12, 24, 60, 120, 240, 600})
    if (auto tics = months_at(low, high, step); good(tics) && tics.size() >= fewest) return tics;
  return {};
}

/// Whether names at places that share the room evenly leave letters between any two.
bool stand_apart(const std::vector<std::string>& names, int room) {
  const double apart = static_cast<double>(room) / static_cast<double>(names.size());
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    const auto both = static_cast<double>(letters_of(names[i]) + letters_of(names[i + 1]));
    if (both / 2 + letters_between > apart) return false;
  }
  const double ends = static_cast<double>(letters_of(names.front()) + letters_of(names.back())) / 2;
  return ends <= apart + letters_between;
}

}  // namespace

std::string number_tics(std::string_view axis, double low, double high, int room) {
  const double step = number_step(low, high, room);
  if (scale_of(low, high, step).is_plain()) return fmt::format("set {}tics {}\n", axis, step);
  return tics_text(axis, numbers_at(low, high, step));
}

int number_letters(double low, double high, int room) {
  return static_cast<int>(longest_text(numbers_at(low, high, number_step(low, high, room))));
}

std::string number_name(const std::string& name, double low, double high, int room, int letters) {
  const NumberScale scale = scale_of(low, high, number_step(low, high, room));
  std::string unit;
  if (scale.base_steps != 0) {
    const double base = scale.base_steps * scale.step;
    unit += fmt::format(" {} {:.15g}", base > 0 ? "−" : "+", std::abs(base));
  }
  if (scale.power != 0) unit += fmt::format(", in 1e{}", scale.power);
  const int left = std::max(shortest_name_of_axis, letters - static_cast<int>(letters_of(unit)));
  return shortened_within(name, static_cast<std::size_t>(left)) + unit;
}

std::string date_tics(std::string_view axis, double low, double high, int room) {
  const std::vector<Tic> dates = dates_at(low, high, room);
  return dates.empty() ? number_tics(axis, low, high, room) : tics_text(axis, dates);
}

std::string level_tics(std::string_view axis, const std::vector<std::string>& levels, int room) {
  constexpr int shortest_name = 4;
  const int most = std::max(1, room / (shortest_name + letters_between));
  const bool whole = stand_apart(levels, room);
  const auto stride =
      whole ? 1 : (levels.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
  const auto shown = (levels.size() + stride - 1) / stride;
  const int letters = std::max(shortest_name, room / static_cast<int>(shown) - letters_between);
  const std::vector<std::string> names =
      whole ? levels : distinct_short_names(levels, static_cast<std::size_t>(letters));
  std::vector<Tic> tics;
  for (std::size_t i = 0; i < levels.size(); i += stride) tics.push_back({static_cast<double>(i), names[i]});
  return tics_text(axis, tics);
}

std::string column_tics(std::string_view axis, const ColumnEncoding& column, double low, double high,
                        int room) {
  if (column.kind == ColumnKind::levels) return level_tics(axis, column.levels, room);
  return column.kind == ColumnKind::date ? date_tics(axis, low, high, room)
                                         : number_tics(axis, low, high, room);
}

int column_letters(const ColumnEncoding& column, double low, double high, int room) {
  const std::vector<Tic> dates =
      column.kind == ColumnKind::date ? dates_at(low, high, room) : std::vector<Tic>{};
  return dates.empty() ? number_letters(low, high, room) : static_cast<int>(longest_text(dates));
}

std::string column_name(const ColumnEncoding& column, double low, double high, int room, int letters) {
  const bool named = column.kind == ColumnKind::levels ||
                     (column.kind == ColumnKind::date && !dates_at(low, high, room).empty());
  return named ? shortened_within(column.name, static_cast<std::size_t>(letters))
               : number_name(column.input_names()[0], low, high, room, letters);
}

}  // namespace ridgelet
