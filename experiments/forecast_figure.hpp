/// The figure of a forecast: a panel for each model on common axes, in calendar years and the series' own
/// unit.
#pragma once

#include "experiments/forecast.hpp"

namespace ridgelet::experiments {

/// Panels for the models with these keys, two in a row, lettered (a), (b), ... in this order; below them what
/// the symbols mean.
FigureScript forecast_figure(const Forecast& forecast, const std::vector<std::string>& keys);

}  // namespace ridgelet::experiments
