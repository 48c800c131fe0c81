#include "ridgelet/network/network.hpp"

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/transform/hidden_walk.hpp"

namespace ridgelet {

Vector Network::operator()(const MatrixView& X) const {
  require_nonempty(X, "X");
  require_columns(X, hidden.first().dimension(), "X");
  require_finite(X, "X");
  HiddenWalk walk(hidden.depth());
  walk.start(hidden.first(), X);
  for (std::size_t l = 0; l < bridges.size(); ++l) walk.next(activation, bridges[l], hidden[l + 1], skip);
  Matrix outputs = Matrix::Zero(X.rows(), 1);
  FeatureProduct().accumulate(activation, walk.here(), output_weights, outputs);
  return outputs.col(0);
}

Network draw_network(const RidgeletPrior& prior, std::uint64_t seed, std::uint32_t replicate) {
  const GivenHidden given = prior.given(prior.draw_hidden(seed, replicate));
  const RandomStream stream{.seed = seed, .purpose = Purpose::output_weights, .replicate = replicate};
  return {.hidden = given.path().layers(),
          .bridges = given.path().bridges(),
          .skip = prior.options().skip,
          .activation = prior.activation(),
          .output_weights = given.weights_at(stream.normals(prior.rank()))};
}

}  // namespace ridgelet
