/// A regression whose response is not Gaussian given the functions, fitted with hidden layers that stay as they were drawn
/// (inference/latent_posterior.hpp), or with hidden layers that are sampled together with the coordinates
/// (inference/latent_density.hpp), or drawn from the normal distribution that is closest to their posterior
/// (inference/variational.hpp). All rows are in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ridgelet/assess/fit_report.hpp"
#include "ridgelet/fitting/regression.hpp"
#include "ridgelet/inference/latent_posterior.hpp"
#include "ridgelet/inference/sampling.hpp"
#include "ridgelet/inference/variational.hpp"

namespace ridgelet {

struct LatentFit {
  std::shared_ptr<const LatentPosterior> posterior;
  double log_evidence = 0;  ///< averaged over networks
  LaplaceReport laplace;
  std::vector<std::string> warnings;  ///< that chains disagree, or that weights cannot be trusted
};

/// `networks` hidden layers, which share the draws. Throws InvalidArgument about "networks" if the memory would not
/// suffice.
LatentFit fit_latent(const Regression& regression, Index networks, const LatentDrawOptions& draws,
                     std::uint64_t seed);

/// The same of hidden layers drawn from q.
LatentFit draw_latent(const Regression& regression, const VariationalGaussian& q, Index networks,
                      const LatentDrawOptions& draws, std::uint64_t seed);

/// Who watches chains: told how many steps are done, and asked whether to stop.
struct ChainWatch {
  std::function<void(Index done, Index total)> progress = nullptr;
  std::function<bool()> stop = nullptr;
};

/// Chains of elliptical slices over hidden layers and coordinates, all of whose draws are networks of the posterior, or
/// `most_networks` of them, evenly spaced. Nothing if they were stopped. Throws InvalidArgument about "draws" if the memory
/// would not suffice.
std::optional<LatentFit> sample_latent(const Regression& regression, const SamplingOptions& options,
                                       const ChainWatch& watch = {}, Index most_networks = 400);

}  // namespace ridgelet
