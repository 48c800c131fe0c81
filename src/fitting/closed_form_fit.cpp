#include "ridgelet/fitting/closed_form_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ridgelet/assess/replicates.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/inference/linear_gaussian.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/kernel_expression.hpp"
#include "ridgelet/target/learning.hpp"

namespace ridgelet {

namespace {

/// As a part of an output's standard deviation: the noise is not polished to less.
constexpr double least_noise = 1e-5;

/// A network given its hidden layers, and what the rows say of it.
struct Candidate {
  ConditionalOutput* given;
  RowSpectrum spectrum;
};

/// Rows at which functions are looked at, and evaluated in both precisions to see what mixed precision costs.
constexpr Index rows_looked_at = 2048;

void require_memory_for(const LayerPrior& prior, const ClosedFormSettings& settings, const DataTiles& data) {
  const Index networks = settings.networks;
  const bool mixed = settings.arithmetic == Arithmetic::mixed;
  const auto R = static_cast<double>(prior.rank());
  const double block = static_cast<double>(SpectrumOptions{}.row_block);
  const double each = 2 * prior.output_bytes() + (mixed ? prior.mixed_bytes() : 0) + 8 * 3 * R * R +
                      bytes_of_row_sums(prior.rank(), data.outputs, data.tiles);
  const double rows = 8 * (R + 1) * (3 * block + (mixed ? 6 * static_cast<double>(rows_looked_at) : 0));
  require_memory(static_cast<double>(networks) * each + rows, "networks",
                 fmt::format("a fit of {} networks of rank {}", networks, R));
}

std::vector<Candidate> pass_over_rows(const ConditionedNetworks& networks, const DataTiles& data,
                                      const ClosedFormSettings& settings) {
  std::vector<ConditionalOutput*> outputs;
  for (const std::unique_ptr<ConditionalOutput>& given : networks) outputs.push_back(given.get());
  std::vector<RowSpectrum> spectra = row_spectra(
      outputs, data, {.mixed = settings.arithmetic == Arithmetic::mixed, .progress = settings.progress});
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < networks.size(); ++i)
    candidates.push_back({.given = outputs[i], .spectrum = std::move(spectra[i])});
  return candidates;
}

/// For networks whose squares leave too few digits for the noise, the rows are passed over again by roots. Returns
/// whether there were any.
bool keep_digits(std::vector<Candidate>& candidates, const DataTiles& data, const Vector& noise,
                 const ClosedFormSettings& settings) {
  std::vector<Candidate*> again;
  std::vector<ConditionalOutput*> outputs;
  for (Candidate& candidate : candidates)
    if (!squares_suffice(candidate.spectrum, noise)) {
      again.push_back(&candidate);
      outputs.push_back(candidate.given);
    }
  if (again.empty()) return false;
  std::vector<RowSpectrum> spectra =
      row_spectra(outputs, data, {.by_root = true, .mixed = settings.arithmetic == Arithmetic::mixed});
  for (std::size_t i = 0; i < again.size(); ++i) again[i]->spectrum = std::move(spectra[i]);
  return true;
}

std::vector<RowSpectrum> spectra_of(const std::vector<Candidate>& candidates) {
  std::vector<RowSpectrum> spectra;
  for (const Candidate& candidate : candidates) spectra.push_back(candidate.spectrum);
  return spectra;
}

PolishedScales polish(std::vector<Candidate>& candidates, const DataTiles& data, const Vector& noise,
                      const Vector& spread, double function_sd, const ClosedFormSettings& settings) {
  const PolishOptions options{
      .noise = settings.polish_noise,
      .amplitude = settings.polish_amplitude,
      .least_noise =
          (least_noise * spread).cwiseMax(noise_above_rounding(function_sd * function_sd, data.rows)),
      .usual_noise = settings.priors ? Vector(NoisePrior::location * spread) : Vector()};
  keep_digits(candidates, data, noise, settings);
  PolishedScales scales = polish_scales(spectra_of(candidates), noise, options);
  if (keep_digits(candidates, data, scales.noise / scales.amplitude, settings))
    scales = polish_scales(spectra_of(candidates), noise, options);
  return scales;
}

/// The rows of the table, as the network sees them.
DataTiles tiles_of(const TableRows& rows, const Regression& regression) {
  return {.tiles = rows.tiles(),
          .rows = rows.rows(),
          .outputs = regression.data().outputs(),
          .read =
              [&](Index index) {
                const RowTile tile = rows.tile(index);
                return regression.in_model_units(tile.X, tile.Y);
              },
          .ranks = rows.ranks()};
}

ConditionedNetworks draw_networks(const RidgeletPrior& prior, const ClosedFormSettings& settings) {
  ConditionedNetworks networks;
  for (Index i = 0; i < settings.networks; ++i)
    networks.push_back(std::make_unique<GivenHidden>(prior, settings.seed, static_cast<std::uint32_t>(i)));
  return networks;
}

std::shared_ptr<const Regression> with_scales(const Regression& regression, const PolishedScales& scales) {
  RegressionSettings settings = regression.settings();
  settings.model.noise = scales.noise;
  if (scales.amplitude != 1)
    settings.model.kernel = parse_kernel(settings.model.kernel).scaled(scales.amplitude).text();
  StoredNodes stored = regression.stored();
  stored.factor.L *= scales.amplitude;
  return std::make_shared<const Regression>(std::move(settings), regression.table(), std::move(stored));
}

}  // namespace

