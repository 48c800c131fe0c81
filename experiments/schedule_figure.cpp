// The figure of bandwidths that grow with the units.
#include <fmt/format.h>

#include "experiments/settings_figures.hpp"

namespace ridgelet::experiments {

namespace {

constexpr Range path_range{-4, 4};

std::string setting_title(const StudyOutcome& outcome) {
  const PriorSetting& setting = outcome.setting;
  return fmt::format("{} ({}, {}), N = {}", setting.model, setting.sigma_w, setting.sigma_b, setting.units);
}

/// Two rows of four: five settings of the ridgelet, two of least squares, and the process.
void add_paths(FigurePage& page, const Contestant& schedule) {
  const PanelGrid frames{.page = {.left = 0.055, .right = 0.99, .bottom = 0.495, .top = 0.97},
                         .rows = 2,
                         .columns = 4,
                         .gap_x = 0.015,
                         .gap_y = 0.065};
  std::vector<StudyOutcome> shown = schedule.ridgelet;
  shown.push_back(schedule.least_squares.front());
  shown.push_back(schedule.least_squares[2]);
  shown.push_back(schedule.process);
  for (int i = 0; i < static_cast<int>(shown.size()); ++i) {
    const StudyOutcome& outcome = shown[static_cast<std::size_t>(i)];
    page.add(paths_panel(outcome.is_process() ? "process" : setting_title(outcome), frames.at(i), outcome,
                         path_range,
                         {.x_numbers = frames.in_last_row(i),
                          .y_numbers = frames.in_first_column(i),
                          .x_label = frames.in_last_row(i) ? "x" : "",
                          .y_label = frames.in_first_column(i) ? "f(x)" : ""}));
  }
}

void add_measures(FigurePage& page, const Contestant& schedule, const Contestant& fixed) {
  const PanelGrid frames{
      .page = {.left = 0.07, .right = 0.99, .bottom = 0.155, .top = 0.385}, .columns = 3, .gap_x = 0.065};
  page.add(error_panel("error; (σ_w, σ_b) grow with N", frames.at(0),
                       {{schedule.ridgelet, 0}, {fixed.ridgelet, 1}, {schedule.least_squares, 0}}, {1e-6, 20},
                       {.x_label = "units N", .y_label = "MRMSE (in units of f)"}));
  const auto covariances = [&](const char* title, int place, const std::vector<StudyOutcome>& all) {
    std::vector<Series> series;
    for (std::size_t i = 0; i < all.size(); i += 2) series.push_back({{all[i]}, static_cast<int>(4 - i) / 2});
    page.add(covariance_panel(title, frames.at(place), schedule.process, series, {-0.2, 2},
                              {.x_label = "x", .y_label = "E[ f(x) f(0) ]"}));
  };
  covariances("covariance, ridgelet", 1, schedule.ridgelet);
  covariances("covariance, least-squares", 2, schedule.least_squares);
}

void add_legends(FigurePage& page, const Contestant& schedule) {
  const auto units_of = [&](std::size_t i) {
    const PriorSetting& setting = schedule.ridgelet[i].setting;
    return fmt::format("({}, {}), N = {}", setting.sigma_w, setting.sigma_b, setting.units);
  };
  page.add_legend(
      {.left = 0.06, .right = 0.99, .bottom = 0.005, .top = 0.075},
      {error_legend("ridgelet", 0, "ridgelet"), covariance_legend("gp", 0, "process, k(x, 0)"),
       covariance_legend("ridgelet", 2, units_of(0)), covariance_legend("ridgelet", 1, units_of(2)),
       covariance_legend("ridgelet", 0, units_of(4)), error_legend("ridgelet", 1, "ridgelet, (3, 12)"),
       error_legend("least-squares", 0, "least-squares"), covariance_legend("least-squares", 2, units_of(0)),
       covariance_legend("least-squares", 1, units_of(2)),
       covariance_legend("least-squares", 0, units_of(4))},
      5);
}

}  // namespace

FigureScript schedule_figure(const std::vector<Contestant>& contestants) {
  FigurePage page(1100, 960);
  add_paths(page, contestants[0]);
  add_measures(page, contestants[0], contestants[1]);
  add_legends(page, contestants[0]);
  return page.script();
}

}  // namespace ridgelet::experiments
