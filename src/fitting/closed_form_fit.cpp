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

/// A network of the prior and what the rows say of it.
struct Candidate {
  std::unique_ptr<GivenHidden> given;
  RowSpectrum spectrum;
};

void require_memory_for(const Regression& regression, Index networks) {
  const auto R = static_cast<double>(regression.prior().rank());
  const double block = static_cast<double>(SpectrumOptions{}.row_block);
  const double bytes =
      static_cast<double>(networks) * (2 * regression.prior().output_bytes() + 8 * 3 * R * R) +
      8 * block * 3 * (R + 1);
  require_memory(bytes, "networks", fmt::format("a fit of {} networks of rank {}", networks, R));
}

std::vector<Candidate> pass_over_rows(const Regression& regression, const ClosedFormSettings& settings) {
  std::vector<Candidate> candidates;
  const Index rows = regression.data().rows();
  for (Index i = 0; i < settings.networks; ++i) {
    Candidate candidate{.given = std::make_unique<GivenHidden>(regression.prior(), settings.seed,
                                                               static_cast<std::uint32_t>(i)),
                        .spectrum = {}};
    candidate.spectrum =
        row_spectrum(*candidate.given, regression.data(), {.progress = [&](Index done, Index) {
          if (settings.progress) settings.progress(i * rows + done, settings.networks * rows);
        }});
    candidates.push_back(std::move(candidate));
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

ClosedFormFit fit_closed_form(std::shared_ptr<const Regression> regression,
                              const ClosedFormSettings& settings) {
  require_at_least(settings.networks, 1, "networks");
  require_memory_for(*regression, settings.networks);
  std::vector<Candidate> candidates = pass_over_rows(*regression, settings);
  const PolishedScales scales = polish(candidates, regression->data(), settings);
  if (settings.polish_noise || settings.polish_amplitude) regression = with_scales(*regression, scales);
  std::vector<ClosedFormNetwork> networks;
  for (const Candidate& candidate : candidates)
    networks.push_back(closed_form_network(candidate.given->layers(),
                                           candidate.spectrum.scaled(scales.amplitude), scales.noise));
  candidates.clear();
  auto posterior = std::make_shared<const ClosedFormPosterior>(regression->shared_prior(), scales.noise,
                                                               regression->offset(), std::move(networks));
  return {.regression = std::move(regression), .posterior = std::move(posterior)};
}

}  // namespace ridgelet
