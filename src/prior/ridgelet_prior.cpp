#include "ridgelet/prior/ridgelet_prior.hpp"

#include <fmt/format.h>

#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/memory.hpp"
#include "ridgelet/core/text.hpp"
#include "ridgelet/prior/given_hidden.hpp"

namespace ridgelet {

namespace {

PriorOptions validated(PriorOptions options) {
  validate(options);
  return options;
}

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
  validate(options.hidden);
  if (options.layer_scale) require_positive(*options.layer_scale, "layer_scale");
  if (options.layer_bias) require_positive(*options.layer_bias, "layer_bias");
  validate(options.op, options.activation, options.nodes.dimension());
  const double D = static_cast<double>(options.nodes.size());
  require_memory(8 * 3 * D * D, "nodes", fmt::format("a prior on {} nodes", options.nodes.size()));
  const double hidden =
      static_cast<double>(options.units) * static_cast<double>(options.nodes.dimension() + 2);
  require_memory(8 * hidden, "units", fmt::format("a network of {} units", options.units));
}

RidgeletPrior::RidgeletPrior(PriorOptions options, std::optional<FactorAtPoints> stored)
    : options_(validated(std::move(options))),
      at_nodes_(process_at_nodes(options_, std::move(stored))) {
  // Weights and biases of each deeper layer, and the bridge to it.
  const double deeper = static_cast<double>(options_.layers - 1) * static_cast<double>(units());
  require_memory(8 * 2 * deeper * static_cast<double>(rank() + 1), "layers",
                 fmt::format("a network of {} hidden layers of {} units", options_.layers, units()));
}

double RidgeletPrior::layer_scale() const {
  return options_.layer_scale.value_or(operator_traits(options_.op.name).layer_scale);
}

double RidgeletPrior::layer_bias() const {
  return options_.layer_bias.value_or(
      operator_traits(options_.op.name).layer_bias.value_or(options_.hidden.sigma_b));
}

HiddenDistribution RidgeletPrior::distribution(Index layer) const {
  if (layer == 0) return options_.hidden;
  // The weights of a deeper layer are coordinates of the process, so they are normal.
  return {.sigma_w = layer_scale(), .sigma_b = layer_bias(), .density = Density::gaussian};
}

HiddenLayers RidgeletPrior::draw_hidden(std::uint64_t seed, std::uint32_t replicate) const {
  HiddenLayers layers;
  for (Index l = 0; l < options_.layers; ++l)
    layers.add(distribution(l).draw(units(), l == 0 ? dimension() : rank(), seed, replicate,
                                    static_cast<std::uint32_t>(l)));
  return layers;
}

HiddenLayers RidgeletPrior::allocate() const {
  HiddenLayers layers;
  for (Index l = 0; l < options_.layers; ++l)
    layers.add({.W = Matrix::Zero(units(), l == 0 ? dimension() : rank()), .b = Vector::Zero(units())});
  return layers;
}

void RidgeletPrior::at(const VectorView& xi, HiddenLayers& layers) const {
  Index first = 0;
  for (Index l = 0; l < options_.layers; ++l) {
    HiddenLayer& layer = layers[static_cast<std::size_t>(l)];
    const Index count = layer.W.size() + layer.b.size();
    distribution(l).at(xi.segment(first, count), layer);
    first += count;
  }
}

Index RidgeletPrior::parameters() const {
  return units() * (dimension() + 1) + (options_.layers - 1) * units() * (rank() + 1);
}

GivenHidden RidgeletPrior::given(HiddenLayers layers) const {
  return GivenHidden(*this, std::move(layers));
}

}  // namespace ridgelet
