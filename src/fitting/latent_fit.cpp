#include "ridgelet/fitting/latent_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "ridgelet/assess/diagnostics.hpp"
#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/inference/chains.hpp"
#include "ridgelet/inference/latent_density.hpp"
#include "ridgelet/inference/pareto_smoothing.hpp"
#include "ridgelet/linalg/products.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

constexpr Index fewest_draws = 20;

/// Rows at which functions of chains are compared.
constexpr Index most_watched = 50;

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

/// Every network counts the same: as many draws of each as the one with the fewest has.
void share_equally(std::vector<LatentNetwork>& networks) {
  Index fewest = networks.front().coordinates.cols();
  for (const LatentNetwork& network : networks) fewest = std::min(fewest, network.coordinates.cols());
  for (LatentNetwork& network : networks) network.coordinates = network.coordinates.leftCols(fewest).eval();
}

/// Of functions, a row each, whose columns are draws, chain after chain.
double largest_rhat(const Matrix& functions, Index chains) {
  return worst_diagnostics(functions.rows(),
                           [&](Index q) -> Matrix {
                             return Vector(functions.row(q)).reshaped(functions.cols() / chains, chains);
                           })
      .rhat.value;
}

/// The functions that the draws of one network are, at inputs: a row for each input and function, a column for each draw.
Matrix functions_of(const LatentNetwork& network, const Gaussian& output, Index functions) {
  const Matrix values = product(output.factor, network.coordinates);
  return values.reshaped(output.factor.rows() * functions, values.cols() / functions);
}

Matrix watched_rows_of(const Regression& regression) {
  return regression.data().X(spread_rows(regression.data().rows(), most_watched), Eigen::all);
}

std::vector<std::string> warnings_of(const LaplaceReport& report) {
  constexpr double largest_good_rhat = 1.1;
  if (report.exact && report.rhat > largest_good_rhat)
    return {
        fmt::format("the chains do not agree yet: R-hat is {:.2f}, where at most {} is good; {} with a "
                    "larger number makes "
                    "them longer",
                    report.rhat, largest_good_rhat, report.hidden ? "--draws" : "--function-draws")};
  if (report.exact || report.shape <= largest_good_shape) return {};
  return {fmt::format(
      "the posterior is not quite normal about its mode: importance weights have a Pareto shape of {:.2f}, "
      "where at most {} is good, so the normal distribution is used as it is; --coordinates sampled is exact",
      report.shape, largest_good_shape)};
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
                .warnings = {}};
  const Matrix watched = watched_rows_of(regression);
  std::vector<LatentNetwork> fitted;
  for (Index i = 0; i < networks; ++i) {
    draws.replicate = static_cast<std::uint32_t>(i);
    GivenHidden given(regression.prior(), seed, draws.replicate);
    fitted.push_back(latent_network(given, *regression.shared_latent_data(), draws));
    const LatentNetwork& network = fitted.back();
    fit.log_evidence += network.log_evidence / static_cast<double>(networks);
    fit.laplace.log_evidence += network.laplace / static_cast<double>(networks);
    fit.laplace.exact = fit.laplace.exact || network.by_chains;
    if (network.by_chains)
      fit.laplace.rhat = std::max(
          fit.laplace.rhat, largest_rhat(functions_of(network, given.output(watched), regression.functions()),
                                         LatentNetwork::chains));
    fit.laplace.shape = std::max(fit.laplace.shape, network.shape);
    fit.laplace.effective = std::min(fit.laplace.effective, network.effective);
  }
  share_equally(fitted);
  fit.warnings = warnings_of(fit.laplace);
  fit.posterior = std::make_shared<const LatentPosterior>(regression.prior(), regression.functions(),
                                                          regression.offset(), std::move(fitted));
  return fit;
}

namespace {

/// What is kept of the chains: a column for each draw, chain after chain.
struct ChainDraws {
  Matrix layers;       ///< packed
  Matrix coordinates;  ///< R K
  Matrix functions;    ///< at the watched rows, one function after the other
};

void record(LatentDensity& density, const Chain& chain, const Matrix& watched, Index column,
            ChainDraws& draws) {
  density.move_to(chain.position());
  const Matrix z = density.coordinates();
  Matrix values(watched.rows(), 1 + z.rows());
  density.output().evaluate(watched, values);
  const Matrix f = (values.rightCols(z.rows()) * z).colwise() + values.col(0);
  draws.layers.col(column) = density.layers().packed();
  draws.coordinates.col(column) = z.reshaped();
  draws.functions.col(column) = f.reshaped();
}

LatentNetwork network_of(const ChainDraws& draws, Index column, const LayerPrior& prior, Index functions) {
  LatentNetwork network{.layers = prior.allocate(),
                        .coordinates = draws.coordinates.col(column).reshaped(prior.rank(), functions),
                        .by_chains = true};
  network.layers.unpack(draws.layers.col(column));
  return network;
}

}  // namespace

std::optional<LatentFit> sample_latent(const Regression& regression, const SamplingOptions& options,
                                       const ChainWatch& watch, Index most_networks) {
  validate(options);
  const RidgeletPrior& prior = regression.prior();
  const Index draws = options.chains * options.draws, K = regression.functions();
  const Matrix watched = watched_rows_of(regression);
  const double of_a_draw =
      8 * static_cast<double>(prior.parameters() + K * (prior.rank() + prior.units() + watched.rows()));
  require_memory(
      static_cast<double>(draws) * of_a_draw +
          static_cast<double>(options.chains) *
              (prior.output_bytes() + LatentMode::bytes(regression.data().rows(), prior.rank(), K)),
      "draws", fmt::format("a fit of {} draws", draws));
  std::vector<std::shared_ptr<LatentDensity>> densities;
  std::vector<Chain> chains;
  for (Index c = 0; c < options.chains; ++c) {
    densities.push_back(
        std::make_shared<LatentDensity>(regression.shared_prior(), regression.shared_latent_data()));
    chains.emplace_back(densities.back(), options.seed, static_cast<std::uint32_t>(c));
  }
  ChainDraws kept{.layers = Matrix(prior.parameters(), draws),
                  .coordinates = Matrix(prior.rank() * K, draws),
                  .functions = Matrix(watched.rows() * K, draws)};
  const Index steps = options.warmup + options.draws;
  std::mutex counting;
  Index done = 0;
  run_chains(
      chains, static_cast<std::uint32_t>(steps),
      [&](const Chain& chain, int) {
        const auto c = static_cast<Index>(chain.index());
        if (const Index draw = static_cast<Index>(chain.iteration()) - options.warmup - 1; draw >= 0)
          record(*densities[static_cast<std::size_t>(c)], chain, watched, c * options.draws + draw, kept);
        const std::lock_guard lock(counting);
        ++done;
        if (watch.progress) watch.progress(done, options.chains * steps);
      },
      [&] { return watch.stop && watch.stop(); });
  if (done < options.chains * steps) return std::nullopt;
  LatentFit fit{
      .posterior = nullptr,
      .laplace = {.exact = true, .rhat = largest_rhat(kept.functions, options.chains), .hidden = true},
      .warnings = {}};
  std::vector<LatentNetwork> networks;
  for (const Index column : spread_rows(draws, most_networks))
    networks.push_back(network_of(kept, column, prior, K));
  fit.warnings = warnings_of(fit.laplace);
  fit.posterior = std::make_shared<const LatentPosterior>(prior, K, regression.offset(), std::move(networks));
  return fit;
}

}  // namespace ridgelet
