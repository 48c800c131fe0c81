/// One search of learning: L-BFGS with bounds from one start.
#pragma once

#include <optional>

#include "learning_space.hpp"

namespace ridgelet {

/// Climbs log evidence + log priors from t, and moves t to where that ended. A search that comes to a halt on a slope
/// begins again at its best point, and one that finds no evidence at t begins with more noise.
LearningStart run_start(Vector& t, const LearningSpace& space, const ProcessEvidence& evidence,
                        const LearningOptions& options);

/// Log evidence, or a bound of it, plus log priors at t; nothing where there is none. Threads need an evidence each.
std::optional<double> height_at(const Vector& t, const LearningSpace& space, ProcessEvidence& evidence);

}  // namespace ridgelet
