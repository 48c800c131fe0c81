/// A regression whose response is not Gaussian given the functions, fitted with hidden layers that stay as they were
/// drawn (inference/latent_posterior.hpp), or with hidden layers that are sampled together with the coordinates
/// (inference/latent_density.hpp), or drawn from the normal distribution that is closest to their posterior
/// (inference/variational.hpp). All rows are in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ridgelet/assess/fit_report.hpp"
#include "ridgelet/fitting/regression.hpp"
#include "ridgelet/inference/latent_posterior.hpp"
#include "ridgelet/inference/posterior_draws.hpp"
#include "ridgelet/inference/variational.hpp"

namespace ridgelet {

struct LatentFit {
  std::shared_ptr<const LatentPosterior> posterior;
  double log_evidence = 0;  ///< averaged over networks
  LaplaceReport laplace;
  std::vector<std::string> warnings;  ///< that chains disagree, or that weights cannot be trusted
};

/// Fits `networks` networks, each with hidden layers of its own, which share the draws. Throws InvalidArgument about
/// "networks" if the memory would not suffice.
LatentFit fit_latent(const Regression& regression, Index networks, const LatentDrawOptions& draws,
                     std::uint64_t seed);

/// The same for hidden layers drawn from q.
LatentFit draw_latent(const Regression& regression, const VariationalGaussian& q, Index networks,
                      const LatentDrawOptions& draws, std::uint64_t seed);

/// Rows at which functions of chains are compared, in the model's units.
Matrix compared_rows(const Regression& regression);

/// At most this many networks are kept of what chains drew.
inline constexpr Index most_sampled_networks = 400;

/// What chains over hidden layers and coordinates drew (SampledPosterior::latent): a network for each draw or, if there
/// are more, for most_sampled_networks of them, evenly spaced.
std::shared_ptr<const LatentPosterior> sampled_networks(const Regression& regression,
                                                        const PosteriorDraws& draws);

}  // namespace ridgelet
