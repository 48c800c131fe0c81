/// What learning has tried, as JSON: the same for `learn`, which does nothing else, and for `fit`.
#pragma once

#include "ridgelet/fitting/learned_settings.hpp"
#include "values.hpp"

namespace ridgelet::app {

/// The noise or, where it is not Gaussian, the numbers of its likelihood by their names.
Json noise_json(const LearnedSettings& learned, const Vector& noise);

/// "starts", where each start ended; "refinement", null where there was none; and of a list of kernels "candidates".
Json learning_json(const LearnedSettings& learned);

}  // namespace ridgelet::app
