/// A regression fitted with hidden layers that stay as they were drawn: one pass over the rows for each network.
///
/// Noise and the process's amplitude may be polished on all rows (inference/row_spectrum.hpp): a kernel is learned on a
/// subset, and the network's own noise must cover what the network cannot carry. A new amplitude goes into the kernel,
/// so that the kernel reported is the one that was used.
///
/// The pass may see G in mixed precision, which is faster. What that costs is estimated from some of the rows
/// (inference/mixed_cost.hpp); where it is more than a hundredth of the posterior's sd, the rows are passed over again
/// in double precision.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/fitting/regression.hpp"
#include "ridgelet/fitting/table_rows.hpp"
#include "ridgelet/inference/mixed_cost.hpp"

namespace ridgelet {

enum class Arithmetic { double_precision, mixed };

/// Reads "double" or "mixed"; throws InvalidArgument about "precision".
Arithmetic parse_arithmetic(const std::string& text);

struct ClosedFormSettings {
  Index networks = 1;
  bool polish_noise = false;
  bool polish_amplitude = false;
  bool priors = true;  ///< the noise keeps the prior that it was learned with
  std::uint64_t seed = 0;
  Arithmetic arithmetic = Arithmetic::double_precision;             ///< in which G is evaluated
  std::function<void(Index done, Index total)> progress = nullptr;  ///< rows of all passes
};

struct ClosedFormFit {
  std::shared_ptr<const Regression> regression;  ///< with the polished numbers
  std::shared_ptr<const ClosedFormPosterior> posterior;
  /// Where mixed precision was asked for; it was used if this is negligible.
  std::optional<MixedCost> mixed = {};
};

/// Passes over the rows that the regression keeps. Throws InvalidArgument about "networks" if the memory would not
/// suffice.
ClosedFormFit fit_closed_form(std::shared_ptr<const Regression> regression,
                              const ClosedFormSettings& settings);

/// Passes over all rows of the regression's table, where the regression keeps only some of them.
ClosedFormFit fit_closed_form(std::shared_ptr<const Regression> regression, const TableRows& rows,
                              const ClosedFormSettings& settings);

/// Networks of any prior, each conditioned on hidden layers.
using ConditionedNetworks = std::vector<std::unique_ptr<ConditionalOutput>>;

struct PolishedNetworks {
  PolishedScales scales;
  std::vector<ClosedFormNetwork> networks;  ///< given the data, of the prior times the amplitude in `scales`
};

/// The posteriors of these networks given the rows, with the noise and the prior's scale polished as the settings ask.
/// The search for the noise begins at `noise` and stays above a small part of `spread`, the standard deviations of the
/// outputs, and above what rounding would hide of functions with standard deviation `function_sd`.
PolishedNetworks polished_networks(const ConditionedNetworks& networks, const DataTiles& data,
                                   const Vector& noise, const Vector& spread, double function_sd,
                                   const ClosedFormSettings& settings);

}  // namespace ridgelet
