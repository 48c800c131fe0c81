/// The thing you ship: a plain network f(x) = sum_i w_i phi(W_i . x + b_i), or a deeper one.
///
/// The weights between hidden layers l and l + 1 are N x N but of rank 1 + R, and kept so: the bridge of
/// layer l (N x (1 + R)) and the next layer's W (N x R); unit i of it sees c_0 + W_i . c + b_i of
/// [c_0, c] = phi^T bridge (transform/hidden_walk.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/transform/hidden_layer.hpp"

namespace ridgelet {

struct Network {
  HiddenLayers hidden;
  std::vector<Matrix> bridges = {};  ///< of every hidden layer but the last
  bool skip = false;                 ///< a layer's features are followed by those of all earlier layers
  Activation activation;
  Vector output_weights;  ///< w

  /// Outputs at the rows of X. Cost M N (1 + R) a layer, memory M x block.
  Vector operator()(const MatrixView& X) const;
};

/// A network drawn from the prior: hidden layers, then output weights w = B (m + L z). Replicates with the
/// same seed are independent.
Network draw_network(const RidgeletPrior& prior, std::uint64_t seed, std::uint32_t replicate = 0);

}  // namespace ridgelet
