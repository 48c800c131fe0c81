#include "ridgelet/fitting/latent_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ridgelet/assess/diagnostics.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/inference/pareto_smoothing.hpp"
#include "ridgelet/linalg/products.hpp"
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

/// Every network counts the same: `draws` of each, or as many as the one with the fewest has, evenly spaced.
void share_equally(std::vector<LatentNetwork>& networks, Index draws, Index functions) {
  const auto draws_of = [&](const LatentNetwork& network) { return network.coordinates.cols() / functions; };
  for (const LatentNetwork& network : networks) draws = std::min(draws, draws_of(network));
  for (LatentNetwork& network : networks) {
    Matrix shared(network.coordinates.rows(), draws * functions);
    Index draw = 0;
    for (const Index kept : spread_rows(draws_of(network), draws))
      shared.middleCols(functions * draw++, functions) =
          network.coordinates.middleCols(functions * kept, functions);
    network.coordinates = std::move(shared);
  }
}

/// The worst of functions, one in each row, whose columns are draws, chain after chain.
WorstDiagnostics worst_of(const Matrix& functions, Index chains) {
  return worst_diagnostics(functions.rows(), [&](Index q) -> Matrix {
    return Vector(functions.row(q)).reshaped(functions.cols() / chains, chains);
  });
}

/// The functions of one network's draws at some inputs, less their mean before the data: a row for each input and
/// function, a column for each draw.
Matrix functions_of(const LatentNetwork& network, const Gaussian& output, Index functions) {
  const Matrix values = product(output.factor, network.coordinates);
  return values.reshaped(output.factor.rows() * functions, values.cols() / functions);
}

/// Chains of several networks as if they were of one: a draw of every network, then the next of each. What is compared
/// is then the mixture, to which every network contributes few draws.
Matrix interleaved(const std::vector<Matrix>& networks) {
  const auto count = static_cast<Index>(networks.size());
  Matrix all(networks.front().rows(), networks.front().cols() * count);
  for (Index i = 0; i < all.cols(); ++i)
    all.col(i) = networks[static_cast<std::size_t>(i % count)].col(i / count);
  return all;
}

/// Empty if the modes of all networks were found.
std::vector<std::string> mode_warning(const std::vector<LatentNetwork>& networks) {
  const auto lost = std::ranges::count(networks, false, &LatentNetwork::converged);
  if (lost == 0) return {};
  return {fmt::format(
      "the mode was not found for {} of {} networks: what rests on the normal distribution about it, the "
      "evidence and "
      "the kernel that it chose, is doubtful; --coordinates sampled draws the functions without it",
      lost, networks.size())};
}

std::vector<std::string> warnings_of(const LaplaceReport& report) {
  if (report.exact && !report.chains_agree())
    return {fmt::format(
        "the chains do not agree yet: R-hat is {:.3f}, where at most {} is good, and the smallest effective "
        "sample size {:.0f}, where at least {} is; --function-draws with a larger number makes them longer",
        report.rhat, LaplaceReport::good_rhat, std::floor(report.bulk), LaplaceReport::good_bulk)};
  if (report.exact || report.shape <= largest_good_shape) return {};
  return {fmt::format(
      "the posterior is not quite normal about its mode: importance weights have a Pareto shape of {:.2f}, "
      "where at most {} is good, so the normal distribution is used as it is; --coordinates sampled is exact",
      report.shape, largest_good_shape)};
}

}  // namespace

