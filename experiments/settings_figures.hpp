/// Figures of the study of settings (settings_study.hpp).
#pragma once

#include <optional>

#include "experiments/approximation_panels.hpp"
#include "experiments/settings_study.hpp"

namespace ridgelet::experiments {

/// Where things are on a page that compares makes: sample paths, a row for each make; below them errors and
/// covariances, a column for each make; and the legend.
struct ComparisonPage {
  int width = 1200;
  int height = 1040;
  std::optional<PanelGrid> paths =
      PanelGrid{.page = {.left = 0.065, .right = 0.99, .bottom = 0.58, .top = 0.965},
                .columns = 5,
                .gap_x = 0.012,
                .gap_y = 0.022};
  PanelGrid measures = {.page = {.left = 0.075, .right = 0.99, .bottom = 0.1, .top = 0.485},
                        .rows = 2,
                        .gap_x = 0.02,
                        .gap_y = 0.07};
  Place legend = {.left = 0.065, .right = 0.995, .bottom = 0.015, .top = 0.045};
  bool process_first = false;  ///< in the legend
};

/// A page without sample paths.
ComparisonPage measures_alone();

struct ComparisonLayout {
  ComparisonPage page = {};
  std::vector<Index> ridgelet_shown;  ///< three numbers of units, whose paths and covariances are drawn
  Index least_squares_shown = 300;
  Range paths = {-4, 4};
  Range errors = {1e-5, 20};
  Range covariances = {-0.5, 3};
};

FigureScript comparison_figure(const std::vector<Contestant>& contestants, const ComparisonLayout& layout);

/// Two contestants: bandwidths that grow with the units, and the same units with bandwidths that do not.
FigureScript schedule_figure(const std::vector<Contestant>& contestants);

}  // namespace ridgelet::experiments
