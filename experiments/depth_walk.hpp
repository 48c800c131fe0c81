/// One draw of a deep ridgelet prior, seen after each of its hidden layers.
///
/// The first l hidden layers of a draw of the prior with L layers are a draw of the prior with l, so one walk
/// through L layers gives outputs of every depth. With features phi of layer l and its operator B, the walk
/// carries the coordinates c = phi^T B L (transform/hidden_walk.hpp); for a process with mean 0,
///   the network that ends here has the output c . z,   unit i of the next layer sees c . W_i + b_i.
/// Nodes and inputs walk together: features are computed once for both.
#pragma once

#include <cstdint>

#include "ridgelet/prior/ridgelet_prior.hpp"

namespace ridgelet::experiments {

/// Outputs at the rows of X of the networks that end after 1, 2, ..., L hidden layers: M x L. They are those
/// of draw_network (network/network.hpp) with this seed and replicate from the prior with as many layers. The
/// process's mean is 0 and the prior has no skip connections.
/// Cost N (D + M)(3 R + 1) a layer, memory (D + M) x block besides the layers themselves.
Matrix outputs_by_depth(const RidgeletPrior& prior, const Matrix& X, std::uint64_t seed,
                        std::uint32_t replicate);

}  // namespace ridgelet::experiments
