/// The three kinds of panel in the figures of the approximation study: error against units, covariance
/// against x, and sample paths. A model has its colour in all of them; dashes and points tell settings apart.
#pragma once

#include <functional>

#include "experiments/approximation_study.hpp"
#include "experiments/figure_page.hpp"

namespace ridgelet::experiments {

/// Whether the tics of an axis have numbers: where a neighbour has them, there are only tics.
struct AxisText {
  bool x_numbers = true;
  bool y_numbers = true;
  std::string x_label = "";
  std::string y_label = "";
};

struct Range {
  double low = 0;
  double high = 1;
};

/// "lw 2 dt 2 pt 7 lc rgb '...'": colour of the model; `variant` 0, 1, 2, ... chooses dash and point.
std::string line_style(const std::string& model, int variant = 0);

/// Outcomes that a line joins, in the order of their units.
struct Series {
  std::vector<StudyOutcome> outcomes;
  int variant = 0;
};

/// MRMSE with bars of two standard errors, on logarithmic axes.
Panel error_panel(const std::string& title, const Place& place, const std::vector<Series>& series,
                  const Range& range, const AxisText& text);

/// k(x, 0), broad and grey, under E[f(x) f(0)] of the outcomes, whose variants are 0, 1, 2, ... Outcomes that
/// lie above the range are named instead.
Panel covariance_panel(const std::string& title, const Place& place, const StudyOutcome& process,
                       const std::vector<Series>& series, const Range& range, const AxisText& text);

/// The paths of one prior or of the process; those that leave the range are cut.
Panel paths_panel(const std::string& title, const Place& place, const StudyOutcome& outcome,
                  const Range& range, const AxisText& text);

LegendEntry error_legend(const std::string& model, int variant, const std::string& text);
LegendEntry covariance_legend(const std::string& model, int variant, const std::string& text);

/// The outcomes with this property.
std::vector<StudyOutcome> select(const std::vector<StudyOutcome>& outcomes,
                                 const std::function<bool(const PriorSetting&)>& wanted);

/// The first outcome with this property.
const StudyOutcome& find_outcome(const std::vector<StudyOutcome>& outcomes,
                                 const std::function<bool(const PriorSetting&)>& wanted);

}  // namespace ridgelet::experiments
