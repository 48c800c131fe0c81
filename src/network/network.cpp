#include "ridgelet/network/network.hpp"

#include <fmt/format.h>

#include <utility>

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/transform/hidden_walk.hpp"

namespace ridgelet {

namespace {

/// Units whose features a layer hands on: with skip connections, those of all layers so far.
Index features_of(const Network& network, std::size_t layer) {
  Index units = network.hidden[layer].units();
  for (std::size_t l = 0; network.skip && l < layer; ++l) units += network.hidden[l].units();
  return units;
}

void require_scaling(const Scaling& scaling, Index columns, const std::string& argument) {
  if (scaling.scale.size() == 0 && scaling.centre.size() == 0) return;
  require_rows(scaling.centre, columns, argument + ": centre");
  require_rows(scaling.scale, columns, argument + ": scale");
}

}  // namespace

void validate(const Network& network) {
  require_at_least(static_cast<Index>(network.hidden.depth()), 1, "hidden");
  if (network.bridges.size() + 1 != network.hidden.depth())
    throw InvalidArgument("bridges", fmt::format("must be one fewer than the {} hidden layers, got {}",
                                                 network.hidden.depth(), network.bridges.size()));
  for (std::size_t l = 0; l < network.hidden.depth(); ++l) {
    validate(network.hidden[l]);
    if (l == 0) continue;
    require_rows(network.bridges[l - 1], features_of(network, l - 1), "bridges");
    require_columns(network.hidden[l].W, network.bridges[l - 1].cols() - 1, "W");
  }
  require_nonempty(network.output_weights, "output_weights");
  require_rows(network.output_weights, features_of(network, network.hidden.depth() - 1), "output_weights");
  network.mean.validate_dimension(network.hidden.first().dimension(), "mean");
  require_scaling(network.inputs, network.hidden.first().dimension(), "inputs");
  require_scaling(network.outputs, network.output_weights.cols(), "outputs");
}

Matrix Network::operator()(const MatrixView& X) const {
  validate(*this);
  require_nonempty(X, "X");
  require_columns(X, hidden.first().dimension(), "X");
  require_finite(X, "X");
  const Matrix x = inputs.apply(X);
  HiddenWalk walk(hidden.depth());
  walk.start(hidden.first(), x);
  for (std::size_t l = 0; l < bridges.size(); ++l) walk.next(activation, bridges[l], hidden[l + 1], skip);
  Matrix values = mean(x).replicate(1, output_weights.cols());
  FeatureProduct().accumulate(activation, walk.here(), output_weights, values);
  return outputs.undo(values);
}

Network network_at(const LayerPrior& prior, const ConditionalOutput& given, const MatrixView& Z) {
  return {.hidden = given.layers(),
          .bridges = given.bridges(),
          .skip = given.skip(),
          .activation = prior.activation(),
          .output_weights = given.weights_at(Z)};
}

Network network_at(GivenHidden&& given, const MatrixView& Z) {
  Matrix weights = given.weights_at(Z);
  const RidgeletPrior prior = given.prior();
  HiddenPath::Way way = std::move(given).leave();
  return {.hidden = std::move(way.layers),
          .bridges = std::move(way.bridges),
          .skip = prior.options().skip,
          .activation = prior.activation(),
          .output_weights = std::move(weights)};
}

Network draw_network(const RidgeletPrior& prior, std::uint64_t seed, std::uint32_t replicate) {
  const RandomStream stream{.seed = seed, .purpose = Purpose::output_weights, .replicate = replicate};
  return network_at(GivenHidden(prior, seed, replicate), stream.normals(prior.rank()));
}

}  // namespace ridgelet
