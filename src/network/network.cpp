#include "ridgelet/network/network.hpp"

#include "ridgelet/core/errors.hpp"
#include "ridgelet/core/random.hpp"
#include "ridgelet/prior/given_hidden.hpp"
#include "ridgelet/transform/feature_product.hpp"

namespace ridgelet {

Vector Network::operator()(const MatrixView& X) const {
  require_nonempty(X, "X");
  require_columns(X, hidden.dimension(), "X");
  require_finite(X, "X");
  const Matrix sites = X;
  const Preactivations at_sites(hidden, sites);
  Matrix outputs = Matrix::Zero(sites.rows(), 1);
  FeatureProduct().accumulate(activation, at_sites, output_weights, outputs);
  return outputs.col(0);
}

Network draw_network(const RidgeletPrior& prior, std::uint64_t seed, std::uint32_t replicate) {
  const GivenHidden given = prior.given(prior.draw_hidden(seed, replicate));
  const RandomStream stream{.seed = seed, .purpose = Purpose::output_weights, .replicate = replicate};
  return {.hidden = given.layer(),
          .activation = prior.pair(),
          .output_weights = given.weights_at(stream.normals(prior.rank()))};
}

}  // namespace ridgelet
