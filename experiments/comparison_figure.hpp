/// A figure that compares a few priors of different make: above a row of sample paths for each, below their
/// errors and covariances in a column each.
#pragma once

#include "experiments/approximation_panels.hpp"

namespace ridgelet::experiments {

/// What is compared: an activation, or a kernel.
struct Contestant {
  std::string name;
  std::vector<StudyOutcome> ridgelet;       ///< in the order of units
  std::vector<StudyOutcome> least_squares;  ///< in the order of units
  StudyOutcome process;
};

struct ComparisonLayout {
  std::vector<Index> ridgelet_shown;  ///< three numbers of units, whose paths and covariances are drawn
  Index least_squares_shown = 300;
  Range paths = {-4, 4};
  Range errors = {1e-5, 20};
  Range covariances = {-0.5, 3};
};

/// Three contestants on a page.
FigureScript comparison_figure(const std::vector<Contestant>& contestants, const ComparisonLayout& layout);

/// Everything in a row, each process after its networks.
std::vector<StudyOutcome> all_outcomes(const std::vector<Contestant>& contestants);

}  // namespace ridgelet::experiments
