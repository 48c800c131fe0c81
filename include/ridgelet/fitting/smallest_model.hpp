/// The smallest network of a person's settings that is close enough to its process (assess/smallest_network.hpp).
#pragma once

#include "ridgelet/assess/smallest_network.hpp"
#include "ridgelet/fitting/model_settings.hpp"

namespace ridgelet {

struct SmallestModel {
  ModelSettings settings;  ///< with nothing left to choose
  SmallestNetwork search;
  Index nodes = 0;
};

/// Settings that are `auto` are chosen for each width, others stay; if the units are given, no other width is tried.
/// The error is measured at search.points, or at 200 points of the domain if there are none. Throws as build_model()
/// and smallest_network() do.
SmallestModel smallest_model(const ModelSettings& settings, const Region& region, WidthSearch search,
                             std::uint64_t seed = 0);

}  // namespace ridgelet
