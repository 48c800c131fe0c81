#include "ridgelet/fitting/closed_form_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ridgelet/core/memory.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/target/covariance/constant.hpp"
#include "ridgelet/target/kernel_expression.hpp"

namespace ridgelet {

namespace {

/// Of the standard deviation of an output: below, nothing is noise.
constexpr double least_noise = 1e-5;

/// A network given its hidden layers, and what the rows say of it.
struct Candidate {
  std::unique_ptr<ConditionalOutput> given;
  RowSpectrum spectrum;
};

void require_memory_for(const LayerPrior& prior, Index networks) {
  const auto R = static_cast<double>(prior.rank());
  const double block = static_cast<double>(SpectrumOptions{}.row_block);
  const double bytes =
      static_cast<double>(networks) * (2 * prior.output_bytes() + 8 * 3 * R * R) + 8 * block * 3 * (R + 1);
  require_memory(bytes, "networks", fmt::format("a fit of {} networks of rank {}", networks, R));
}

std::vector<Candidate> pass_over_rows(ConditionedNetworks networks, const Data& data,
                                      const ClosedFormSettings& settings) {
  std::vector<Candidate> candidates;
  const Index rows = data.rows(), in_all = rows * static_cast<Index>(networks.size());
  for (std::unique_ptr<ConditionalOutput>& given : networks) {
    const Index before = rows * static_cast<Index>(candidates.size());
    RowSpectrum spectrum = row_spectrum(*given, data, {.progress = [&](Index done, Index) {
      if (settings.progress) settings.progress(before + done, in_all);
    }});
    candidates.push_back({.given = std::move(given), .spectrum = std::move(spectrum)});
  }
  return candidates;
}

/// Where the squares of some rows leave too few digits for the noise, those rows are passed over again by roots.
bool keep_digits(std::vector<Candidate>& candidates, const Data& data, const Vector& noise) {
  bool changed = false;
  for (Candidate& candidate : candidates) {
    if (squares_suffice(candidate.spectrum, noise)) continue;
    candidate.spectrum = row_spectrum(*candidate.given, data, {.by_root = true});
    changed = true;
  }
  return changed;
}

std::vector<RowSpectrum> spectra_of(const std::vector<Candidate>& candidates) {
  std::vector<RowSpectrum> spectra;
  for (const Candidate& candidate : candidates) spectra.push_back(candidate.spectrum);
  return spectra;
}

PolishedScales polish(std::vector<Candidate>& candidates, const Data& data,
                      const ClosedFormSettings& settings) {
  const PolishOptions options{.noise = settings.polish_noise,
                              .amplitude = settings.polish_amplitude,
                              .least_noise = least_noise * column_sds(data.Y)};
  keep_digits(candidates, data, data.noise);
  PolishedScales scales = polish_scales(spectra_of(candidates), data.noise, options);
  if (keep_digits(candidates, data, scales.noise / scales.amplitude))
    scales = polish_scales(spectra_of(candidates), data.noise, options);
  return scales;
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
  settings.model.kernel = scaled_kernel(parse_kernel(settings.model.kernel), scales.amplitude).text();
  StoredNodes stored = regression.stored();
  stored.factor.L *= scales.amplitude;
  return std::make_shared<const Regression>(std::move(settings), regression.table(), std::move(stored));
}

}  // namespace

Kernel scaled_kernel(const Kernel& kernel, double amplitude) {
  if (amplitude == 1) return kernel;
  std::optional<Kernel> sum;
  for (const Kernel& term : kernel.terms()) {
    const std::vector<KernelParameter> parameters = term.parameters();
    Vector values(static_cast<Index>(parameters.size()));
    for (Index i = 0; i < values.size(); ++i) values(i) = parameters[static_cast<std::size_t>(i)].value;
    const auto first = std::ranges::find(parameters, "amplitude", &KernelParameter::kind);
    if (first != parameters.end()) values(first - parameters.begin()) *= amplitude;
    const Kernel scaled =
        first != parameters.end() ? term.with_parameters(values) : Constant{.amplitude = amplitude} * term;
    sum = sum ? *sum + scaled : scaled;
  }
  return *sum;
}

PolishedNetworks polished_networks(ConditionedNetworks networks, const Data& data,
                                   const ClosedFormSettings& settings) {
  std::vector<Candidate> candidates = pass_over_rows(std::move(networks), data, settings);
  PolishedNetworks polished{.scales = polish(candidates, data, settings), .networks = {}};
  for (const Candidate& candidate : candidates)
    polished.networks.push_back(closed_form_network(candidate.given->layers(),
                                                    candidate.spectrum.scaled(polished.scales.amplitude),
                                                    polished.scales.noise));
  return polished;
}

ClosedFormFit fit_closed_form(std::shared_ptr<const Regression> regression,
                              const ClosedFormSettings& settings) {
  require_at_least(settings.networks, 1, "networks");
  require_memory_for(regression->prior(), settings.networks);
  PolishedNetworks polished =
      polished_networks(draw_networks(regression->prior(), settings), regression->data(), settings);
  if (settings.polish_noise || settings.polish_amplitude)
    regression = with_scales(*regression, polished.scales);
  auto posterior = std::make_shared<const ClosedFormPosterior>(
      regression->shared_prior(), polished.scales.noise, regression->offset(), std::move(polished.networks));
  return {.regression = std::move(regression), .posterior = std::move(posterior)};
}

}  // namespace ridgelet
