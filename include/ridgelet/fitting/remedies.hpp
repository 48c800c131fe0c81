/// What would bring a network nearer to its process, measured by building each network that might.
///
/// | remedy      | is tried                                                  |
/// |-------------|-----------------------------------------------------------|
/// | operator    | `least-squares`, where it is `ridgelet`                   |
/// | bandwidths  | sigma-w, sigma-b and ridge chosen, where they were given  |
/// | units       | three times as many                                       |
/// | nodes       | three times as many, unless the rule finds no more        |
///
/// Cost: that of choosing and certifying a network, for each remedy. It is worth that where the error is large, since
/// which of them helps is hard to guess.
#pragma once

#include <string>
#include <vector>

#include "ridgelet/assess/certificate.hpp"
#include "ridgelet/fitting/regression.hpp"

namespace ridgelet {

struct Remedy {
  std::string flags;  ///< "--units 900"
  Certificate certificate;
};

/// The remedies in order of their errors, the best first. `wanted` are the settings that led to `chosen`, with what they
/// leave open. A remedy that cannot be built is left out.
std::vector<Remedy> measure_remedies(const RegressionSettings& wanted, const Regression& chosen,
                                     const ReplicateOptions& options);

/// "--sigma-w auto --sigma-b auto --ridge auto would make that 2 %, --units 150 13 %, --points 600 15 %": those that
/// help, or that none does.
std::string advice_text(const std::vector<Remedy>& remedies, const Certificate& now);

}  // namespace ridgelet
