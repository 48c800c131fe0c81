/// A regression whose response is not Gaussian given the functions, fitted with hidden layers that stay as they were drawn
/// (inference/latent_posterior.hpp). All rows are in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ridgelet/assess/fit_report.hpp"
#include "ridgelet/fitting/regression.hpp"
#include "ridgelet/inference/latent_posterior.hpp"

namespace ridgelet {

struct LatentFit {
  std::shared_ptr<const LatentPosterior> posterior;
  double log_evidence = 0;  ///< averaged over networks
  LaplaceReport laplace;
  std::string warning;  ///< empty, or that the weights cannot be trusted
};

/// `networks` hidden layers, which share the draws. Throws InvalidArgument about "networks" if the memory would not
/// suffice.
LatentFit fit_latent(const Regression& regression, Index networks, const LatentDrawOptions& draws,
                     std::uint64_t seed);

}  // namespace ridgelet
