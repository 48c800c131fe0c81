/// The path of a search for the smallest network: error against units.
#pragma once

#include <filesystem>
#include <string>

#include "ridgelet/assess/smallest_network.hpp"

namespace ridgelet {

/// The widths that were tried as points of a curve, the one chosen marked, with the error to be reached and the kriging
/// floor as lines, on logarithmic axes. A floor far below all errors is named in the key alone.
void plot_width_search(const SmallestNetwork& found, double error, const std::string& operator_name,
                       const std::filesystem::path& path);

}  // namespace ridgelet
