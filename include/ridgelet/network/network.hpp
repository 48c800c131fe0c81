/// The thing you ship: a plain network, evaluated without the prior it came from.
///
/// With inputs x = (X - centre) / scale, one hidden layer and output weights w,
///   f(X) = scale' ( mu(x) + sum_i w_i phi(W_i . x + b_i) ) + centre'
/// where mu is a function that was subtracted from the data, and the scaling in and out is that of a table's
/// columns; both may be absent. Several outputs share the hidden layers and have a column of w each.
///
/// The weights between hidden layers l and l + 1 are N x N but of rank 1 + R, and kept so: the bridge of
/// layer l (N x (1 + R)) and the W of layer l + 1 (N x R). Unit i of layer l + 1 sees c_0 + W_i . c + b_i, where
/// [c_0, c] = phi^T bridge (transform/hidden_walk.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "ridgelet/activation/activation.hpp"
#include "ridgelet/network/scaling.hpp"
#include "ridgelet/prior/ridgelet_prior.hpp"
#include "ridgelet/target/mean/mean_function.hpp"
#include "ridgelet/transform/hidden_layer.hpp"

namespace ridgelet {

struct Network {
  HiddenLayers hidden;
  std::vector<Matrix> bridges = {};  ///< of every hidden layer but the last
  bool skip = false;                 ///< a layer's features are followed by those of all earlier layers
  Activation activation;
  Matrix output_weights;                  ///< w, N x outputs
  MeanFunction mean = MeanFunction("0");  ///< mu, added to every output
  Scaling inputs = {};                    ///< from a person's units to the network's
  Scaling outputs = {};                   ///< likewise: undone at the end

  /// Outputs at the rows of X, M x outputs. Cost M N (1 + R) for each layer, memory M x block.
  Matrix operator()(const MatrixView& X) const;
};

/// Throws InvalidArgument about the part of the network that does not fit the others.
void validate(const Network& network);

/// The network with the hidden layers that `given` is conditioned on, and an output for each column z of Z, which has
/// the output weights at z.
Network network_at(const LayerPrior& prior, const ConditionalOutput& given, const MatrixView& Z);

/// The same where `given` is not needed any more: its layers and bridges move into the network, so no memory is taken
/// twice.
Network network_at(GivenHidden&& given, const MatrixView& Z);

/// A network drawn from the prior: hidden layers, then output weights w = B (m + L z). Replicates with the
/// same seed are independent.
Network draw_network(const RidgeletPrior& prior, std::uint64_t seed, std::uint32_t replicate = 0);

}  // namespace ridgelet
