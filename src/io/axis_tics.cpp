#include "axis_tics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "figure_parts.hpp"

namespace ridgelet {

namespace {

constexpr int most_tics = 5;
constexpr std::size_t tic_limit = 100;
constexpr int letters_between = 2;  ///< letters between two texts

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

std::vector<Tic> numbers_at(double low, double high, double step) {
  std::vector<Tic> tics;
  const double first = std::ceil(low / step);
  for (int i = 0; i <= most_tics && first + i <= high / step; ++i)
    tics.push_back({(first + i) * step, fmt::format("{:.6g}", (first + i) * step)});
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

std::string date_text(const std::chrono::year_month_day& date) {
  return fmt::format("{:04}-{:02}-{:02}", int(date.year()), unsigned(date.month()), unsigned(date.day()));
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
    if (day >= low) tics.push_back({day, date_text(date).substr(0, step % 12 == 0 ? 4 : 7)});
  }
  return tics;
}

std::vector<Tic> days_at(double low, double high, int step) {
  std::vector<Tic> tics;
  for (auto i = static_cast<Index>(std::ceil(low / step)); tics.size() < tic_limit; ++i) {
    const auto day = static_cast<double>(i * step);
    if (day > high) break;
    tics.push_back({day, date_text(date_of(day))});
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
    tics.push_back({day, date_text(date_of(day + 1e-9)).substr(5) + fmt::format(" {:02}:00", hour)});
  }
  return tics;
}

std::string tics_text(std::string_view axis, const std::vector<Tic>& tics) {
  std::string list;
  for (const Tic& tic : tics)
    list += fmt::format("{}{} {:.10g}", list.empty() ? "" : ", ", plain_text(tic.text), tic.place);
  return fmt::format("set {}tics ({}) noenhanced\n", axis, list);
}

}  // namespace

std::string number_tics(std::string_view axis, double low, double high, int room) {
  const double span = high - low;
  double step = std::pow(10, std::floor(std::log10(span / most_tics)));
  const auto crowded = [&] {
    return span > most_tics * step || (span > 2 * step && !have_room(numbers_at(low, high, step), room));
  };
  for (int larger = 0; larger < 9 && crowded(); ++larger) step = next_step(step);
  return fmt::format("set {}tics {}\n", axis, step);
}

std::string date_tics(std::string_view axis, double low, double high, int room) {
  const auto good = [&](const std::vector<Tic>& tics) {
    return tics.size() <= most_tics + 1 && have_room(tics, room);
  };
  constexpr std::size_t fewest = 2;
  for (const int step : {1, 2, 3, 6, 12, 24})
    if (const auto tics = hours_at(low, high, step); good(tics) && tics.size() >= fewest)
      return tics_text(axis, tics);
  for (const int step : {1, 2, 5, 10, 20})
    if (const auto tics = days_at(low, high, step); good(tics) && tics.size() >= fewest)
      return tics_text(axis, tics);
  for (const int step : {1, 2, 3, 6, 12, 24, 60, 120, 240, 600})
    if (const auto tics = months_at(low, high, step); good(tics) && tics.size() >= fewest)
      return tics_text(axis, tics);
  return number_tics(axis, low, high, room);
}

std::string level_tics(std::string_view axis, const std::vector<std::string>& levels, int room) {
  constexpr int shortest_name = 4;
  const int most = std::max(1, room / (shortest_name + letters_between));
  const auto stride = (levels.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
  const auto shown = (levels.size() + stride - 1) / stride;
  const auto letters =
      static_cast<std::size_t>(std::max(shortest_name, room / static_cast<int>(shown) - letters_between));
  std::vector<Tic> tics;
  for (std::size_t i = 0; i < levels.size(); i += stride)
    tics.push_back({static_cast<double>(i), shortened(levels[i], letters)});
  return tics_text(axis, tics);
}

std::string column_tics(std::string_view axis, const ColumnEncoding& column, double low, double high,
                        int room) {
  if (column.kind == ColumnKind::levels) return level_tics(axis, column.levels, room);
  return column.kind == ColumnKind::date ? date_tics(axis, low, high, room)
                                         : number_tics(axis, low, high, room);
}

}  // namespace ridgelet