Arithmetic parse_arithmetic(const std::string& text) {
  if (text == "double") return Arithmetic::double_precision;
  if (text == "mixed") return Arithmetic::mixed;
  throw InvalidArgument("precision", "must be double or mixed, got '" + text + "'");
}

PolishedNetworks polished_networks(const ConditionedNetworks& networks, const DataTiles& data,
                                   const Vector& noise, const Vector& spread, double function_sd,
                                   const ClosedFormSettings& settings) {
  std::vector<Candidate> candidates = pass_over_rows(networks, data, settings);
  PolishedNetworks polished{.scales = polish(candidates, data, noise, spread, function_sd, settings),
                            .networks = {}};
  for (const Candidate& candidate : candidates)
    polished.networks.push_back(closed_form_network(candidate.given->layers(),
                                                    candidate.spectrum.scaled(polished.scales.amplitude),
                                                    polished.scales.noise));
  return polished;
}

namespace {

/// At most `count` of the rows, evenly spaced.
Data some_rows(const Data& data, Index count) {
  const Index all = data.rows(), kept = std::min(all, count);
  std::vector<Index> rows;
  for (Index i = 0; i < kept; ++i) rows.push_back(i * all / kept);
  return {.X = data.X(rows, Eigen::all), .Y = data.Y(rows, Eigen::all), .noise = data.noise};
}

/// The largest cost over the networks.
MixedCost largest_mixed_cost(const ConditionedNetworks& networks, const PolishedNetworks& polished,
                             const Data& some, Index M) {
  MixedCost largest;
  for (std::size_t i = 0; i < networks.size(); ++i)
    largest = larger(largest, mixed_cost(*networks[i], polished.networks[i], polished.scales.amplitude, some,
                                         polished.scales.noise, M));
  return largest;
}

ClosedFormFit fit_to_tiles(std::shared_ptr<const Regression> regression, const DataTiles& data,
                           const ClosedFormSettings& settings) {
  require_at_least(settings.networks, 1, "networks");
  require_memory_for(regression->prior(), settings, data);
  const ConditionedNetworks networks = draw_networks(regression->prior(), settings);
  const Data some = some_rows(regression->data(), rows_looked_at);
  const double function_sd = process_sd(regression->prior(), some.X);
  const auto polish = [&](const ClosedFormSettings& how) {
    return polished_networks(networks, data, regression->data().noise, column_sds(regression->data().Y),
                             function_sd, how);
  };
  PolishedNetworks polished = polish(settings);
  std::optional<MixedCost> mixed;
  if (settings.arithmetic == Arithmetic::mixed) {
    mixed = largest_mixed_cost(networks, polished, some, data.rows);
    ClosedFormSettings in_double = settings;
    in_double.arithmetic = Arithmetic::double_precision;
    if (!mixed->negligible()) polished = polish(in_double);
  }
  if (settings.polish_noise || settings.polish_amplitude)
    regression = with_scales(*regression, polished.scales);
  auto posterior = std::make_shared<const ClosedFormPosterior>(
      regression->shared_prior(), polished.scales.noise, regression->offset(), std::move(polished.networks));
  return {.regression = std::move(regression), .posterior = std::move(posterior), .mixed = mixed};
}

}  // namespace

ClosedFormFit fit_closed_form(std::shared_ptr<const Regression> regression,
                              const ClosedFormSettings& settings) {
  const DataTiles tiles = tiles_of(regression->data(), CollapsedLikelihood::default_row_block);
  return fit_to_tiles(std::move(regression), tiles, settings);
}

ClosedFormFit fit_closed_form(std::shared_ptr<const Regression> regression, const TableRows& rows,
                              const ClosedFormSettings& settings) {
  if (!regression->table().whole) return fit_closed_form(std::move(regression), settings);
  const DataTiles tiles = tiles_of(rows, *regression);
  return fit_to_tiles(std::move(regression), tiles, settings);
}

}  // namespace ridgelet
