#include "ridgelet/prior/ridgelet_prior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

ProcessAtPoints process_at_nodes(const PriorOptions& options, std::optional<FactorAtPoints> stored) {
  if (stored) return {options.target, options.nodes.points, std::move(*stored)};
  return {options.target, options.nodes.points};
}

}  // namespace

void validate(const PriorOptions& options) {
  validate(options.nodes);
  options.target.validate_dimension(options.nodes.dimension());
  require_at_least(options.units, 1, "units");
  require_at_least(options.layers, 1, "layers");
  validate(options.hidden, options.nodes.dimension());
  if (options.layer_scale) require_positive(*options.layer_scale, "layer_scale");
  if (options.layer_bias) require_positive(*options.layer_bias, "layer_bias");
  validate(options.op, options.activation, options.nodes.dimension());
  const double D = static_cast<double>(options.nodes.size());
  require_memory(8 * 3 * D * D, "nodes", fmt::format("a prior on {} nodes", options.nodes.size()));
  const double hidden =
      static_cast<double>(options.units) * static_cast<double>(options.nodes.dimension() + 2);
  require_memory(8 * hidden, "units", fmt::format("a network of {} units", options.units));
}

std::shared_ptr<const RidgeletPrior::State> RidgeletPrior::make_state(PriorOptions options,
                                                                      std::optional<FactorAtPoints> stored) {
  validate(options);
  ProcessAtPoints at_nodes = process_at_nodes(options, std::move(stored));
  return std::make_shared<const State>(State{std::move(options), std::move(at_nodes)});
}

RidgeletPrior::RidgeletPrior(PriorOptions options, std::optional<FactorAtPoints> stored)
    : state_(make_state(std::move(options), std::move(stored))) {
  // Weights and biases of each deeper layer, and the bridge to it.
  const double deeper = static_cast<double>(this->options().layers - 1) * static_cast<double>(units());
  require_memory(8 * 2 * deeper * static_cast<double>(rank() + 1), "layers",
                 fmt::format("a network of {} hidden layers of {} units", this->options().layers, units()));
}

double RidgeletPrior::layer_scale() const {
  return options().layer_scale.value_or(operator_traits(options().op.name).layer_scale);
}

double RidgeletPrior::layer_bias() const {
  return options().layer_bias.value_or(
      operator_traits(options().op.name).layer_bias.value_or(options().hidden.sigma_b));
}

HiddenDistribution RidgeletPrior::distribution(Index layer) const {
  if (layer == 0) return options().hidden;
  // The weights of a deeper layer are coordinates of the process, so they are normal; and there are so many that units
  // are drawn independently: Sobol points cover few dimensions evenly, not the tens or hundreds of a rank.
  return {.sigma_w = layer_scale(),
          .sigma_b = layer_bias(),
          .density = Density::gaussian,
          .units_from = UnitsFrom::independent};
}

HiddenLayers RidgeletPrior::draw_hidden(std::uint64_t seed, std::uint32_t replicate,
                                        std::uint32_t attempt) const {
  // The layers of one attempt have consecutive places; no network has as many layers as two attempts lie apart.
  constexpr std::uint32_t apart = std::uint32_t{1} << 24;
  HiddenLayers layers;
  for (Index l = 0; l < options().layers; ++l)
    layers.add(distribution(l).draw(units(), l == 0 ? dimension() : rank(), seed, replicate,
                                    attempt * apart + static_cast<std::uint32_t>(l)));
  return layers;
}

HiddenLayers RidgeletPrior::allocate() const {
  HiddenLayers layers;
  for (Index l = 0; l < options().layers; ++l)
    layers.add({.W = Matrix::Zero(units(), l == 0 ? dimension() : rank()), .b = Vector::Zero(units())});
  return layers;
}

void RidgeletPrior::at(const VectorView& xi, HiddenLayers& layers) const {
  Index first = 0;
  for (Index l = 0; l < options().layers; ++l) {
    HiddenLayer& layer = layers[static_cast<std::size_t>(l)];
    const Index count = layer.W.size() + layer.b.size();
    distribution(l).at(xi.segment(first, count), layer);
    first += count;
  }
}

void RidgeletPrior::pull_back(const VectorView& xi, const HiddenLayers& layers_bar,
                              Eigen::Ref<Vector> xi_bar) const {
  Index first = 0;
  for (Index l = 0; l < options().layers; ++l) {
    const HiddenLayer& layer = layers_bar[static_cast<std::size_t>(l)];
    const Index count = layer.W.size() + layer.b.size();
    distribution(l).pull_back(xi.segment(first, count), layer, xi_bar.segment(first, count));
    first += count;
  }
}

Index RidgeletPrior::parameters() const {
  return units() * (dimension() + 1) + (options().layers - 1) * units() * (rank() + 1);
}

GivenHidden RidgeletPrior::given(const HiddenLayers& layers) const {
  return GivenHidden(*this, layers);
}

std::unique_ptr<ConditionalOutput> RidgeletPrior::make_output() const {
  return std::make_unique<GivenHidden>(*this);
}

double RidgeletPrior::output_bytes() const {
  const auto D = static_cast<double>(options().nodes.size()), L = static_cast<double>(options().layers);
  const double columns = 1 + static_cast<double>(rank()), unit = static_cast<double>(options().blocks.units);
  const double seen = static_cast<double>(options().units) * (options().skip ? (L + 1) / 2 : 1);
  const double slab = std::min(
      seen,
      static_cast<double>(std::max(options().blocks.kept_weights / (1 + rank()), options().blocks.lap)));
  const double features = std::min(seen * D, static_cast<double>(options().blocks.kept_features));
  // [m, L] and [s m, L], and T of one of them; the bridge of every layer but the last, what is kept of the last layer's
  // B [m, L], and the nodes' walk; features at the nodes, and blocks of them and of their analysis; S and its factor
  // for every layer; a copy of the hidden layers, and of the first layer's units in reach.
  return 8 * (3 * D * columns + ((L - 1) * seen + slab + L * D) * columns + L * features +
              unit * (2 * D + columns) + 2 * L * D * D + 2 * static_cast<double>(parameters()));
}

double RidgeletPrior::mixed_bytes() const {
  const Index seen = options().units * (options().skip ? options().layers : 1);
  const Index inputs = options().layers > 1 ? rank() : dimension();
  return SingleFeatureProduct::bytes(seen, inputs, 1 + rank(), options().blocks);
}

double RidgeletPrior::pull_back_bytes(Index rows) const {
  const auto D = static_cast<double>(options().nodes.size()), L = static_cast<double>(options().layers);
  const double columns = 1 + static_cast<double>(rank()), sites = static_cast<double>(rows) + D;
  const double seen = static_cast<double>(options().units) * (options().skip ? (L + 1) / 2 : 1);
  const auto share = static_cast<double>(options().blocks.share_of(options().units));
  const double laps = static_cast<double>(options().blocks.lap) / share;
  // Derivatives in the layers, in B [m, L] of each of them, and in what each deeper one sees; T F, and for each layer
  // the solutions and what mixes the nodes; pieces of units, and their sums over a lap where there is a layer before.
  return 8 * (static_cast<double>(parameters()) + L * seen * columns + (L - 1) * sites * columns +
              2 * D * columns + L * D * (D + columns) + share * (4 * D + 2 * columns) +
              (L > 1 ? laps * std::max(D, static_cast<double>(options().blocks.sites)) * columns : 0));
}

}  // namespace ridgelet
