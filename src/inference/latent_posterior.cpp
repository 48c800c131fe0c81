#include "ridgelet/inference/latent_posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/inference/chains.hpp"
#include "ridgelet/inference/latent_density.hpp"
#include "ridgelet/inference/pareto_smoothing.hpp"

namespace ridgelet {

namespace {

/// Standard normals in pairs u and -u, a column each.
Matrix antithetic(Index size, Index count, const RandomStream& stream) {
  const Matrix half = stream.normals((count + 1) / 2, size).transpose();
  Matrix U(size, count);
  for (Index s = 0; s < count; ++s) U.col(s) = s % 2 == 0 ? half.col(s / 2) : Vector(-half.col(s / 2));
  return U;
}

/// The columns of the draws `chosen`, K each.
Matrix columns_of(const Matrix& Z, const std::vector<Index>& chosen, Index K) {
  Matrix some(Z.rows(), K * static_cast<Index>(chosen.size()));
  for (std::size_t i = 0; i < chosen.size(); ++i)
    some.middleCols(K * static_cast<Index>(i), K) = Z.middleCols(K * chosen[i], K);
  return some;
}

/// Multiplications that the chains take: about seven evaluations for each step, each of two products with G.
double products_of_chains(const LatentData& data, Index rank, const LatentDrawOptions& options) {
  constexpr double products = 2 * 7;
  const auto steps = static_cast<double>(LatentNetwork::chains * options.warmup + options.draws);
  return products * steps * static_cast<double>(data.rows()) * static_cast<double>(rank * data.functions());
}

/// The options with draws and warm-up reduced in proportion to what can be afforded, but to no fewer than `fewest`
/// draws and twenty steps of warm-up.
LatentDrawOptions affordable_chains(const LatentData& data, Index rank, LatentDrawOptions options) {
  constexpr Index fewest = LatentNetwork::fewest_of_chains, shortest = 20;
  const double part = options.most_products / products_of_chains(data, rank, options);
  if (part >= 1) return options;
  const auto reduced = [&](Index count, Index least) {
    return std::min(count, std::max(least, static_cast<Index>(part * static_cast<double>(count))));
  };
  options.draws = reduced(options.draws, fewest);
  options.warmup = reduced(options.warmup, shortest);
  return options;
}

/// Draws of z, equally many for each chain, one chain after another.
Matrix by_chains(LatentMode& mode, const LatentDrawOptions& options) {
  const auto whitening = std::make_shared<const LatentWhitening>(mode.curvature(), mode.mode().cols());
  const auto warmup = static_cast<std::uint32_t>(options.warmup);
  const std::uint32_t first_index = options.replicate * static_cast<std::uint32_t>(LatentNetwork::chains);
  std::vector<std::shared_ptr<LatentWeight>> weights;
  std::vector<Chain> chains;
  for (std::uint32_t c = 0; c < LatentNetwork::chains; ++c) {
    weights.push_back(std::make_shared<LatentWeight>(mode, whitening));
    chains.emplace_back(weights.back(), options.seed, first_index + c, NutsOptions{}, warmup);
  }
  const Index all = std::max(options.draws, LatentNetwork::fewest_of_chains);
  const Index each = (all + LatentNetwork::chains - 1) / LatentNetwork::chains;
  const Index R = mode.mode().rows(), K = mode.mode().cols();
  Matrix Z(R, K * each * LatentNetwork::chains);
  const auto keep = [&](const Chain& chain, int) {
    if (chain.iteration() <= warmup) return;
    const auto c = static_cast<Index>(chain.index() - first_index);
    const Index draw = c * each + static_cast<Index>(chain.iteration() - warmup) - 1;
    Z.middleCols(K * draw, K) = weights[static_cast<std::size_t>(c)]->at(chain.position());
  };
  // Where G is not kept, the chains share the workspace in which rows are evaluated, so they take turns.
  const auto run = mode.keeps_values() ? run_chains : run_chains_in_turn;
  run(chains, warmup + static_cast<std::uint32_t>(each), keep, [] { return false; });
  return Z;
}

}  // namespace

LatentDrawOptions::By parse_coordinates(const std::string& text) {
  using By = LatentDrawOptions::By;
  if (text == "auto") return By::best;
  if (text == "laplace") return By::weights;
  if (text == "sampled") return By::chains;
  throw InvalidArgument("coordinates", "must be auto, laplace or sampled, got '" + text + "'");
}

void validate(const LatentDrawOptions& options) {
  require_at_least(options.draws, 2, "draws");
  require_at_least(options.proposals, options.draws, "proposals");
  require_at_least(options.warmup, 0, "warmup");
}

LatentNetwork latent_network(ConditionalOutput& output, const LatentData& data,
                             const LatentDrawOptions& options, const LatentModeOptions& how) {
  validate(options);
  LatentMode mode(data, output.rank(), how);
  if (!mode.find(output)) throw no_finite_density();
  const RandomStream stream{
      .seed = options.seed, .purpose = Purpose::latent_coordinates, .replicate = options.replicate};
  const Matrix U = antithetic(mode.coordinates(), options.proposals, stream);
  const SmoothedWeights smoothed = smooth_weights(mode.log_weights(U));
  const bool trusted = smoothed.shape <= largest_good_shape;
  using By = LatentDrawOptions::By;
  const LatentDrawOptions chains = affordable_chains(data, output.rank(), options);
  const bool affordable = products_of_chains(data, output.rank(), chains) <= options.most_products;
  const bool sampled = options.by == By::chains || (options.by == By::best && !trusted && affordable);
  LatentNetwork network{.layers = output.layers(),
                        .coordinates = {},
                        .log_evidence = trusted ? smoothed.log_mean : mode.log_evidence(),
                        .laplace = mode.log_evidence(),
                        .shape = smoothed.shape,
                        .effective = smoothed.effective,
                        .converged = mode.converged(),
                        .by_chains = sampled};
  if (sampled) {
    network.coordinates = by_chains(mode, options.by == By::chains ? options : chains);
  } else if (trusted) {
    const std::vector<Index> chosen =
        resample(smoothed.weights, options.draws, stream.uniform(2 * static_cast<std::uint64_t>(U.size())));
    network.coordinates = columns_of(mode.at(U), chosen, data.functions());
  } else {
    network.coordinates = mode.at(U.leftCols(options.draws));
  }
  return network;
}

LatentPosterior::LatentPosterior(const LayerPrior& prior, Index functions, const MeanFunction& offset,
                                 std::vector<LatentNetwork> networks)
    : functions_(functions), networks_(std::move(networks)) {
  if (networks_.empty()) throw InvalidArgument("networks", "must be at least one, got none");
  const std::unique_ptr<ConditionalOutput> output = prior.make_output();
  for (const LatentNetwork& network : networks_) {
    if (network.coordinates.rows() != prior.rank() || network.coordinates.cols() % functions != 0)
      throw InvalidArgument("networks", "must have coordinates of the prior's rank for each function");
    if (!output->condition(network.layers))
      throw InvalidArgument("networks", "must have outputs in double precision");
    plain_.push_back(network_at(prior, *output, network.coordinates));
    plain_.back().mean = offset;
    draws_ += network.coordinates.cols() / functions;
  }
}

Matrix LatentPosterior::functions_at(const Matrix& Xs) const {
  Matrix functions(draws_, Xs.rows() * functions_);
  Index first = 0;
  for (const Network& network : plain_) {
    const Matrix outputs = network(Xs);
    const Index count = outputs.cols() / functions_;
    for (Index s = 0; s < count; ++s)
      functions.row(first + s) = outputs.middleCols(s * functions_, functions_).reshaped().transpose();
    first += count;
  }
  return functions;
}

Network LatentPosterior::draw(Index index) const {
  if (index < 0 || index >= draws_)
    throw InvalidArgument("index", fmt::format("must be from 0 to {}, got {}", draws_ - 1, index));
  for (const Network& network : plain_) {
    const Index count = network.output_weights.cols() / functions_;
    if (index < count) {
      Network one = network;
      one.output_weights = network.output_weights.middleCols(index * functions_, functions_);
      return one;
    }
    index -= count;
  }
  throw InvalidArgument("index", "must be one of the draws");
}

Matrix LatentPosterior::outputs_at(const LayerPrior& prior, Index network, const Matrix& Xs) const {
  const std::unique_ptr<ConditionalOutput> output = prior.make_output();
  if (!output->condition(networks_[static_cast<std::size_t>(network)].layers))
    throw InvalidArgument("networks", "must have outputs in double precision");
  Matrix values(Xs.rows(), 1 + prior.rank());
  output->evaluate(Xs, values);
  return values;
}

}  // namespace ridgelet
