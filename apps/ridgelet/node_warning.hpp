/// A warning where a model's nodes are too few for its process, or in the wrong place, which no operator can mend.
#pragma once

#include "ridgelet/fitting/model_settings.hpp"

namespace ridgelet::app {

/// Warns where the nodes leave a tenth of the process's sd or more unknown, over the points of the domain.
void warn_about_nodes(const Model& model, const Matrix& points);

}  // namespace ridgelet::app
