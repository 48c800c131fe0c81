#include "experiments/settings_figures.hpp"

#include <fmt/format.h>

namespace ridgelet::experiments {

namespace {

const StudyOutcome& with_units(const std::vector<StudyOutcome>& outcomes, Index units) {
  return find_outcome(outcomes, [&](const PriorSetting& each) { return each.units == units; });
}

/// The paths of a row, with their titles.
std::vector<std::pair<std::string, StudyOutcome>> path_row(const Contestant& contestant,
                                                           const ComparisonLayout& layout) {
  std::vector<std::pair<std::string, StudyOutcome>> row;
  for (const Index units : layout.ridgelet_shown)
    row.emplace_back(fmt::format("ridgelet, N = {}", units), with_units(contestant.ridgelet, units));
  row.emplace_back(fmt::format("least-squares, N = {}", layout.least_squares_shown),
                   with_units(contestant.least_squares, layout.least_squares_shown));
  row.emplace_back("process", contestant.process);
  return row;
}

void add_paths(FigurePage& page, PanelGrid frames, const std::vector<Contestant>& contestants,
               const ComparisonLayout& layout) {
  frames.rows = static_cast<int>(contestants.size());
  int place = 0;
  for (const Contestant& contestant : contestants)
    for (const auto& [title, outcome] : path_row(contestant, layout)) {
      const bool first = frames.in_first_column(place);
      page.add(paths_panel(place < frames.columns ? title : "", frames.at(place), outcome, layout.paths,
                           {.x_numbers = frames.in_last_row(place),
                            .y_numbers = first,
                            .x_label = frames.in_last_row(place) ? "x" : "",
                            .y_label = first ? contestant.name + ":  f(x)" : ""}));
      ++place;
    }
}

void add_measures(FigurePage& page, const std::vector<Contestant>& contestants,
                  const ComparisonLayout& layout) {
  PanelGrid frames = layout.page.measures;
  frames.columns = static_cast<int>(contestants.size());
  for (int i = 0; i < frames.columns; ++i) {
    const Contestant& contestant = contestants[static_cast<std::size_t>(i)];
    const bool first = i == 0;
    page.add(error_panel(
        contestant.name, frames.at(i), {{contestant.ridgelet, 0}, {contestant.least_squares, 0}},
        layout.errors,
        {.y_numbers = first, .x_label = "units N", .y_label = first ? "MRMSE (in units of f)" : ""}));
    std::vector<Series> series;
    int variant = static_cast<int>(layout.ridgelet_shown.size());
    for (const Index units : layout.ridgelet_shown)
      series.push_back({{with_units(contestant.ridgelet, units)}, --variant});
    series.push_back({{with_units(contestant.least_squares, layout.least_squares_shown)}, 0});
    page.add(
        covariance_panel("", frames.at(i + frames.columns), contestant.process, series, layout.covariances,
                         {.y_numbers = first, .x_label = "x", .y_label = first ? "E[ f(x) f(0) ]" : ""}));
  }
}

void add_legend(FigurePage& page, const ComparisonLayout& layout) {
  std::vector<LegendEntry> entries;
  int variant = static_cast<int>(layout.ridgelet_shown.size());
  for (const Index units : layout.ridgelet_shown)
    entries.push_back(covariance_legend("ridgelet", --variant, fmt::format("ridgelet, N = {}", units)));
  entries.push_back(covariance_legend("least-squares", 0,
                                      fmt::format("least-squares, N = {}", layout.least_squares_shown)));
  entries.insert(layout.page.process_first ? entries.begin() : entries.end(),
                 covariance_legend("gp", 0, "process, k(x, 0)"));
  page.add_legend(layout.page.legend, entries, 5);
}

}  // namespace

ComparisonPage measures_alone() {
  return {.width = 1160,
          .height = 640,
          .paths = std::nullopt,
          .measures = {.page = {.left = 0.075, .right = 0.99, .bottom = 0.17, .top = 0.95},
                       .rows = 2,
                       .gap_x = 0.014,
                       .gap_y = 0.15},
          .legend = {.left = 0.065, .right = 0.995, .bottom = 0.02, .top = 0.07},
          .process_first = true};
}

FigureScript comparison_figure(const std::vector<Contestant>& contestants, const ComparisonLayout& layout) {
  FigurePage page(layout.page.width, layout.page.height);
  if (layout.page.paths) add_paths(page, *layout.page.paths, contestants, layout);
  add_measures(page, contestants, layout);
  add_legend(page, layout);
  return page.script();
}

}  // namespace ridgelet::experiments
