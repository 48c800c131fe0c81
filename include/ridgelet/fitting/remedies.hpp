/// What would bring a network nearer to its process, measured by building each network that might be nearer.
///
/// | remedy      | is tried                                                  |
/// |-------------|-----------------------------------------------------------|
/// | operator    | `least-squares`, in place of one that integrates          |
/// | bandwidths  | sigma-w, sigma-b and ridge chosen, where they were given  |
/// | units       | three times as many                                       |
/// | nodes       | three times as many, unless the rule finds no more; and   |
/// |             | another rule: one that fills the domain, or `data`        |
///
/// Cost: that of choosing and certifying a network, for each remedy. This is worthwhile where the error is large, since
/// it is hard to guess which of them helps. Networks with N units on D nodes are tried up to N D^2 = 2.5e9, some
/// seconds' work each.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/assess/certificate.hpp"
#include "ridgelet/fitting/regression.hpp"

namespace ridgelet {

struct Remedy {
  std::string flags;  ///< "--units 900"
  Certificate certificate;

  /// The network, where the remedy changes only what was left to be chosen.
  std::shared_ptr<const Regression> network = nullptr;
};

/// The remedies in order of their errors, the best first. `wanted` are the settings that led to `chosen`, before nodes,
/// bandwidths and width were chosen. A remedy that cannot be built is left out, and so is one that is too large.
/// `before` is told the flags of each before it is measured.
std::vector<Remedy> measure_remedies(const RegressionSettings& wanted, const Regression& chosen,
                                     const ReplicateOptions& options,
                                     const std::function<void(const std::string&)>& before = nullptr);

/// The best of the remedies that change only what was left to be chosen, if it is good enough to be taken without
/// being asked for: in place of a network that is not its process at all, one that is; in place of any other, one
/// whose error is not large (assess/certificate.hpp) and at most half as large. It is taken out of the remedies,
/// which are in the order of their errors.
std::optional<Remedy> take_remedy(std::vector<Remedy>& remedies, const Certificate& now);

/// "--sigma-w auto --sigma-b auto --ridge auto would make that 2 %, --units 150 13 %, --points 600 15 %": the remedies
/// that help or, if none does, those that were tried.
std::string advice_text(const std::vector<Remedy>& remedies, const Certificate& now);

}  // namespace ridgelet