namespace {

/// The prior given the hidden layers of a network, by its number.
using GivenNetwork = std::function<std::unique_ptr<GivenHidden>(std::uint32_t network)>;

LatentFit fit_networks(const Regression& regression, Index networks, const LatentDrawOptions& wanted,
                       std::uint64_t seed, const GivenNetwork& given_network) {
  require_at_least(networks, 1, "networks");
  LatentDrawOptions draws = wanted;
  draws.seed = seed;
  draws.draws = std::max(fewest_draws, (wanted.draws + networks - 1) / networks);
  draws.most_products = wanted.most_products / static_cast<double>(networks);
  draws.proposals = std::max(wanted.proposals, draws.draws);
  require_memory_for(regression, networks, draws);
  LatentFit fit{.posterior = nullptr,
                .laplace = {.shape = -std::numeric_limits<double>::infinity(),
                            .effective = std::numeric_limits<double>::infinity()},
                .warnings = {}};
  const Matrix watched = compared_rows(regression);
  std::vector<LatentNetwork> fitted;
  std::vector<Matrix> of_chains;
  for (Index i = 0; i < networks; ++i) {
    draws.replicate = static_cast<std::uint32_t>(i);
    const std::unique_ptr<GivenHidden> given = given_network(draws.replicate);
    fitted.push_back(latent_network(*given, *regression.shared_latent_data(), draws));
    const LatentNetwork& network = fitted.back();
    fit.log_evidence += network.log_evidence / static_cast<double>(networks);
    fit.laplace.log_evidence += network.laplace / static_cast<double>(networks);
    if (network.by_chains)
      of_chains.push_back(functions_of(network, given->output(watched), regression.functions()));
    fit.laplace.shape = std::max(fit.laplace.shape, network.shape);
    fit.laplace.effective = std::min(fit.laplace.effective, network.effective);
  }
  fit.laplace.exact = !of_chains.empty();
  if (fit.laplace.exact) {
    const WorstDiagnostics worst = worst_of(interleaved(of_chains), LatentNetwork::chains);
    fit.laplace.rhat = worst.rhat.value;
    fit.laplace.bulk = worst.bulk.value;
  }
  share_equally(fitted, draws.draws, regression.functions());
  fit.warnings = mode_warning(fitted);
  for (std::string& warning : warnings_of(fit.laplace)) fit.warnings.push_back(std::move(warning));
  fit.posterior = std::make_shared<const LatentPosterior>(regression.prior(), regression.functions(),
                                                          regression.offset(), std::move(fitted));
  return fit;
}

}  // namespace

LatentFit fit_latent(const Regression& regression, Index networks, const LatentDrawOptions& draws,
                     std::uint64_t seed) {
  return fit_networks(regression, networks, draws, seed, [&](std::uint32_t network) {
    return std::make_unique<GivenHidden>(regression.prior(), seed, network);
  });
}

LatentFit draw_latent(const Regression& regression, const VariationalGaussian& q, Index networks,
                      const LatentDrawOptions& draws, std::uint64_t seed) {
  return fit_networks(regression, networks, draws, seed, [&](std::uint32_t network) {
    auto given = std::make_unique<GivenHidden>(regression.prior());
    HiddenLayers layers = regression.prior().allocate();
    draw_possible(q, seed, network, [&](const Vector& xi, const RandomStream&) {
      regression.prior().at(xi, layers);
      return given->condition(layers);
    });
    return given;
  });
}

Matrix compared_rows(const Regression& regression) {
  constexpr Index most = 50;
  return regression.data().X(spread_rows(regression.data().rows(), most), Eigen::all);
}

std::shared_ptr<const LatentPosterior> sampled_networks(const Regression& regression,
                                                        const PosteriorDraws& draws) {
  const RidgeletPrior& prior = regression.prior();
  const Index K = regression.functions();
  std::vector<LatentNetwork> networks;
  for (const Index draw : spread_rows(draws.size(), most_sampled_networks)) {
    const Vector z = draws.coordinates.row(draw);
    networks.push_back({.layers = prior.allocate(),
                        .coordinates = z.reshaped(prior.rank(), K),
                        .log_evidence = std::numeric_limits<double>::quiet_NaN(),
                        .by_chains = true});
    networks.back().layers.unpack(draws.layers.row(draw).transpose());
  }
  return std::make_shared<const LatentPosterior>(prior, K, regression.offset(), std::move(networks));
}

}  // namespace ridgelet
