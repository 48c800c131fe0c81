#include "ridgelet/fitting/latent_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/inference/pareto_smoothing.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

constexpr Index fewest_draws = 20;

void require_memory_for(const Regression& regression, Index networks, const LatentDrawOptions& draws) {
  const RidgeletPrior& prior = regression.prior();
  const auto K = static_cast<double>(regression.functions());
  const double kept = 8 * K * static_cast<double>(draws.draws) *
                      static_cast<double>(prior.units() + prior.rank()) * static_cast<double>(networks);
  const double on_the_way = 8 * K * static_cast<double>(draws.proposals * prior.rank());
  require_memory(LatentMode::bytes(regression.data().rows(), prior.rank(), regression.functions()) + kept +
                     3 * on_the_way + prior.output_bytes(),
                 "networks",
                 fmt::format("{} functions on {} coordinates", regression.functions(), prior.rank()));
}

std::string warning_of(const LaplaceReport& report) {
  constexpr double largest_good_rhat = 1.1;
  if (report.exact && report.rhat > largest_good_rhat)
    return fmt::format(
        "the chains of coordinates do not agree yet: R-hat is {:.2f}, where at most {} is good; "
        "--function-draws "
        "with a larger number takes longer chains",
        report.rhat, largest_good_rhat);
  if (report.exact || report.shape <= largest_good_shape) return "";
  return fmt::format(
      "the posterior is not quite normal about its mode: importance weights have a Pareto shape of {:.2f}, "
      "where at most {} is good, so the normal distribution is used as it is; --coordinates sampled is exact",
      report.shape, largest_good_shape);
}

}  // namespace

LatentFit fit_latent(const Regression& regression, Index networks, const LatentDrawOptions& wanted,
                     std::uint64_t seed) {
  require_at_least(networks, 1, "networks");
  LatentDrawOptions draws = wanted;
  draws.seed = seed;
  draws.draws = std::max(fewest_draws, (wanted.draws + networks - 1) / networks);
  draws.proposals = std::max(wanted.proposals, draws.draws);
  require_memory_for(regression, networks, draws);
  LatentFit fit{.posterior = nullptr,
                .laplace = {.shape = -std::numeric_limits<double>::infinity(),
                            .effective = std::numeric_limits<double>::infinity()},
                .warning = {}};
  std::vector<LatentNetwork> fitted;
  for (Index i = 0; i < networks; ++i) {
    draws.replicate = static_cast<std::uint32_t>(i);
    GivenHidden given(regression.prior(), seed, draws.replicate);
    fitted.push_back(latent_network(given, *regression.shared_latent_data(), draws));
    const LatentNetwork& network = fitted.back();
    fit.log_evidence += network.log_evidence / static_cast<double>(networks);
    fit.laplace.log_evidence += network.laplace / static_cast<double>(networks);
    fit.laplace.exact = fit.laplace.exact || network.by_chains;
    fit.laplace.rhat = std::max(fit.laplace.rhat, network.rhat);
    fit.laplace.shape = std::max(fit.laplace.shape, network.shape);
    fit.laplace.effective = std::min(fit.laplace.effective, network.effective);
  }
  fit.warning = warning_of(fit.laplace);
  fit.posterior = std::make_shared<const LatentPosterior>(regression.prior(), regression.functions(),
                                                          regression.offset(), std::move(fitted));
  return fit;
}

}  // namespace ridgelet
