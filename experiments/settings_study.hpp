/// The study behind four figures of the appendix "Comparison of Prior Predictive with Different Settings": what becomes
/// of the prior as bandwidths, activation or kernel change. A figure is a table of cases and a layout.
#pragma once

#include "experiments/approximation_study.hpp"

namespace ridgelet::experiments {

/// Priors of one make (a pair of bandwidths, an activation or a kernel) with growing numbers of units.
struct Make {
  std::string name;
  std::vector<StudyCase> ridgelet;
  std::vector<StudyCase> least_squares;  ///< may be empty
};

/// What came of a make.
struct Contestant {
  std::string name;
  std::vector<StudyOutcome> ridgelet;       ///< in the order of units
  std::vector<StudyOutcome> least_squares;  ///< in the order of units
  StudyOutcome process;
};

/// Makes that are listed together.
struct StudyPart {
  std::string key;    ///< of the list in the JSON
  std::string words;  ///< above the list in the report
  std::vector<Make> makes;
};

struct SettingsStudy {
  std::vector<StudyPart> parts;
  std::function<FigureScript(const std::vector<Contestant>&)> figure;  ///< of the contestants of all parts

  /// A column of the report for what varies besides units and bandwidths; none if its heading is empty.
  std::string heading = "";
  std::function<std::string(const StudyOutcome&)> entry = nullptr;
};

/// Runs every case. The table has each case once, and each process after the networks that imitate it.
ExperimentResult run_study(const SettingsStudy& study, const ExperimentOptions& options);

}  // namespace ridgelet::experiments
