/// The thing you ship: a plain network f(x) = sum_i w_i phi(W_i . x + b_i).
#pragma once

#include <cstdint>

#include "ridgelet/activation/activation_pair.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/transform/hidden_layer.hpp"

namespace ridgelet {

struct Network {
  HiddenLayer hidden;
  ActivationPair activation;
  Vector output_weights;  ///< w, N

  /// Outputs at the rows of X. Cost M N, memory M x block.
  Vector operator()(const MatrixView& X) const;
};

/// A network drawn from the prior: a hidden layer, then its output weights w = B (m + L z). Replicates with
/// the same seed are independent.
Network draw_network(const RidgeletPrior& prior, std::uint64_t seed, std::uint32_t replicate = 0);

}  // namespace ridgelet
